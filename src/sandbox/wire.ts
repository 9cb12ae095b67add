import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { errorText } from '../kernel/errors.ts';
import { type Cents, decimalFromCents, eurosFromCents } from '../kernel/money.ts';
import { randomText } from '../kernel/random.ts';
import { activate } from './callbacks.ts';
import { CREATE_FAULTS, INQUIRY_FAULTS, REFUND_FAULTS, type SandboxContext } from './context.ts';
import { createPush, pushStatus, readPushRequest } from './mbway.ts';
import { createReference, readReferenceRequest } from './multibanco.ts';
import { testPhone } from './phones.ts';
import { entitySpelling, readPayments } from './record.ts';
import { giveBack } from './refunds.ts';
import type { Push } from './schema.ts';
import { answerPush } from './settle.ts';
import { amount, backofficeKey, newRequestId, parse, requestId } from './wire-fields.ts';

/** The paths of the refund call in the bank's documentation. */
const REFUND_PATHS = [
  '/v2/payments/refund',
  '/endpoint/payments/refund',
  '/api/endpoint/payments/refund',
] as const;

/** ifthenpay's calls. A refusal is HTTP 200 with a Status or Code. */
export function wireRoutes(app: FastifyInstance, context: SandboxContext): void {
  app.post('/spg/payment/mbway', (request, reply) => createMbway(context, request, reply));
  for (const path of ['/multibanco/reference/init', '/multibanco/reference/sandbox']) {
    app.post(path, (request, reply) => createMultibanco(context, request, reply));
  }
  app.get('/spg/payment/mbway/status', (request, reply) =>
    answerInquiry(context, reply, () => pushStatus(context, request.query)),
  );
  app.post('/v2/payments/read', (request, reply) =>
    answerInquiry(context, reply, () => readPayments(context, request.body)),
  );
  for (const path of REFUND_PATHS) app.post(path, (request, reply) => refund(context, request, reply));
  app.post('/api/endpoint/callback/activation', (request, reply) =>
    reply.type('text/plain').send(activate(context, request.body)),
  );
}

function createMbway(context: SandboxContext, { body }: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = answerFault(context, reply);
  if (fault === 'answered') return reply;
  const parsed = readPushRequest(body);
  if (!parsed.ok) return reply.send(pushRefusal('999', parsed.message, body));
  if (testPhone(parsed.value.phone_number, context).unknown)
    return reply.send(pushRefusal('113', 'Phone number unknown to MB WAY', body));

  const newIds = () => ({ request_id: newRequestId(context.random), reference: '' });
  const push = createPush(context, parsed.value, fault === 'hang', newIds);
  if (!finishCreate(context, reply, push, fault === 'hang')) return reply;
  const { request_id } = push;
  const spelt = spelling(diceOf(context), push.amount_cents, push.order_id);
  return reply.send({ ...spelt, Message: 'Pending', RequestId: request_id, Status: '000' });
}

function pushRefusal(status: string, message: string, body: unknown): Record<string, unknown> {
  const { orderId = '', amount = '' } = (body ?? {}) as { orderId?: unknown; amount?: unknown };
  return { Amount: amount, Message: message, OrderId: orderId, RequestId: '', Status: status };
}

function createMultibanco(
  context: SandboxContext,
  { body }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const fault = answerFault(context, reply);
  if (fault === 'answered') return reply;
  const parsed = readReferenceRequest(context, body);
  if (!parsed.ok) return reply.send({ Message: parsed.message, RequestId: '', Status: '-1' });
  const { random } = context;
  const newIds = () => ({ request_id: newRequestId(random), reference: randomText(random, 9, '0123456789') });
  const created = createReference(context, parsed.value, fault === 'hang', newIds);
  if (fault === 'hang') return leaveHanging(reply);
  const dice = diceOf(context);
  return reply.send({
    ...spelling(dice, created.amount_cents, created.order_id),
    Entity: entitySpelling(created.entity, dice),
    ExpiryDate: created.expiry_date,
    Message: 'Success',
    Reference: created.reference,
    RequestId: created.request_id,
    Status: '0',
  });
}

