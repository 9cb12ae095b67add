import type { FastifyInstance, FastifyReply } from 'fastify';
import { z } from 'zod';
import { isoInstant } from '../kernel/clock.ts';
import { AMOUNT_MAX_CENTS, centsFromEuros, eurosFromCents } from '../kernel/money.ts';
import {
  CALLBACK_FAULTS,
  CREATE_FAULTS,
  INQUIRY_FAULTS,
  REFUND_FAULTS,
  type SandboxContext,
} from './context.ts';
import { accountBody, openAccount } from './eupago/accounts.ts';
import { stateOf } from './mbway.ts';
import { type Push, REFUND_ROWS } from './schema.ts';
import { answerPush, payReference } from './settle.ts';
import { read } from './wire-fields.ts';

const PUSHES_MAX = 100;
const FAULT_TIMES_MAX = 10_000;
const FAULT_MODES = [...CREATE_FAULTS, ...CALLBACK_FAULTS, ...INQUIRY_FAULTS, ...REFUND_FAULTS] as const;

const phoneNumber = z
  .string('phoneNumber must be text with 9 digits, such as 912345678')
  .regex(/^9\d{8}$/, 'phoneNumber must be 9 digits that start with 9, such as 912345678');

const digits = (name: string, count: number) =>
  z
    .string(`${name} must be text with ${count} digits`)
    .transform((text) => text.replace(/\s/g, ''))
    .refine((text) => text.length === count && /^\d+$/.test(text), `${name} must be ${count} digits`);

const answerBody = z.object({
  phoneNumber,
  outcome: z.enum(['accept', 'reject'], 'outcome must be "accept" or "reject"'),
  /** Selects a push other than the newest open push. */
  requestId: z.string('requestId must be text').optional(),
});

const payBody = z.object({
  entity: digits('entity', 5),
  reference: digits('reference', 9),
  amount: z
    .number('amount must be a number of euros such as 12.5')
    .transform(centsFromEuros)
    .refine(
      (value) => value !== null && value > 0 && value <= AMOUNT_MAX_CENTS,
      'amount must be above 0, at most 99999.99, with at most two decimals',
    )
    .nullish(),
});

const faultBody = z.object({
  mode: z.enum(FAULT_MODES, `mode must be one of ${FAULT_MODES.join(', ')}`),
  times: z
    .int(`times must be a whole number from 0 to ${FAULT_TIMES_MAX}`)
    .min(0, 'times must be 0 or more')
    .max(FAULT_TIMES_MAX, `times must be at most ${FAULT_TIMES_MAX}`),
});

const refundRowsBody = z.object({
  mode: z.enum(REFUND_ROWS, `mode must be one of ${REFUND_ROWS.join(', ')}`),
});

const pushesQuery = z.object({
  phoneNumber: z.union([z.literal(''), phoneNumber], 'phoneNumber must be one number').optional(),
});

/** The actions of a customer or a test. Invalid input is 400 with the fault. */
export function controlRoutes(app: FastifyInstance, context: SandboxContext): void {
  const { store } = context;

  app.post('/control/mbway', (request, reply) => {
    const input = read(answerBody, request.body);
    const push = openPush(context, input);
    if (push === undefined || !answerPush(context, push, input.outcome)) {
      return failure(reply, 404, `no open push for ${input.phoneNumber}`);
    }
    return { requestId: push.request_id };
  });

  app.post('/control/multibanco', (request, reply) => {
    const { entity, reference: number, amount } = read(payBody, request.body);
    const reference = store.findReference(entity, number);
    if (reference === undefined) return failure(reply, 404, `no reference ${number} of entity ${entity}`);
    payReference(context, reference, amount ?? reference.amount_cents);
    return { requestId: reference.request_id };
  });

  app.get('/control/pushes', (request, reply) => {
    const { phoneNumber } = read(pushesQuery, request.query);
    const pushes = store.recentPushes(phoneNumber || null, PUSHES_MAX);
    // The page counts down by the bank's clock.
    return reply
      .header('X-Sandbox-Now', context.clock.now())
      .send(pushes.map((push) => shownPush(context, push)));
  });

  app.post('/control/accounts', (request, reply) => {
    const fault = openAccount(context, read(accountBody, request.body));
    return fault === null ? { acquirer: 'eupago' } : failure(reply, 400, fault);
  });

  app.post('/control/faults', (request) => {
    const { mode, times } = read(faultBody, request.body);
    store.saveFault(mode, times);
    context.log(`fault ${mode}: the next ${times}`);
    return { mode, times };
  });

  app.post('/control/refund-rows', (request) => {
    const { mode } = read(refundRowsBody, request.body);
    store.saveRefundRows(mode);
    return { mode };
  });
}

function failure(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply.code(status).send({ error });
}

function openPush(context: SandboxContext, wanted: z.output<typeof answerBody>): Push | undefined {
  const { phoneNumber, requestId } = wanted;
  if (requestId === undefined) {
    return context.store.newestOpenPush(phoneNumber, context.clock.now() - context.mbwayWindowMs);
  }
  const push = context.store.pushByRequest(requestId);
  if (push?.phone_number !== phoneNumber) return undefined;
  return stateOf(context, push) === 'pending' ? push : undefined;
}

function shownPush(context: SandboxContext, push: Push): Record<string, unknown> {
  return {
    acquirer: push.acquirer,
    requestId: push.request_id,
    phoneNumber: push.phone_number,
    amount: eurosFromCents(push.amount_cents),
    description: push.description,
    state: stateOf(context, push),
    createdAt: isoInstant(push.created_at),
  };
}
