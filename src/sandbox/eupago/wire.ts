import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { dayAfter } from '../../kernel/lisbon.ts';
import { eurosFromCents } from '../../kernel/money.ts';
import type { SandboxContext } from '../context.ts';
import { createPush, stateOf } from '../mbway.ts';
import { createReference } from '../multibanco.ts';
import { feeOf, rowsOf, terminalOf } from '../record.ts';
import type { Payment, Push, Reference } from '../schema.ts';
import { answerFault, answerInquiry, finishCreate, leaveHanging } from '../wire.ts';
import { readPushRequest, readReferenceRequest } from './creates.ts';
import { fiveDecimals, localTime, newNumber } from './notifications.ts';
import { refund, refundState } from './refunds.ts';

const TOKEN_SECONDS = 432_000;
const TOKEN_BYTES = 20;
/** How far back the list of payments goes. */
const LISTED_MS = 90 * 86_400_000;
const FORM_BYTES_MAX = 16 * 1024;

const STATES = {
  pending: 'pendente',
  paid: 'paga',
  returned: 'devolvida',
  rejected: 'cancelada',
  declined: 'erro',
  expired: 'expirada',
} as const;

/** EuPago's calls. The documented /multibanco/info does not exist, as at EuPago. */
export function eupagoRoutes(app: FastifyInstance, context: SandboxContext): void {
  app.register(async (scope) => {
    // The older calls and the token accept forms. A form of another site has no key.
    const options = { parseAs: 'string', bodyLimit: FORM_BYTES_MAX } as const;
    scope.addContentTypeParser('application/x-www-form-urlencoded', options, (_request, body, done) =>
      done(null, Object.fromEntries(new URLSearchParams(String(body)))),
    );
    scope.post('/api/v1.02/mbway/create', (request, reply) => createMbway(context, request, reply));
    scope.post('/clientes/rest_api/multibanco/create', (request, reply) =>
      createMultibanco(context, request, reply),
    );
    scope.post('/clientes/rest_api/multibanco/info', (request, reply) =>
      answerInquiry(context, reply, () => referenceInfo(context, request.body)),
    );
    scope.post('/api/auth/token', (request, reply) => giveToken(context, request.body, reply));
    managementRoutes(scope, context);
  });
}

/** The calls that need a token. */
function managementRoutes(scope: FastifyInstance, context: SandboxContext): void {
  const read = (path: string, answer: (clientId: string, request: FastifyRequest) => object) =>
    scope.get(`/api/management/v1.02${path}`, (request, reply) =>
      managed(context, request, reply, (clientId) =>
        answerInquiry(context, reply, () => answer(clientId, request)),
      ),
    );
  read('/references/info', (clientId, { query }) => foundReferences(context, clientId, query));
  read('/transactions', (clientId, { query }) => transactions(context, clientId, query));
  read('/refund/:refundId', (clientId, { params }) =>
    refundState(context, clientId, (params as { refundId: string }).refundId),
  );
  scope.post('/api/management/v1.02/refund/:trid', (request, reply) =>
    managed(context, request, reply, (clientId) => refund(context, clientId, request, reply)),
  );
}

function createMbway(context: SandboxContext, request: FastifyRequest, reply: FastifyReply): FastifyReply {
  const fault = answerFault(context, reply);
  if (fault === 'answered') return reply;
  const apiKey = /^ApiKey (\S+)$/.exec(request.headers.authorization ?? '')?.[1];
  if (apiKey === undefined) return rejected(reply, 401, 'APIKEY_MISSING', 'The API key is missing');
  if (context.store.eupago.account(apiKey) === undefined)
    return rejected(reply, 401, 'APIKEY_INVALID', 'The API key is unknown');
  const read = readPushRequest(context, apiKey, request.body);
  if (!read.ok) return rejected(reply, 400, read.code, read.text);
  const push = createPush(context, read.value, fault === 'hang', () => newIds(context, 8));
  if (!finishCreate(context, reply, push, fault === 'hang')) return reply;
  return reply.code(201).send({
    transactionStatus: 'Success',
    transactionID: push.request_id,
    reference: push.reference,
  });
}

/** The transaction id, and the reference, by which a push is inquired too. */
function newIds({ random }: SandboxContext, digits: number) {
  return { request_id: random(16).toString('hex'), reference: newNumber(random, digits) };
}

function rejected(reply: FastifyReply, status: number, code: string, text: string): FastifyReply {
  return reply.code(status).send({ transactionStatus: 'Rejected', code, text });
}

function createMultibanco(
  context: SandboxContext,
  { body }: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const fault = answerFault(context, reply);
  if (fault === 'answered') return reply;
  const read = readReferenceRequest(context, body);
  if (!read.ok) return reply.send({ sucesso: false, estado: read.state, resposta: read.text });
  const created = createReference(context, read.value, fault === 'hang', () => newIds(context, 9));
  if (fault === 'hang') return leaveHanging(reply);
  const value = String(eurosFromCents(created.amount_cents));
  return reply.send({
    sucesso: true,
    estado: 0,
    resposta: 'OK',
    referencia: created.reference,
    valor: fiveDecimals(created.amount_cents),
    entidade: created.entity,
    valor_minimo: value,
    valor_maximo: value,
    data_inicio: localTime(created.created_at)[0],
    data_fim: created.expiry_date,
  });
}