const refundBody = z.object({ backofficekey: backofficeKey('backofficekey'), requestId, amount });

/** Refunds an MB WAY payment, in full or in part, and announces it with a `DEVOLVIDO` callback. */
function refund(context: SandboxContext, { body }: FastifyRequest, reply: FastifyReply): FastifyReply {
  // The real bank sends the code as a number or as text.
  const answer = (code: number, Message: string) =>
    reply.send({ Code: diceOf(context) & 1 ? code : String(code), Message });
  const fault = context.store.takeFault(REFUND_FAULTS);
  if (fault === 'error500-refund') return serverError(reply);
  if (fault === 'insufficient-refund') return answer(-1, 'Insufficient funds');
  if (fault === 'refuse-refund') return answer(0, 'The refund was refused');
  const parsed = parse(refundBody, body);
  if (!parsed.ok) return answer(0, parsed.message);
  const { backofficekey, requestId, amount } = parsed.value;
  const [payment] = context.store.listPayments(backofficekey, { requestId }, 1);
  if (payment === undefined) return answer(0, 'No payment has this requestId');
  if (payment.entity !== 'MBWAY') return answer(0, 'Multibanco payments cannot be refunded');
  if (giveBack(context, payment, amount) === null)
    return answer(0, 'The amount exceeds the rest of the payment');
  return fault === 'hang-refund' ? leaveHanging(reply) : answer(1, 'Success');
}

/** Answers a read of the record, unless a fault is set. */
export function answerInquiry(
  context: SandboxContext,
  reply: FastifyReply,
  answer: () => object,
): FastifyReply {
  const fault = context.store.takeFault(INQUIRY_FAULTS);
  if (fault === 'hang-inquiry') return leaveHanging(reply);
  return fault === 'error500-inquiry' ? serverError(reply) : reply.send(answer());
}

/** Uses up the fault of a create and answers it, except for a create that is accepted and then hangs. */
export function answerFault({ store }: SandboxContext, reply: FastifyReply): 'answered' | 'hang' | null {
  const fault = store.takeFault(CREATE_FAULTS);
  if (fault === null || fault === 'hang') return fault;
  if (fault === 'error500') serverError(reply);
  else if (fault === 'garbage') reply.code(200).type('application/json').send('{"Amount":"1');
  else leaveHanging(reply).raw.socket?.resetAndDestroy();
  return 'answered';
}

/** Logs a push and plans the action after the answer. False when the reply hangs without an answer. */
export function finishCreate(
  context: SandboxContext,
  reply: FastifyReply,
  push: Push,
  hangs: boolean,
): boolean {
  const { action, action_at, request_id, phone_number } = push;
  const unanswered = hangs || testPhone(phone_number, context).answerLost === true;
  context.log(`push ${request_id} to ${phone_number}${unanswered ? ', not answered' : ''}`);
  if (unanswered) {
    leaveHanging(reply);
    return false;
  }
  if (action !== null && action_at === null) {
    reply.raw.once('close', () => {
      try {
        if (context.store.isOpen) answerPush(context, push, action);
      } catch (error) {
        // The next start makes the action due.
        context.log(`a test phone failed: ${errorText(error)}`);
      }
    });
  }
  return true;
}

/** Sends no answer: the connection stays open until the caller closes it or the sandbox stops. */
export function leaveHanging(reply: FastifyReply): FastifyReply {
  reply.hijack();
  return reply;
}

export function serverError(reply: FastifyReply): FastifyReply {
  return reply.code(500).type('text/plain').send('Internal Server Error');
}

/** A random byte that picks the spelling of an answer: the real bank's spellings vary. */
function diceOf({ random }: SandboxContext): number {
  return random(1)[0] ?? 0;
}

/** `Amount` as a number or as text, `OrderId` or `orderId`. */
function spelling(dice: number, amount: Cents, orderId: string): Record<string, unknown> {
  return {
    Amount: dice & 1 ? decimalFromCents(amount) : eurosFromCents(amount),
    [dice & 4 ? 'orderId' : 'OrderId']: orderId,
  };
}
