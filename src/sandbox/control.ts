import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { isoInstant } from '../kernel/clock.ts';
import { AMOUNT_MAX_CENTS, centsFromEuros, eurosFromCents } from '../kernel/money.ts';
import { saveFault } from './callback-store.ts';
import type { SandboxContext } from './context.ts';
import { FAULT_MODES, FAULT_TIMES_MAX } from './faults.ts';
import { visibleState } from './push-status.ts';
import { answerPush, payReference } from './settle.ts';
import { findReference, newestOpenPush, type Push, pushByRequest, recentPushes } from './store.ts';
import { parse } from './wire-fields.ts';

const PUSHES_MAX = 100;

const phoneNumber = z
  .string('send phoneNumber, 9 digits such as 912345678')
  .regex(/^9\d{8}$/, 'phoneNumber must be 9 digits that start with 9, such as 912345678');

const digits = (name: string, count: number) =>
  z
    .string(`send ${name} as text, ${count} digits`)
    .transform((text) => text.replace(/\s/g, ''))
    .refine((text) => text.length === count && /^\d+$/.test(text), `${name} must be ${count} digits`);

const answerBody = z.object({
  phoneNumber,
  outcome: z.enum(['accept', 'reject'], 'outcome must be "accept" or "reject"'),
  /** Which push, when the newest open one of the phone is not meant. */
  requestId: z.string('requestId must be text').optional(),
});

const payBody = z.object({
  entity: digits('entity', 5),
  reference: digits('reference', 9),
  amount: z
    .number('amount must be a number of euros such as 12.5')
    .refine(
      (euros) => (centsFromEuros(euros) ?? 0) > 0 && euros <= AMOUNT_MAX_CENTS / 100,
      'amount must be above 0, at most 99999.99, with at most two decimals',
    )
    .nullish(),
});

const faultBody = z.object({
  mode: z.enum(FAULT_MODES, `mode must be one of ${FAULT_MODES.join(', ')}`),
  times: z
    .int(`times must be a whole number from 0 to ${FAULT_TIMES_MAX}`)
    .min(0, `times must be 0 or more`)
    .max(FAULT_TIMES_MAX, `times must be at most ${FAULT_TIMES_MAX}`),
});

const pushesQuery = z.object({ phoneNumber: z.union([z.literal(''), phoneNumber]).optional() });

/** What a customer, or a test in a customer's place, does. Bad input is 400 and says what to send. */
export function controlRoutes(app: FastifyInstance, context: SandboxContext): void {
  const { db } = context;

  app.post('/control/mbway', (request, reply) => {
    const parsed = parse(answerBody, request.body);
    if (!parsed.ok) return reply.code(400).send({ error: parsed.message });
    const push = openPush(context, parsed.value);
    if (push === undefined || !answerPush(context, push, parsed.value.outcome)) {
      return reply.code(404).send({ error: `no open push for ${parsed.value.phoneNumber}` });
    }
    return { requestId: push.requestId };
  });

  app.post('/control/multibanco', (request, reply) => {
    const parsed = parse(payBody, request.body);
    if (!parsed.ok) return reply.code(400).send({ error: parsed.message });
    const { entity, reference: number, amount } = parsed.value;
    const reference = findReference(db, entity, number);
    if (reference === undefined) {
      return reply.code(404).send({ error: `no reference ${number} of entity ${entity} was ever made here` });
    }
    payReference(
      context,
      reference,
      amount == null ? reference.amount : (centsFromEuros(amount) ?? reference.amount),
    );
    return { requestId: reference.requestId };
  });

  app.get('/control/pushes', (request, reply) => {
    const parsed = parse(pushesQuery, request.query);
    if (!parsed.ok) return reply.code(400).send({ error: parsed.message });
    const pushes = recentPushes(db, parsed.value.phoneNumber || null, PUSHES_MAX);
    // The page counts down by the bank's clock, which need not be the browser's.
    return reply
      .header('X-Sandbox-Now', context.clock.now())
      .send(pushes.map((push) => shownPush(context, push)));
  });

  app.post('/control/faults', (request, reply) => {
    const parsed = parse(faultBody, request.body);
    if (!parsed.ok) return reply.code(400).send({ error: parsed.message });
    const { mode, times } = parsed.value;
    saveFault(db, mode, times);
    context.log(`fault ${mode}: the next ${times}`);
    return { mode, times };
  });
}

function openPush(context: SandboxContext, wanted: z.output<typeof answerBody>): Push | undefined {
  if (wanted.requestId === undefined) {
    const openSince = context.clock.now() - context.mbwayWindowMs;
    return newestOpenPush(context.db, wanted.phoneNumber, openSince);
  }
  const push = pushByRequest(context.db, wanted.requestId);
  if (push?.phoneNumber !== wanted.phoneNumber) return undefined;
  return visibleState(context, push) === 'pending' ? push : undefined;
}

function shownPush(context: SandboxContext, push: Push): Record<string, unknown> {
  return {
    requestId: push.requestId,
    phoneNumber: push.phoneNumber,
    amount: eurosFromCents(push.amount),
    description: push.description,
    state: visibleState(context, push),
    createdAt: isoInstant(push.createdAt),
  };
}
