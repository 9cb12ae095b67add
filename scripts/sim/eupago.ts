import type { Answer, Question } from '../../src/banks/exchange.ts';
import { lisbonDayStart, lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import { fiveDecimals } from '../../src/sandbox/eupago/notifications.ts';
import { accountOf } from './accounts.ts';
import { EupagoRecord } from './eupago-record.ts';
import { BankWire, json, type Reply } from './wire.ts';

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
export class EupagoWire extends BankWire {
  protected readonly acquirer = 'eupago';
  readonly #record = new EupagoRecord(this.world, this.prng);

  /** A create or a refund. */
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
