import { z } from 'zod';
import { lisbonText } from '../kernel/lisbon.ts';
import type { SandboxContext } from './context.ts';
import { type Push, pushByRequest } from './store.ts';
import { methodKey, parse } from './wire-fields.ts';

const query = z.object({
  mbWayKey: methodKey('mbWayKey'),
  requestId: z.string('requestId is missing').min(1, 'requestId is missing'),
});

const WORDS = {
  paid: { Status: '000', Message: 'Success' },
  rejected: { Status: '020', Message: 'Rejected by the user' },
  expired: { Status: '101', Message: 'Expired' },
  declined: { Status: '122', Message: 'Declined' },
  pending: { Status: '123', Message: 'Pending' },
} as const;

/** The state that everybody outside sees: a push that nobody answered within its window has expired. */
export function visibleState(context: SandboxContext, push: Push): keyof typeof WORDS {
  const over = context.clock.now() >= push.createdAt + context.mbwayWindowMs;
  return push.state === 'pending' && over ? 'expired' : push.state;
}

/** The answer to GET /spg/payment/mbway/status. */
export function pushStatus(context: SandboxContext, input: unknown): Record<string, unknown> {
  const parsed = parse(query, input);
  if (!parsed.ok) return failure('999', parsed.message, '');
  const push = pushByRequest(context.db, parsed.value.requestId);
  if (push === undefined || push.mbwayKey !== parsed.value.mbWayKey) {
    // The same code as a pending push: a reader must not take it for an end.
    return failure('123', 'Request not found', parsed.value.requestId);
  }
  const state = visibleState(context, push);
  const updatedAt = state === 'expired' ? push.createdAt + context.mbwayWindowMs : push.updatedAt;
  return {
    CreatedAt: lisbonText(push.createdAt),
    ...WORDS[state],
    RequestId: push.requestId,
    UpdateAt: lisbonText(updatedAt),
  };
}

function failure(status: string, message: string, requestId: string): Record<string, unknown> {
  return { CreatedAt: '', Message: message, RequestId: requestId, Status: status, UpdateAt: '' };
}
