import { z } from 'zod';
import { lisbonText } from '../kernel/lisbon.ts';
import type { SandboxContext } from './context.ts';
import { testPhone } from './phones.ts';
import type { Push } from './schema.ts';
import {
  amount,
  methodKey,
  newRequestId,
  orderId,
  type Parsed,
  parse,
  requestId,
  textUpTo,
} from './wire-fields.ts';

const PREFIX = '351#';

const createBody = z.object({
  mbWayKey: methodKey('mbWayKey'),
  orderId,
  amount,
  mobileNumber: z
    .string('mobileNumber is missing')
    .regex(/^351#9\d{8}$/, 'mobileNumber must look like 351#912345678'),
  email: textUpTo('email', 100),
  description: textUpTo('description', 100),
});

export type PushRequest = z.output<typeof createBody>;

export const readPushRequest = (body: unknown): Parsed<PushRequest> => parse(createBody, body);

export const phoneOf = (request: PushRequest) => request.mobileNumber.slice(PREFIX.length);

/** Creates a push. With `unanswered`, an action that follows the answer is due immediately. */
export function createPush(context: SandboxContext, request: PushRequest, unanswered: boolean): Push {
  const now = context.clock.now();
  const { act, afterMs } = testPhone(phoneOf(request), context);
  const delayMs = afterMs ?? (unanswered ? 0 : null);
  for (;;) {
    const push = context.store.insertPush({
      acquirer: 'ifthenpay',
      request_id: newRequestId(context.random),
      mbway_key: request.mbWayKey,
      order_id: request.orderId,
      amount_cents: request.amount,
      phone_number: phoneOf(request),
      description: request.description ?? '',
      reference: '',
      state: 'pending',
      created_at: now,
      updated_at: now,
      action: act ?? null,
      action_at: act === undefined || delayMs === null ? null : now + delayMs,
    });
    // The request id exists already: generate another.
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
