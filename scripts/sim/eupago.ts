import type { Answer, Question } from '../../src/banks/exchange.ts';
import { dayAfter, lisbonDay, lisbonDayStart, lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import { fiveDecimals, localTime } from '../../src/sandbox/eupago/notifications.ts';
import { accountOf } from './accounts.ts';
import type { TrueMoney, TruePush, TrueReference } from './bank-state.ts';
import { BankWire, json, type Reply } from './wire.ts';

const TOKEN_SECONDS = 3600;
const STATES = {
  paid: 'paga',
  rejected: 'cancelada',
  declined: 'erro',
  waiting: 'pendente',
  expired: 'expirada',
};

/** The members of requests that the simulation reads. */
interface Body {
  payment: { identifier: string; amount: { value: number }; customerPhone: string };
  chave: string;
  id: string;
  valor: number;
  data_fim: string;
  referencia: string;
  amount: number;
}

/** EuPago as its adapter reaches it: one process's requests, answered from the bank's state. */
export class EupagoWire extends BankWire {
  protected readonly acquirer = 'eupago';

  once(question: Question): Promise<Answer> {
    const path = new URL(question.url).pathname;
    if (path.includes('/refund/')) return this.#refund(question, path.split('/').at(-1) ?? '');
    return path.endsWith('/mbway/create') ? this.#createPush(question) : this.#createReference(question);
  }

  #createPush(question: Question): Promise<Answer> {
    const { payment } = bodyOf(question);
    const apiKey = question.headers?.authorization?.replace('ApiKey ', '') ?? '';
    const order = { bankOrderId: payment.identifier, amount: centsOf(payment.amount.value) };
    return this.create('push', order, (refused) => {
      if (refused !== null) {
        const code = refused === 'phone-unknown' ? 'CUSTOMERPHONE_INVALID' : 'BAD_REQUEST';
        return json(400, { transactionStatus: 'Rejected', code, text: 'simulated' });
      }
      const account = accountOf(this.acquirer, apiKey);
      const push = this.world.bank.addPush(account, { ...order, phoneNumber: payment.customerPhone });
      return json(201, { transactionStatus: 'Success', transactionID: 'x', reference: push.requestId });
    });
  }

  #createReference(question: Question): Promise<Answer> {
    const body = bodyOf(question);
    const order = { bankOrderId: body.id, amount: centsOf(body.valor) };
    return this.create('reference', order, (refused) => {
      if (refused !== null) return json(200, { sucesso: false, estado: -9, resposta: 'Valores incorretos' });
      const expiresAt = lisbonEndOfDay(lisbonDayStart(body.data_fim) ?? 0);
      const account = accountOf(this.acquirer, body.chave);
      const { entity, reference } = this.world.bank.addReference(account, { ...order, expiresAt });
      return json(200, {
        sucesso: true,
        estado: 0,
        resposta: 'OK',
        entidade: entity,
        referencia: reference,
        valor: fiveDecimals(order.amount),
        data_fim: body.data_fim,
      });
    });
  }

  #refund(question: Question, paymentId: string): Promise<Answer> {
    const amount = centsOf(bodyOf(question).amount);
    return this.refund({ paymentId, amount, listKey: clientOf(question) }, (outcome) => {
      if (outcome.kind === 'refused') {
        const code = outcome.reason === 'INSUFFICIENT_FUNDS' ? outcome.reason : 'BAD_REQUEST';
        return json(400, { transactionStatus: 'Rejected', code, text: outcome.reason });
      }
      const [refundId, status] =
        outcome.kind === 'accepted' ? [outcome.refundId, 'Pendente'] : ['0', 'Reembolsado'];
      return json(200, { transactionStatus: 'Success', refundId, status });
    });
  }

  protected reply(question: Question, askedByService: number): Reply {
    const { pathname: path, searchParams: query } = new URL(question.url);
    if (path.endsWith('/token')) {
      const access_token = `${question.form?.client_id}.${this.world.time.now}`;
      return json(200, { transactionStatus: 'Success', access_token, expires_in: TOKEN_SECONDS });
    }
    if (path.endsWith('/multibanco/info')) return this.#info(bodyOf(question), askedByService);
    // The bank may revoke a token early.
    if (this.prng.chance(this.world.faults.question / 5))
      return json(401, { transactionStatus: 'Rejected', code: 'TOKEN_INVALID' });
    const clientId = clientOf(question);
    if (path.endsWith('/references/info'))
      return this.#find(clientId, query.get('identifier') ?? '', askedByService);
    return path.includes('/refund/')
      ? this.#refundState(path.split('/').at(-1) ?? '')
      : this.#transactions(clientId, query.get('status'));
  }

  /** Returns one reference with its payments. The response is evidence, unless a row is unreadable. */
  #info({ chave: apiKey, referencia: reference }: Body, askedByService: number): Reply {
    const { bank, time } = this.world;
    const found = this.#known().find((one) => one.methodKey === apiKey && one.requestId === reference);
    if (found === undefined) return json(200, { sucesso: false, estado: -11, resposta: 'não encontrado' });
    const rows = this.listed()
      .filter((row) => row.paidOrderId === found.orderId)
      .map((row) => this.#paymentRow(row));
    const isExpired = 'expiresAt' in found && time.now > found.expiresAt;
    const ofReference = rows.length > 0 ? 'paid' : isExpired ? 'expired' : 'waiting';
    const state = 'phone' in found ? this.stateOf(found) : ofReference;
    const proof = () => {
      const { orderId: bankOrderId, requestId } = found;
      if (rows.length === 0 && (state === 'waiting' || state === 'expired'))
        bank.inquiries.push({ requestId, askedByService, answer: 'waiting' });
      const clear = rows.every(({ valor }) => valor !== null);
      // The reference itself is a row.
      bank.lists.push({ filter: { bankOrderId }, askedByService, clear, rows: rows.length + 1 });
    };
    const answer = json(200, {
      sucesso: true,
      estado: 0,
      resposta: 'OK',
      referencia: reference,
      identificador: found.orderId,
      estado_referencia: STATES[state],
      ...(rows.length === 0 ? {} : { pagamentos: rows }),
    });
    return { ...answer, proof };
  }

  #find(clientId: string, identifier: string, askedByService: number): Reply {
    const found = this.#known().filter((one) => one.listKey === clientId && one.orderId === identifier);
    const referenceList = found.map((one) => ({
      identifier,
      reference: one.requestId,
      amount: fiveDecimals(one.amount),
      entity: 'phone' in one ? null : one.entity,
    }));
    const proof = () => {
      if (found.length === 0) this.world.bank.absences.push({ orderId: identifier, askedByService });
    };
    return { ...json(200, { transactionStatus: 'Success', referenceList }), proof };
  }

  /** Received payments; after their transfer they have another state. */
  #transactions(clientId: string, status: string | null): Reply {
    const transactionList = this.listed()
      .filter((row) => row.listKey === clientId && stateOfMoney(row) === status)
      .map((row) => ({
        trid: row.paymentId,
        amount: this.#told(row),
        identifier: row.orderId,
        status,
        entity: row.method === 'MBWAY' ? null : row.entity,
        reference: row.reference ?? row.requestId,
        datePayment: localTime(row.paidAt).join(' '),
        dateTransfer: null,
      }));
    return json(200, { transactionStatus: 'Success', transactionList });
  }

  #refundState(bankRefundId: string): Reply {
    const { kind } = this.world.bank.refunds.stateOf(bankRefundId);
    const status = { done: 'Reembolsado', refused: 'Recusado', waiting: 'Pendente' }[kind];
    return json(200, { transactionStatus: 'Success', refundList: [{ status }] });
  }

  #paymentRow(row: TrueMoney) {
    const [day, time] = localTime(row.paidAt);
    return {
      trid: Number(row.paymentId),
      estado: stateOfMoney(row),
      valor: this.#told(row),
      comissao: '0.12300',
      data_pagamento: day,
      hora_pagamento: time,
      data_previsao_transferencia: dayAfter(lisbonDay(row.paidAt), 2),
    };
  }

  /** The amount as text or as a number; null when it is unreadable. */
  #told({ amount }: TrueMoney): string | number | null {
    if (this.prng.chance(this.world.faults.unreadableRow)) return null;
    return this.prng.chance(0.5) ? fiveDecimals(amount) : amount / 100;
  }

  #known(): (TruePush | TrueReference)[] {
    const { pushes, references } = this.world.bank;
    return [...pushes, ...references].filter(({ acquirer }) => acquirer === 'eupago');
  }
}

function bodyOf({ json }: Question): Body {
  return json as unknown as Body;
}

function centsOf(euros: number) {
  return cents(Math.round(euros * 100));
}

/** The client of a token. */
function clientOf({ headers }: Question): string {
  return headers?.authorization?.replace('Bearer ', '').split('.')[0] ?? '';
}

function stateOfMoney({ paymentId }: TrueMoney): 'paga' | 'transferida' {
  return Number(paymentId) % 4 === 0 ? 'transferida' : 'paga';
}
