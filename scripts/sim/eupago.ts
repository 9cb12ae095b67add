import { type Answer, type BankHttp, NoConnection, type Question } from '../../src/banks/exchange.ts';
import { lisbonDayStart, lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import { fiveDecimals } from '../../src/sandbox/eupago/notifications.ts';
import { channelOf } from './accounts.ts';
import type { TrueAccount } from './bank-state.ts';
import { EupagoRecord, json, type Reply } from './eupago-record.ts';
import { drawWay, exchange } from './exchange.ts';
import { ServicePart } from './part.ts';

const TOKEN_SECONDS = 3600;

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
export class EupagoWire extends ServicePart implements BankHttp {
  readonly #record = new EupagoRecord(this.world, this.prng);

  async close(): Promise<void> {}

  /** A create or a refund. */
  once(question: Question): Promise<Answer> {
    const path = new URL(question.url).pathname;
    if (path.includes('/refund/')) return this.#refund(question, path.split('/').at(-1) ?? '');
    return path.endsWith('/mbway/create') ? this.#createPush(question) : this.#createReference(question);
  }

  /** A request that may be repeated. */
  ask(question: Question): Promise<Answer> {
    const world = this.world;
    const { question: faults } = world.faults;
    const askedByService = world.serviceNow();
    return exchange<Reply>(this.service, world, {
      name: nameOf(question),
      ...drawWay(world, this.prng, faults),
      noAnswer,
      work: () => (this.prng.chance(faults / 5) ? this.#garbage() : this.#reply(question, askedByService)),
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
      const push = this.world.bank.addPush(account, { ...order, phoneNumber: payment.customerPhone });
      return json(201, { transactionStatus: 'Success', transactionID: 'x', reference: push.requestId });
    });
  }

  #createReference(question: Question): Promise<Answer> {
    const body = bodyOf(question);
    const order = { bankOrderId: body.id, amount: centsOf(body.valor) };
    return this.#create('reference', body.id, (refused) => {
      if (refused !== null) return json(200, { sucesso: false, estado: -9, resposta: 'Valores incorretos' });
      const expiresAt = lisbonEndOfDay(lisbonDayStart(body.data_fim) ?? 0);
      const { entity, reference } = this.world.bank.addReference(accountOf(body.chave), {
        ...order,
        expiresAt,
      });
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
    const isGarbled = this.prng.chance(this.world.faults.create / 5);
    this.world.count(`eupago ${name}`);
    return this.world.bank.create<Answer>(this.service, {
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
    return this.world.bank.refunds.send<Answer>(this.service, call, {
      told: (outcome) => {
        if (this.prng.chance(this.world.faults.refund / 5)) return this.#garbage();
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
      const access_token = `${question.form?.client_id}.${this.world.time.now}`;
      return json(200, { transactionStatus: 'Success', access_token, expires_in: TOKEN_SECONDS });
    }
    if (path.endsWith('/multibanco/info')) {
      const { chave, referencia } = bodyOf(question);
      return this.#record.info(chave, referencia, askedByService);
    }
    // The bank may revoke a token early.
    if (this.prng.chance(this.world.faults.question / 5))
      return json(401, { transactionStatus: 'Rejected', code: 'TOKEN_INVALID' });
    const clientId = clientOf(question);
    if (path.endsWith('/references/info'))
      return this.#record.find(clientId, query.get('identifier') ?? '', askedByService);
    return path.includes('/refund/')
      ? this.#record.refundState(path.split('/').at(-1) ?? '')
      : this.#record.transactions(clientId, query.get('status'));
  }

  #garbage(): Answer {
    this.world.count('eupago garbage');
    return this.prng.pick([
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

/** The client of a token. */
function clientOf({ headers }: Question): string {
  return headers?.authorization?.replace('Bearer ', '').split('.')[0] ?? '';
}

function noAnswer(): never {
  throw new Error('simulated: no answer');
}

function notSent(failure: 'unreachable' | 'unknown'): never {
  throw failure === 'unreachable' ? new NoConnection('simulated') : new Error('simulated: no answer');
}
