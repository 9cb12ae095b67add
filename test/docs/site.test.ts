import { createHmac } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { ERROR_NOTES } from '../../src/docs/error-notes.ts';
import { OPERATIONS } from '../../src/docs/openapi/operations.ts';
import { createDocument, DOCUMENT_PATH, PLACEHOLDER_SERVER } from '../../src/docs/openapi.ts';
import { PAGES, TRY_PATH } from '../../src/docs/pages.ts';
import { PHONE_NOTES } from '../../src/docs/reference/phones.ts';
import { fieldAnchor, membersOf, type Schema } from '../../src/docs/reference/schema-table.ts';
import { SETTING_NOTES } from '../../src/docs/reference/settings.ts';
import { SAMPLES_FOLDER } from '../../src/docs/samples.ts';
import { renderSite } from '../../src/docs/site.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { selfActing } from '../../src/sandbox/phones.ts';
import { EVENT_KINDS } from '../../src/webhooks/contract.ts';
import { temporaryFolder } from '../support/database.ts';

const SOURCE = join(import.meta.dirname, '../../src');
const CONTENT = join(SOURCE, 'docs/content');

let site: Map<string, string>;
let schemas: Record<string, Schema>;
beforeAll(async () => {
  const folder = temporaryFolder((after) => void after);
  const { settings } = readConfig({ SERVICE_DATABASE_URL: `sqlite:${folder}/service.db` });
  site = new Map([...(await renderSite(settings))].map(([path, { html }]) => [path, html]));
  schemas = (await createDocument(PLACEHOLDER_SERVER)).components.schemas as Record<string, Schema>;
});

const page = (path: string) => site.get(path) ?? '';
const idsOf = (html: string) => [...html.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id);
const textOf = (html: string) =>
  html
    .replace(/<[^>]+>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&');
/** The ids of the reference that start so, less the prefix. */
const anchors = (prefix: string) =>
  idsOf(page('/docs/reference'))
    .filter((id) => id.startsWith(prefix))
    .map((id) => id.slice(prefix.length));

test('every link leads to a page and a place on it, and none to another host', () => {
  const dead: string[] = [];
  for (const [path, html] of site) {
    for (const [, target = ''] of html.matchAll(/ (?:href|src)="([^"]*)"/g)) {
      const [file = '', anchor] = target.split('#');
      if (file.startsWith('/docs/site/') || [DOCUMENT_PATH, TRY_PATH, '/backoffice'].includes(file)) continue;
      const there = site.get(file === '' ? path : file);
      if (there === undefined || (anchor !== undefined && !idsOf(there).includes(anchor)))
        dead.push(`${path}: ${target}`);
    }
  }
  expect(dead).toEqual([]);
});

