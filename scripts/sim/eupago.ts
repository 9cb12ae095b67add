import { type Answer, type BankHttp, NoConnection, type Question } from '../../src/banks/exchange.ts';
import { dayAfter, lisbonDay, lisbonDayStart, lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import { fiveDecimals, localTime } from '../../src/sandbox/eupago/notifications.ts';
import { channelOf } from './accounts.ts';
import type { SimBank } from './bank.ts';
import type { TrueAccount, TrueMoney, TruePush, TrueReference } from './bank-state.ts';
import { drawWay, exchange } from './exchange.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

const TOKEN_SECONDS = 3600;
const STATES = { paid: 'paga', rejected: 'cancelada', declined: 'erro' } as const;

/** An answer, and what it proves once it arrives. */
type Reply = Answer & { proof?: () => void };

/** What is read of the requests. */
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
export class EupagoWire implements BankHttp {
  readonly #world: World;
  readonly #bank: SimBank;
  readonly #service: Service;
  readonly #prng: Prng;

  constructor(world: World, bank: SimBank, service: Service, prng: Prng) {
    this.#world = world;
    this.#bank = bank;
    this.#service = service;
    this.#prng = prng;
  }

  async close(): Promise<void> {}

  /** A create or a refund. */
  once(question: Question): Promise<Answer> {
    const path = new URL(question.url).pathname;
    if (path.includes('/refund/')) return this.#refund(question, path.split('/').at(-1) ?? '');
    return path.endsWith('/mbway/create') ? this.#createPush(question) : this.#createReference(question);
  }

  /** A request that may be repeated. */
  ask(question: Question): Promise<Answer> {
    const world = this.#world;
    const { question: faults } = world.faults;
    const askedByService = world.serviceNow();
    return exchange<Reply>(this.#service, world, {
      name: nameOf(question),
      ...drawWay(world, this.#prng, faults),
      noAnswer,
      work: () => (this.#prng.chance(faults / 5) ? this.#garbage() : this.#reply(question, askedByService)),
      answered: ({ proof }) => proof?.(),
    });
  }

  #createPush(question: Question): Promise<Answer> {
    const { payment } = bodyOf(question);
    const apiKey = question.headers?.authorization?.replace('ApiKey ', '') ?? '';
    const order = { bankOrderId: payment.identifier, amount: centsOf(payment.amount.value) };
    return this.#create('push', order.bankOrderId, (refused) => {
      if (refused !== null) {
        const code = refused === 'phone-unknown' ? 'CUSTOMERPHONE_INVALID' : 'BAD_REQUEST';
        return json(400, { transactionStatus: 'Rejected', code, text: 'simulated' });
      }
      const account = accountOf(apiKey);
      const push = this.#bank.addPush(account, { ...order, phoneNumber: payment.customerPhone });
      return json(201, { transactionStatus: 'Success', transactionID: 'x', reference: push.requestId });
    });
  }

  #createReference(question: Question): Promise<Answer> {
    const body = bodyOf(question);
    const order = { bankOrderId: body.id, amount: centsOf(body.valor) };
    return this.#create('reference', body.id, (refused) => {
      if (refused !== null) return json(200, { sucesso: false, estado: -9, resposta: 'Valores incorretos' });
      const expiresAt = lisbonEndOfDay(lisbonDayStart(body.data_fim) ?? 0);
      const { entity, reference } = this.#bank.addReference(accountOf(body.chave), { ...order, expiresAt });
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

  #create(
    name: 'push' | 'reference',
    orderId: string,
    answer: (refused: 'phone-unknown' | 'other' | null) => Answer,
  ): Promise<Answer> {
    const isGarbled = this.#prng.chance(this.#world.faults.create / 5);
    this.#world.count(`eupago ${name}`);
    return this.#bank.create<Answer>(this.#service, {
      name,
      orderId,
      work: (refused) => {
        const readable = answer(refused?.reason ?? null);
        return isGarbled ? this.#garbage() : readable;
      },
      kindOf: ({ status, text }) => {
        if (isGarbled) return 'unknown';
        return status < 300 && !text.includes('"sucesso":false') ? 'accepted' : 'refused';
      },
      noAnswer: notSent,
    });
  }

  #refund(question: Question, paymentId: string): Promise<Answer> {
    const amount = centsOf(bodyOf(question).amount);
    const call = { acquirer: 'eupago', paymentId, amount, listKey: clientOf(question) } as const;
    return this.#bank.refunds.send<Answer>(this.#service, call, {
      told: (outcome) => {
        if (this.#prng.chance(this.#world.faults.refund / 5)) return this.#garbage();
        if (outcome.kind === 'refused') {
          const code = outcome.reason === 'INSUFFICIENT_FUNDS' ? outcome.reason : 'BAD_REQUEST';
          return json(400, { transactionStatus: 'Rejected', code, text: outcome.reason });
        }
        const [refundId, status] =
          outcome.kind === 'accepted' ? [outcome.refundId, 'Pendente'] : ['0', 'Reembolsado'];
        return json(200, { transactionStatus: 'Success', refundId, status });
      },
      noAnswer: notSent,
    });
  }

  #reply(question: Question, askedByService: number): Reply {
    const { pathname: path, searchParams: query } = new URL(question.url);
    if (path.endsWith('/token')) {
      const access_token = `${question.form?.client_id}.${this.#world.time.now}`;
      return json(200, { transactionStatus: 'Success', access_token, expires_in: TOKEN_SECONDS });
    }
    if (path.endsWith('/multibanco/info')) return this.#info(bodyOf(question), askedByService);
    // The bank may revoke a token early.
    if (this.#prng.chance(this.#world.faults.question / 5))
      return json(401, { transactionStatus: 'Rejected', code: 'TOKEN_INVALID' });
    const clientId = clientOf(question);
    if (path.endsWith('/references/info'))
      return this.#find(clientId, query.get('identifier') ?? '', askedByService);
    return path.includes('/refund/')
      ? this.#refundState(path.split('/').at(-1) ?? '')
      : this.#transactions(clientId, query.get('status'));
  }

  /** One reference with its payments. It proves what it shows, unless a row is unreadable. */
  #info({ chave, referencia }: Body, askedByService: number): Reply {
    const bank = this.#bank;
    const found = this.#known().find((one) => one.methodKey === chave && one.requestId === referencia);
    if (found === undefined) return json(200, { sucesso: false, estado: -11, resposta: 'não encontrado' });
    const rows = bank.money
      .filter((row) => row.paidOrderId === found.orderId && this.#shows(row))
      .map((row) => this.#paymentRow(row));
    const state = this.#stateOf(found, rows.length > 0);
    const proof = () => {
      const { orderId: bankOrderId, requestId } = found;
      if (rows.length === 0 && (state === 'pendente' || state === 'expirada'))
        bank.inquiries.push({ requestId, askedByService, answer: 'waiting' });
      const clear = rows.every(({ valor }) => valor !== null);
      // The reference itself is a row.
      bank.lists.push({ filter: { bankOrderId }, askedByService, clear, rows: rows.length + 1 });
    };
    const answer = json(200, {
      sucesso: true,
      estado: 0,
      resposta: 'OK',
      referencia,
      identificador: found.orderId,
      estado_referencia: state,
      ...(rows.length === 0 ? {} : { pagamentos: rows }),
    });
    return { ...answer, proof };
  }

  /** The references of an order id. */
  #find(clientId: string, identifier: string, askedByService: number): Reply {
    const found = this.#known().filter((one) => one.listKey === clientId && one.orderId === identifier);
    const referenceList = found.map((one) => ({
      identifier,
      reference: one.requestId,
      amount: fiveDecimals(one.amount),
      entity: 'phone' in one ? null : one.entity,
    }));
    const proof = () => {
      if (found.length === 0) this.#bank.absences.push({ orderId: identifier, askedByService });
    };
    return { ...json(200, { transactionStatus: 'Success', referenceList }), proof };
  }

  /** Received payments; after their transfer they have another state. */
  #transactions(clientId: string, status: string | null): Reply {
    const transactionList = this.#bank.money
      .filter((row) => row.acquirer === 'eupago' && row.listKey === clientId && this.#shows(row))
      .filter((row) => stateOfMoney(row) === status)
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
    const { kind } = this.#bank.refunds.stateOf(bankRefundId);
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
    if (this.#prng.chance(this.#world.faults.unreadableRow)) return null;
    return this.#prng.chance(0.5) ? fiveDecimals(amount) : amount / 100;
  }

  #stateOf(found: TruePush | TrueReference, isPaid: boolean): string {
    const { now } = this.#world.time;
    if (!('phone' in found)) return isPaid ? 'paga' : now > found.expiresAt ? 'expirada' : 'pendente';
    if (found.state !== 'waiting') return STATES[found.state];
    const { mbwayWindowMs } = this.#world.scenario.settings;
    return now > found.createdAt + mbwayWindowMs ? 'expirada' : 'pendente';
  }

  #shows({ shownFrom }: TrueMoney): boolean {
    return shownFrom <= this.#world.time.now;
  }

  #known(): (TruePush | TrueReference)[] {
    const { pushes, references } = this.#bank;
    return [...pushes, ...references].filter(({ acquirer }) => acquirer === 'eupago');
  }

  #garbage(): Answer {
    this.#world.count('eupago garbage');
    return this.#prng.pick([
      { status: 502, text: '<html>Bad gateway</html>' },
      { status: 200, text: '' },
      { status: 500, text: '{}' },
    ]);
  }
}