/** One reference of either method with its payments. Errors have status 200 too. */
function referenceInfo(context: SandboxContext, input: unknown): Record<string, unknown> {
  const { chave, referencia } = (input ?? {}) as Record<string, unknown>;
  const apiKey = String(chave ?? '');
  const { eupago } = context.store;
  if (eupago.account(apiKey) === undefined)
    return { sucesso: false, estado: -10, resposta: 'Chave inválida' };
  const number = String(referencia ?? '').replaceAll(' ', '');
  const found = eupago.push(apiKey, number) ?? eupago.reference(apiKey, number);
  if (found === undefined) return { sucesso: false, estado: -11, resposta: 'Pagamento não encontrado' };
  const payments = eupago.paymentsOf(apiKey, number);
  const [day, time] = localTime(found.created_at);
  return {
    entidade: null,
    referencia: number,
    identificador: found.order_id,
    estado: 0,
    data_criacao: day,
    hora_criacao: time,
    estado_referencia: stateName(context, found),
    ...(payments.length === 0
      ? { arquivada: false }
      : { pagamentos: payments.flatMap((one) => recordedRows(context, one)).map(paymentRow) }),
    sucesso: true,
    resposta: 'OK',
  };
}

interface RecordedRow {
  payment: Payment;
  trid: string;
  /** `"10.00000"` */
  amount: string;
  at: number;
  state: string;
}

function recordedRows(context: SandboxContext, payment: Payment): RecordedRow[] {
  const { request_id: trid, paid_at: at } = payment;
  return rowsOf<RecordedRow>(context, payment, {
    payment: (amount) => ({ payment, trid, amount: fiveDecimals(amount), at, state: 'paga' }),
    refund: ({ id, amount_cents, refunded_at }, sign) => ({
      payment,
      trid: `${trid}${id}`,
      amount: sign + fiveDecimals(amount_cents),
      at: refunded_at,
      state: 'paga',
    }),
    returned: (row) => ({ ...row, state: 'devolvida' }),
  });
}

function paymentRow({ payment, trid, amount, at, state }: RecordedRow): Record<string, unknown> {
  const [day, time] = localTime(at);
  return {
    trid: Number(trid),
    estado: state,
    valor: amount,
    comissao: fiveDecimals(feeOf(payment)),
    arquivada: false,
    data_pagamento: day,
    hora_pagamento: time,
    local_pagamento: null,
    data_previsao_transferencia: dayAfter(day, 2),
  };
}

function stateName(context: SandboxContext, found: Push | Reference): string {
  if ('phone_number' in found) return STATES[stateOf(context, found)];
  const payments = context.store.eupago.paymentsOf(found.mb_key, found.reference);
  if (payments.length > 0)
    return payments.every((one) => one.refunded_cents === one.amount_cents) ? STATES.returned : STATES.paid;
  return localTime(context.clock.now())[0] > found.expiry_date ? STATES.expired : STATES.pending;
}

function giveToken(
  { store, clock, random }: SandboxContext,
  input: unknown,
  reply: FastifyReply,
): FastifyReply {
  const { grant_type, client_id, client_secret } = (input ?? {}) as Record<string, unknown>;
  const clientId = String(client_id ?? '');
  if (grant_type !== 'client_credentials' || !store.eupago.isClient(clientId, String(client_secret ?? '')))
    return rejected(reply, 401, 'CREDENTIALS_INVALID', 'The client is unknown');
  const token = Buffer.from(random(TOKEN_BYTES)).toString('hex');
  store.eupago.insertToken(token, clientId, clock.now(), clock.now() + TOKEN_SECONDS * 1000);
  return reply.send({
    transactionStatus: 'Success',
    access_token: token,
    token_type: 'Bearer',
    expires_in: TOKEN_SECONDS,
  });
}

/** Answers a call of the management API, which needs a token. */
function managed(
  context: SandboxContext,
  request: FastifyRequest,
  reply: FastifyReply,
  answer: (clientId: string) => FastifyReply,
): FastifyReply {
  const token = /^Bearer (\S+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const clientId = context.store.eupago.clientOf(token, context.clock.now());
  if (clientId === undefined)
    return rejected(reply, 401, 'TOKEN_INVALID', 'The token is unknown or has lapsed');
  return answer(clientId);
}

function foundReferences(context: SandboxContext, clientId: string, query: unknown): object {
  const { identifier, reference } = query as Record<string, unknown>;
  const column = identifier === undefined ? 'reference' : 'order_id';
  const rows = context.store.eupago.found(clientId, column, String(identifier ?? reference ?? ''));
  const referenceList = rows.map((found) => ({
    reference: found.reference,
    entity: 'entity' in found ? found.entity : null,
    amount: fiveDecimals(found.amount_cents),
    // The real bank sends a Z although the time is Lisbon time.
    datetime: `${localTime(found.created_at).join('T')}Z`,
    status: stateName(context, found),
    identifier: found.order_id,
  }));
  return { transactionStatus: 'Success', referenceList };
}

/** Received payments, newest first. The sandbox never transfers money, so none has that state. */
function transactions(context: SandboxContext, clientId: string, query: unknown): object {
  const { status } = query as Record<string, unknown>;
  const payments =
    status === STATES.paid
      ? context.store.eupago.paymentsSince(clientId, context.clock.now() - LISTED_MS)
      : [];
  const rows = payments.flatMap((payment) => recordedRows(context, payment));
  const dice = context.random(Math.max(1, rows.length));
  const transactionList = rows.map(({ payment, trid, amount, at, state }, i) => ({
    trid,
    entity: payment.entity === 'MBWAY' ? null : payment.entity,
    reference: payment.reference,
    amount: (dice[i] ?? 0) & 1 ? amount : Number(amount),
    identifier: payment.order_id,
    datePayment: localTime(at).join(' '),
    dateTransfer: null,
    status: state,
    local: payment.entity === 'MBWAY' ? null : terminalOf(payment),
    serviceCost: null,
  }));
  return { transactionStatus: 'Success', transactionList };
}