test('no place is named twice on one page, and no directive is left standing', () => {
  for (const [path, html] of site) {
    const ids = idsOf(html);
    expect(
      ids.filter((id, i) => ids.indexOf(id) !== i),
      path,
    ).toEqual([]);
    expect(html).not.toMatch(/\{\{|undefined|\[object/);
  }
});

test('what is written is listed, and every guide is there in both languages', () => {
  for (const language of ['en', 'pt'] as const) {
    const written = readdirSync(join(CONTENT, language)).map((file) => file.replace(/\.html$/, ''));
    const listed = PAGES.filter((entry) => entry[language] !== undefined).map(({ name }) => name);
    expect(listed).toEqual(expect.arrayContaining(written));
    expect(written).toEqual(expect.arrayContaining(listed));
  }
  for (const { group, pt } of PAGES) if (group === 'guides') expect(pt).toBeDefined();
});

test('the reference has every error code of the closed list and no other, each to be linked to', () => {
  expect(anchors('error-')).toEqual(Object.keys(ERROR_STATUS));
  expect(Object.keys(ERROR_NOTES)).toEqual(Object.keys(ERROR_STATUS));
  for (const path of ['/docs/guides/errors', '/docs/pt/guias/erros']) {
    for (const code of Object.keys(ERROR_STATUS))
      expect(page(path)).toContain(`/docs/reference#error-${code}"`);
  }
});

test('the reference has every operation with curl, TypeScript, PHP and Python, and all its codes', () => {
  for (const [key, { codes }] of Object.entries(OPERATIONS)) {
    const name = key.split('/').at(-1) ?? '';
    const section = page('/docs/reference')
      .split('<section class="operation"')
      .find((text) => text.includes(`<h3 id="${name}"`));
    const shown = [...(section ?? '').matchAll(/data-label="([^"]+)"/g)].map(([, label]) => label);
    expect(shown, key).toEqual(['curl', 'TypeScript', 'PHP', 'Python']);
    const linked = [...(section ?? '').matchAll(/href="#error-([A-Z_]+)"/g)].map(([, code]) => code);
    expect(linked, key).toEqual([...codes]);
  }
});

test('the reference has every member of every body and no other', () => {
  for (const [name, schema] of Object.entries(schemas)) {
    if (name === 'Error') continue;
    const members = membersOf(schema).map(({ path }) => fieldAnchor(name, path));
    expect(anchors(`${name}-`).map((rest) => `${name}-${rest}`)).toEqual(members);
  }
  const described = Object.keys(schemas).filter((name) => name !== 'Error');
  const shown = new Set(
    idsOf(page('/docs/reference'))
      .filter((id) => /^[A-Z]\w+-/.test(id))
      .map((id) => id.split('-')[0]),
  );
  expect([...shown].sort()).toEqual(described.sort());
});

test('the reference shows a delivery of every event kind, whose signature fits the secret beside it', () => {
  const text = textOf(page('/docs/reference'));
  expect(anchors('event-')).toEqual([...EVENT_KINDS]);
  const secret = /whsec_[A-Za-z0-9+/=]+/.exec(text)?.[0] ?? '';
  const deliveries = [...text.matchAll(/X-Service-Signature: (\S+)\n[\s\S]*?\n\n(\{.*\})\n/g)];
  expect(deliveries.map(([, , body = '']) => JSON.parse(body).event)).toEqual([...EVENT_KINDS]);
  for (const [, signature, body = ''] of deliveries) {
    expect(signature).toBe(`sha256=${createHmac('sha256', secret).update(body).digest('hex')}`);
  }
});

test('every setting that the service reads is described, and no other is spoken of', () => {
  const config = readFileSync(join(SOURCE, 'config.ts'), 'utf8');
  const read = new Set(config.match(/(?<=')SERVICE_[A-Z_]+(?=')/g));
  expect(SETTING_NOTES.map(({ name }) => name).sort()).toEqual([...read].sort());
  for (const [path, html] of site) {
    for (const name of html.match(/\bSERVICE_[A-Z_]+/g) ?? [])
      expect(read, `${path}: ${name}`).toContain(name);
  }
});

test('the defaults that are told are those of the code', () => {
  const config = readFileSync(join(SOURCE, 'config.ts'), 'utf8');
  const given = /'(SERVICE_[A-Z_]+)',\s*(?:sandbox \? ([\d_]+) : )?([\d_]+|true|false)\b/g;
  const found = [...config.matchAll(given)];
  expect(found.length).toBeGreaterThan(15);
  const marked = (value: string) => `\`${value.replaceAll('_', '')}\``;
  for (const [, name, sandbox, fallback = ''] of found) {
    const told = SETTING_NOTES.find((note) => note.name === name)?.fallback;
    expect(told, name).toBe(
      sandbox === undefined ? marked(fallback) : `${marked(fallback)} (${marked(sandbox)})`,
    );
  }
});

test('codes that the guides speak of exist', () => {
  const known = [...Object.keys(ERROR_STATUS), 'API_KEY', 'WEBHOOK_SECRET', 'NODE_EXTRA_CA_CERTS'];
  for (const [path, html] of site) {
    for (const [, word = ''] of html.matchAll(/<code>(?:\d{3} )?([A-Z]+_[A-Z_]+)<\/code>/g)) {
      if (!word.startsWith('SERVICE_')) expect(known, `${path}: ${word}`).toContain(word);
    }
  }
});

test('commands that the pages tell to run exist', () => {
  const commands = readFileSync(join(SOURCE, 'cli/commands.ts'), 'utf8');
  const known = [...commands.matchAll(/name: '([a-z -]+)'/g)].map(([, name]) => name);
  const { scripts } = JSON.parse(readFileSync(join(SOURCE, '../package.json'), 'utf8'));
  for (const [path, html] of site) {
    for (const [, name] of html.matchAll(/service -- ([a-z]+(?: [a-z][a-z-]*)?)/g))
      expect(known, `${path}: ${name}`).toContain(name);
    for (const [, name = ''] of html.matchAll(/npm run (?:--silent )?([a-z:]+)/g))
      expect(scripts, path).toHaveProperty(name);
  }
});

test("the sandbox's phones are those that act by themselves", () => {
  const times = { mbwayWindowMs: 240_000, mbwayGraceMs: 30_000 };
  const candidates = Array.from({ length: 100 }, (_, i) => String(911_000_000 + i));
  expect(PHONE_NOTES.map(({ phone }) => phone)).toEqual(
    candidates.filter((phone) => selfActing(phone, times) !== null),
  );
});

test('every sample is shown, as it is', () => {
  const shown = [...site.values()].map(textOf).join('\n');
  for (const file of readdirSync(SAMPLES_FOLDER)) {
    expect(shown, file).toContain(readFileSync(join(SAMPLES_FOLDER, file), 'utf8').trimEnd());
  }
});

test('the check of a signature is the same one as in the back office', () => {
  const own = join(SOURCE, 'backoffice/web/pages/webhook/samples');
  for (const [ending, pattern] of [
    ['php', /function isGenuine[\s\S]*?\n\}\n/],
    ['py', /digest = [\s\S]*?signature\.encode\(\)\)\n/],
  ] as const) {
    const code = pattern.exec(readFileSync(join(own, `service.${ending}.txt`), 'utf8'))?.[0] ?? 'missing';
    expect(readFileSync(join(SAMPLES_FOLDER, `receiver.${ending}`), 'utf8')).toContain(code);
  }
});

test('what is said once in each language is said of the same codes', () => {
  for (const [code, { en, pt }] of Object.entries(ERROR_NOTES) as [
    ErrorCode,
    (typeof ERROR_NOTES)[ErrorCode],
  ][]) {
    // Names in code marks are not translated.
    const marks = (text: string) => [...text.matchAll(/`([^`]+)`/g)].map(([, mark]) => mark).sort();
    expect(marks(pt.means + pt.act), code).toEqual(marks(en.means + en.act));
  }
});
