import { z } from 'zod';
import { saveActivation } from './callback-store.ts';
import type { SandboxContext } from './context.ts';
import { backofficeKey, methodKey, parse } from './wire-fields.ts';

const URL_LENGTH_MAX = 300;

const body = z.object({
  chave: backofficeKey('chave'),
  entidade: z
    .string('entidade is missing')
    .regex(/^(MBWAY|MB|\d{5})$/, 'entidade must be MBWAY, MB or five digits'),
  subentidade: methodKey('subentidade'),
  apKey: z.string('apKey is missing').min(1, 'apKey is missing').max(200, 'apKey is too long'),
  urlCb: z
    .string('urlCb is missing')
    .max(URL_LENGTH_MAX, `urlCb is longer than ${URL_LENGTH_MAX} characters`)
    .refine(
      (text) => ['http:', 'https:'].includes(URL.parse(text)?.protocol ?? ''),
      'urlCb is no http(s) address',
    ),
});

/** The text that answers a callback activation; it starts with `OK:` when the template was stored. */
export function activate(context: SandboxContext, input: unknown): string {
  const parsed = parse(body, input);
  if (!parsed.ok) return `ERROR: ${parsed.message}`;
  const { chave, entidade, subentidade, apKey, urlCb } = parsed.value;
  saveActivation(context.db, {
    backofficeKey: chave,
    entity: entidade,
    subEntity: subentidade,
    antiPhishingKey: apKey,
    url: urlCb,
    activatedAt: context.clock.now(),
  });
  context.log(`callback registered for ${entidade} ${subentidade}`);
  return `OK: callback activated for ${entidade} ${subentidade}`;
}