/** A request's name in the trace. */
function nameOf({ url }: Question): string {
  const { pathname } = new URL(url);
  if (pathname.endsWith('/token')) return 'token';
  if (pathname.includes('/refund/')) return 'refund inquiry';
  return pathname.endsWith('/multibanco/info') ? 'inquiry' : 'list';
}

function accountOf(apiKey: string): TrueAccount {
  return { acquirer: 'eupago', methodKey: apiKey, listKey: channelOf(apiKey).clientId };
}

function bodyOf({ json }: Question): Body {
  return json as unknown as Body;
}

function centsOf(euros: number) {
  return cents(Math.round(euros * 100));
}

function stateOfMoney({ paymentId }: TrueMoney): 'paga' | 'transferida' {
  return Number(paymentId) % 4 === 0 ? 'transferida' : 'paga';
}

/** The client of a token. */
function clientOf({ headers }: Question): string {
  return headers?.authorization?.replace('Bearer ', '').split('.')[0] ?? '';
}

function json(status: number, body: object): Answer {
  return { status, text: JSON.stringify(body) };
}

function noAnswer(): never {
  throw new Error('simulated silence');
}

function notSent(failure: 'unreachable' | 'unknown'): never {
  throw failure === 'unreachable' ? new NoConnection('simulated') : new Error('simulated silence');
}
