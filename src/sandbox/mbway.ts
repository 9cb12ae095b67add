import { z } from 'zod';
import { lisbonText } from '../kernel/lisbon.ts';
import type { SandboxContext } from './context.ts';
import { testPhone } from './phones.ts';
import type { Push } from './schema.ts';
import { amount, methodKey, orderId, type Parsed, parse, requestId, textUpTo } from './wire-fields.ts';

const PREFIX = '351#';

const createBody = z
  .object({
    mbWayKey: methodKey('mbWayKey'),
    orderId,
    amount,
    mobileNumber: z
      .string('mobileNumber is missing')
      .regex(/^351#9\d{8}$/, 'mobileNumber must look like 351#912345678'),
    email: textUpTo('email', 100),
    description: textUpTo('description', 100),
  })
  .transform(
    (body): PushOrder => ({
      acquirer: 'ifthenpay',
      mbway_key: body.mbWayKey,
      order_id: body.orderId,
      amount_cents: body.amount,
      phone_number: body.mobileNumber.slice(PREFIX.length),
      description: body.description ?? '',
    }),
  );

export const readPushRequest = (body: unknown): Parsed<PushOrder> => parse(createBody, body);

/** A push as the service asks for it. */
export type PushOrder = Pick<
  Push,
  'acquirer' | 'mbway_key' | 'order_id' | 'amount_cents' | 'phone_number' | 'description'
>;

/** Creates a push with new ids. Where the create is not answered, an action that follows the answer is due immediately. */
export function createPush(
  context: SandboxContext,
  order: PushOrder,
  hangs: boolean,
  newIds: () => Pick<Push, 'request_id' | 'reference'>,
): Push {
  const now = context.clock.now();
  const { act, afterMs, answerLost } = testPhone(order.phone_number, context);
  const delayMs = afterMs ?? (hangs || answerLost ? 0 : null);
  // A push without an answer from the customer expires, which only EuPago announces.
  const planned =
    act === undefined && order.acquirer === 'eupago'
      ? { action: 'expire' as const, action_at: now + context.mbwayWindowMs }
      : { action: act ?? null, action_at: act === undefined || delayMs === null ? null : now + delayMs };
  const times = { created_at: now, updated_at: now };
  for (;;) {
    const push = context.store.insertPush({ ...order, ...newIds(), state: 'pending', ...times, ...planned });
    // An id exists already: generate others.
    if (push === null) continue;
    if (push.action_at !== null) context.wakePhones();
    return push;
  }
}

const ANSWERS = {
  paid: { Status: '000', Message: 'Success' },
  rejected: { Status: '020', Message: 'Rejected by the user' },
  expired: { Status: '101', Message: 'Expired' },
  declined: { Status: '122', Message: 'Declined' },
  pending: { Status: '123', Message: 'Pending' },
} as const;

/** The state of a push. A pending push whose window has passed is expired. */
export function stateOf(context: SandboxContext, push: Push): keyof typeof ANSWERS {
  const isOver = context.clock.now() >= push.created_at + context.mbwayWindowMs;
  return push.state === 'pending' && isOver ? 'expired' : push.state;
}

const statusQuery = z.object({ mbWayKey: methodKey('mbWayKey'), requestId });

/** The answer to GET /spg/payment/mbway/status. */
export function pushStatus(context: SandboxContext, query: unknown): Record<string, unknown> {
  const parsed = parse(statusQuery, query);
  if (!parsed.ok) return failure('999', parsed.message, '');
  const push = context.store.pushByRequest(parsed.value.requestId);
  if (push === undefined || push.mbway_key !== parsed.value.mbWayKey) {
    // The code of a pending push, because a caller must not treat this as final.
    return failure('123', 'Request not found', parsed.value.requestId);
  }
  const state = stateOf(context, push);
  const updatedAt = state === 'expired' ? push.created_at + context.mbwayWindowMs : push.updated_at;
  return {
    CreatedAt: lisbonText(push.created_at),
    ...ANSWERS[state],
    RequestId: push.request_id,
    UpdateAt: lisbonText(updatedAt),
  };
}

function failure(status: string, message: string, requestId: string): Record<string, unknown> {
  return { CreatedAt: '', Message: message, RequestId: requestId, Status: status, UpdateAt: '' };
}
