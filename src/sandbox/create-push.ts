import { z } from 'zod';
import type { SandboxContext } from './context.ts';
import { selfActing } from './phones.ts';
import { insertPush, type Push, pushById } from './store.ts';
import { firstFree, requestIdText } from './tokens.ts';
import { amount, methodKey, orderId, type Parsed, parse, textUpTo } from './wire-fields.ts';

const body = z.object({
  mbWayKey: methodKey('mbWayKey'),
  orderId,
  amount,
  mobileNumber: z
    .string('mobileNumber is missing')
    .regex(/^351#9\d{8}$/, 'mobileNumber must look like 351#912345678'),
  email: textUpTo('email', 100),
  description: textUpTo('description', 100),
});

export type PushRequest = z.output<typeof body>;

export function readPushRequest(input: unknown): Parsed<PushRequest> {
  return parse(body, input);
}

export const phoneOf = (request: PushRequest) => request.mobileNumber.slice('351#'.length);

/**
 * Takes a push on. What its phone does at once waits for the answer to the create, unless `unanswered` says that
 * none will come.
 */
export function createPush(context: SandboxContext, request: PushRequest, unanswered: boolean): Push {
  const now = context.clock.now();
  const phoneNumber = phoneOf(request);
  const self = selfActing(phoneNumber, context);
  const delay = self?.when === 'answered' ? (unanswered ? 0 : null) : (self?.when ?? null);
  const id = firstFree(() =>
    insertPush(context.db, {
      requestId: requestIdText(context.random),
      mbwayKey: request.mbWayKey,
      orderId: request.orderId,
      amount: request.amount,
      phoneNumber,
      description: request.description ?? '',
      state: 'pending',
      createdAt: now,
      updatedAt: now,
      action: self?.act ?? null,
      actionAt: delay === null ? null : now + delay,
    }),
  );
  if (delay !== null) context.wakePhones();
  return pushById(context.db, id) as Push;
}
