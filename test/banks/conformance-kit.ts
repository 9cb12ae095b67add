import { createCipheriv, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { BankAccount, CallbackRequest, PushOrder, ReferenceOrder } from '../../src/banks/port.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import { cents } from '../../src/kernel/money.ts';
import { ACCOUNT, CREDENTIALS, callbackOf, json } from './support.ts';

export const ORDER_ID = 'A1B2C3D4E5F6G7H';

/** Orders of 12.50 EUR at the bank. */
export const push = (bankOrderId = ORDER_ID, phoneNumber = '912345678'): PushOrder => ({
  bankOrderId,
  amount: cents(1250),
  phoneNumber,
  description: 'Shop 1001',
});
export const order = (bankOrderId = ORDER_ID): ReferenceOrder => ({
  bankOrderId,
  amount: cents(1250),
  expiryDays: 3,
  description: 'Shop 1001',
});

/** A payment as a simulated bank writes it. */
export interface BankPayment {
  /** The amount as this acquirer may write it. */
  amount: unknown;
  /** The wall-clock time in Lisbon, `YYYY-MM-DD HH:mm:ss`. */
  at: string;
}

/** What the suite needs to speak as one acquirer. */
export interface Dialect {
  account: BankAccount;
  /** A push's request id that its inquiry takes. */
  requestId: string;
  /** Answers to a create that leave its outcome unknown. */
  unclear: [unknown, number][];
  /** A refusal of the phone, and another one. */
  phoneRefused: [unknown, number];
  refused: [unknown, number];
  /** A refusal of a reference. */
  referenceRefused: [unknown, number];
  /** Answers every request as a bank with this one payment. */
  bank(paid: BankPayment): (request: IncomingMessage, response: ServerResponse) => void;
  /** Ways in which the bank writes 12.50. */
  amounts: unknown[];
  /** Genuine notifications of one payment, in every form. */
  notifications(changes?: { amount?: unknown; at?: string }): CallbackRequest[];
  forged(): CallbackRequest[];
}

const bankText = (at: string) => {
  const [day = '', time = ''] = at.split(' ');
  return `${day.split('-').reverse().join('-')} ${time}`;
};

const IFTHENPAY_PUSH = { Amount: '12.50', OrderId: ORDER_ID, RequestId: '', Message: 'no' };
const NOON = '2026-07-15 12:00:00';

function ifthenpayCallback({ amount = '12.50', at = NOON }: { amount?: unknown; at?: string }, key: string) {
  return callbackOf(
    new URLSearchParams({
      key,
      orderId: ORDER_ID,
      amount: String(amount),
      requestId: 'i2s3',
      entity: 'MBWAY',
      payment_datetime: bankText(at),
      status: 'PAGO',
    }),
  );
}

const ifthenpay: Dialect = {
  account: ACCOUNT,
  requestId: 'i2s3',
  unclear: [
    [{ ...IFTHENPAY_PUSH, Status: '000' }, 500],
    [{ ...IFTHENPAY_PUSH, Status: '000' }, 200],
    [{ ...IFTHENPAY_PUSH, OrderId: 'another', RequestId: 'r', Status: '000' }, 200],
    ['{"Amount":"1', 200],
    ['<html>', 404],
  ],
  phoneRefused: [{ ...IFTHENPAY_PUSH, Status: '113' }, 200],
  refused: [{ ...IFTHENPAY_PUSH, Status: '999' }, 200],
  referenceRefused: [{ Message: 'no', RequestId: '', Status: '-1' }, 200],
  bank:
    ({ amount, at }) =>
    ({ url = '' }, response) => {
      if (url.includes('/mbway/status')) {
        const UpdateAt = bankText(at);
        return json(response, { Status: '000', RequestId: 'i2s3', UpdateAt, Message: 'Success' });
      }
      const row = {
        amount,
        entity: 'MBWAY',
        orderId: ORDER_ID,
        requestId: 'i2s3',
        paymentDate: bankText(at),
      };
      return json(response, { status: 200, message: 'OK', payments: [row] });
    },
  amounts: ['12.50', '12.5', 12.5],
  notifications: (changes = {}) => [ifthenpayCallback(changes, CREDENTIALS.antiPhishingKey)],
  forged: () => [ifthenpayCallback({}, 'stolen'), ifthenpayCallback({}, ''), callbackOf('')],
};

export const EUPAGO_CREDENTIALS = {
  apiKey: 'aaaa-bbbb-cccc-dddd-eeee',
  clientId: 'client',
  clientSecret: 'secret-of-client',
  webhookKey: 'k'.repeat(32),
};
export const EUPAGO_ACCOUNT: BankAccount<typeof EUPAGO_CREDENTIALS> = {
  id: 'acc_2',
  acquirer: 'eupago',
  credentials: EUPAGO_CREDENTIALS,
};

const signature = (text: string, key = EUPAGO_CREDENTIALS.webhookKey) =>
  createHmac('sha256', key).update(text).digest('base64');

/** EuPago's notification with these headers. */
export function posted(body: string | Buffer, headers: Record<string, string>): CallbackRequest {
  return { method: 'POST', headers, query: new URLSearchParams(), body: Buffer.from(body) };
}

/** A plain notification of this transaction. */
export function plain(body: unknown, key?: string): CallbackRequest {
  const text = JSON.stringify(body);
  return posted(text, { 'x-signature': signature(text, key) });
}

/** An encrypted notification of this transaction. */
export function encrypted(body: unknown, key?: string): CallbackRequest {
  const iv = Buffer.alloc(16, 9);
  const cipher = createCipheriv('aes-256-cbc', Buffer.from(EUPAGO_CREDENTIALS.webhookKey), iv);
  const data = Buffer.concat([cipher.update(JSON.stringify(body)), cipher.final()]).toString('base64');
  const headers = { 'x-signature': signature(data, key), 'x-initialization-vector': iv.toString('base64') };
  return posted(JSON.stringify({ data }), headers);
}

export function eupagoTransaction({
  amount = '12.50000',
  at = NOON,
}: {
  amount?: unknown;
  at?: string;
} = {}) {
  return {
    entity: null,
    reference: '306188',
    identifier: ORDER_ID,
    method: 'MW:PT',
    amount: { value: amount, currency: 'EUR' },
    date: at,
    trid: 7001,
    status: 'Paid',
  };
}

const rejected = (code: string) => ({ transactionStatus: 'Rejected', code, text: 'no' });

const eupago: Dialect = {
  account: EUPAGO_ACCOUNT,
  requestId: '306188',
  unclear: [
    [{ transactionStatus: 'Success', reference: '1' }, 500],
    [{ transactionStatus: 'Success', transactionID: 'x' }, 201],
    [{ transactionStatus: 'Later' }, 200],
    ['{"transactionStatus":"Suc', 201],
    ['<html>', 404],
  ],
  phoneRefused: [rejected('CUSTOMERPHONE_INVALID'), 400],
  refused: [rejected('APIKEY_MISSING'), 401],
  referenceRefused: [{ sucesso: false, estado: -10, resposta: 'Chave inválida' }, 200],
  bank:
    ({ amount, at }) =>
    ({ url = '' }, response) => {
      if (url.endsWith('/auth/token'))
        return json(response, { transactionStatus: 'Success', access_token: 't', expires_in: 3600 });
      const [day, time] = at.split(' ');
      if (url.includes('/multibanco/info')) {
        const payment = { trid: 7001, estado: 'paga', valor: amount, comissao: '0.14000' };
        return json(response, {
          referencia: '306188',
          entidade: null,
          identificador: ORDER_ID,
          estado: 0,
          sucesso: true,
          estado_referencia: 'paga',
          resposta: 'OK',
          pagamentos: [{ ...payment, data_pagamento: day, hora_pagamento: time }],
        });
      }
      const identifier = ORDER_ID;
      if (url.includes('/references/info'))
        return json(response, {
          transactionStatus: 'Success',
          referenceList: [{ reference: '306188', entity: null, status: 'paga', identifier }],
        });
      const row = { trid: '7001', reference: '306188', amount, identifier, datePayment: at, status: 'paga' };
      const transactionList = url.endsWith('status=paga') ? [row] : [];
      return json(response, { transactionStatus: 'Success', transactionList });
    },
  amounts: ['12.50000', '12.5', 12.5],
  notifications: (changes) => {
    const transaction = eupagoTransaction(changes);
    const channel = { name: 'Shop' };
    return [
      plain({ channel, transaction }),
      plain({ channel, transactions: transaction }),
      plain({ transactions: [transaction] }),
      encrypted({ channel, transaction }),
    ];
  },
  forged() {
    const body = { transaction: eupagoTransaction() };
    const data = encrypted(body);
    const raw = data.body.toString();
    return [
      plain(body, 'x'.repeat(32)),
      encrypted(body, 'x'.repeat(32)),
      posted(JSON.stringify(body), {}),
      posted('', {}),
      // The encrypted form is signed over its text, not over the body.
      { ...data, headers: { ...data.headers, 'x-signature': signature(raw) } },
      { ...plain(body), body: Buffer.from(`${JSON.stringify(body)} `) },
    ];
  },
};

export const DIALECTS: Readonly<Record<Acquirer, Dialect>> = { ifthenpay, eupago };
