import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { activate } from './activate.ts';
import {
  cutConnection,
  garbage,
  inquiryFault,
  leaveHanging,
  serverError,
  spelling,
  throwDice,
} from './answers.ts';
import type { SandboxContext } from './context.ts';
import { createPush, phoneOf, readPushRequest } from './create-push.ts';
import { createReference, readReferenceRequest } from './create-reference.ts';
import { CREATE_FAULTS, takeFault } from './faults.ts';
import { selfActing } from './phones.ts';
import { pushStatus } from './push-status.ts';
import { readPayments } from './read-payments.ts';
import { numericEntity } from './record.ts';
import { refund } from './refund.ts';
import { answerPush } from './settle.ts';
import type { Push } from './store.ts';

/** The acquirer's own calls. Business failures are HTTP 200: the caller decides by Status or Code. */
export function wireRoutes(app: FastifyInstance, context: SandboxContext): void {
  app.post('/spg/payment/mbway', (request, reply) => mbway(context, request, reply));
  app.post('/multibanco/reference/init', (request, reply) => multibanco(context, request, reply));
  app.post('/multibanco/reference/sandbox', (request, reply) => multibanco(context, request, reply));
  app.get('/spg/payment/mbway/status', (request, reply) =>
    inquiryFault(context, reply) ? reply : reply.send(pushStatus(context, request.query)),
  );
  app.post('/v2/payments/read', (request, reply) =>
    inquiryFault(context, reply) ? reply : reply.send(readPayments(context, request.body)),
  );
  app.post('/v2/payments/refund', (request, reply) => reply.send(refund(context, request.body)));
  app.post('/api/endpoint/callback/activation', (request, reply) =>
    reply.type('text/plain').send(activate(context, request.body)),
  );
}

/** Plays a fault that leaves nothing behind at the bank; `hang` and null go on. */
function refuse(fault: Exclude<(typeof CREATE_FAULTS)[number], 'hang'>, reply: FastifyReply): FastifyReply {
  switch (fault) {
    case 'refuse':
      cutConnection(reply);
      return reply;
    case 'error500':
      return serverError(reply);
    case 'garbage':
      return garbage(reply);
  }
}

function mbway(context: SandboxContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = takeFault(context.db, CREATE_FAULTS);
  if (fault !== null && fault !== 'hang') return refuse(fault, reply);
  const parsed = readPushRequest(request.body);
  if (!parsed.ok) return reply.send(pushRefusal('999', parsed.message, request.body));
  const self = selfActing(phoneOf(parsed.value), context);
  if (self?.unknown) return reply.send(pushRefusal('113', 'Phone number unknown to MB WAY', request.body));

  const silent = fault === 'hang' || self?.answerLost === true;
  const push = createPush(context, parsed.value, silent);
  context.log(`push ${push.requestId} to ${push.phoneNumber}${silent ? ', left unanswered' : ''}`);
  if (silent) {
    leaveHanging(reply);
    return reply;
  }
  if (push.action !== null && push.actionAt === null) actOnceAnswered(context, reply, push, push.action);
  const spelt = spelling(throwDice(context.random), push.amount, push.orderId);
  return reply.send({ ...spelt, Message: 'Pending', RequestId: push.requestId, Status: '000' });
}

/** The phone answers when the create's answer has left (or its reader has gone), never before. */
function actOnceAnswered(
  context: SandboxContext,
  reply: FastifyReply,
  push: Push,
  act: NonNullable<Push['action']>,
): void {
  reply.raw.once('close', () => {
    if (context.db.open) answerPush(context, push, act);
  });
}

function pushRefusal(status: string, message: string, body: unknown): Record<string, unknown> {
  const { orderId = '', amount = '' } = (body ?? {}) as { orderId?: unknown; amount?: unknown };
  return { Amount: amount, Message: message, OrderId: orderId, RequestId: '', Status: status };
}

function multibanco(context: SandboxContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = takeFault(context.db, CREATE_FAULTS);
  if (fault !== null && fault !== 'hang') return refuse(fault, reply);
  const parsed = readReferenceRequest(request.body);
  if (!parsed.ok) return reply.send({ Message: parsed.message, RequestId: '', Status: '-1' });
  const reference = createReference(context, parsed.value);
  context.log(`reference ${reference.entity} ${reference.reference}${fault ? ', left unanswered' : ''}`);
  if (fault === 'hang') {
    leaveHanging(reply);
    return reply;
  }
  const dice = throwDice(context.random);
  return reply.send({
    ...spelling(dice, reference.amount, reference.orderId),
    Entity: numericEntity(reference.entity, dice),
    ExpiryDate: reference.expiryDate,
    Message: 'Success',
    Reference: reference.reference,
    RequestId: reference.requestId,
    Status: '0',
  });
}
