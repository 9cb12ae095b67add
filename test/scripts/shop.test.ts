import { createHmac } from 'node:crypto';
import { expect, onTestFinished, test, vi } from 'vitest';
import { type Order, Orders } from '../../scripts/checkout/shop/orders.ts';
import { createShop } from '../../scripts/checkout/shop/shop.ts';
import { createWebhookReceiver } from '../../scripts/checkout/shop/webhook.ts';
import { type PaymentsClient, PaymentsConnectionError, PaymentsError } from '../../src/client/client.ts';
import { brokenRules, serveHere } from '../support/doctor.ts';

const SECRET = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;

/** A shop whose service answers at once and records the calls. */
function shop(answers: Partial<PaymentsClient> = {}) {
  const inits: { orderId: string; key: string | undefined }[] = [];
  const client: PaymentsClient = {
    async init(input, options) {
      inits.push({ orderId: input.orderId, key: options?.idempotencyKey });
      const made = new Set(inits.map(({ key }) => key)).size;
      return { transactionId: `tx_${made}`, amount: input.amount, currency: 'EUR' };
    },
    mbway: async () => ({ success: true, message: 'sent' }),
    multibanco: async () => ({
      entity: '11990',
      reference: '123456789',
      amount: 19.9,
      expiresAt: '2026-11-30T23:59:59.000Z',
    }),
    status: () => Promise.reject(new Error('the service is unavailable')),
    methods: async () => ({ methods: [] }),
    createSession: () => Promise.reject(new Error('the service is unavailable')),
    session: () => Promise.reject(new Error('the service is unavailable')),
    ...answers,
  };
  const handle = createShop({
    client,
    webhookSecret: SECRET,
    sandboxUrl: 'http://bank',
    storeUrl: 'http://localhost',
    mbwayWindowMs: 240_000,
  });
  // biome-ignore lint/suspicious/noExplicitAny: the body is untyped JSON
  const json = async (path: string, body?: unknown): Promise<any> => {
    const init = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) };
    const headers = { 'Content-Type': 'application/json' };
    return await (await handle(new Request(`http://shop${path}`, { ...init, headers }))).json();
  };
  const webhook = async (event: string, id: string) => {
    const status = { 'payment.success': 'paid', 'payment.failed': 'failed' }[event] ?? 'cancelled';
    const paidAt = status === 'paid' ? '2026-11-21T09:00:00.000Z' : null;
    const data = {
      id,
      externalOrderId: 'P-1001',
      amount: 19.9,
      currency: 'EUR',
      paymentMethod: 'MBWAY',
      status,
      paidAt,
    };
    const body = JSON.stringify({ event, timestamp: '2026-11-21T09:00:00.000Z', data });
    const signature = `sha256=${createHmac('sha256', SECRET).update(body).digest('hex')}`;
    const headers = { 'X-Service-Signature': signature, 'X-Service-Delivery-Id': 'dlv_1' };
    return (await handle(new Request('http://shop/webhook', { method: 'POST', body, headers }))).status;
  };
  const order = () => json('/orders', { quantity: 1, name: 'Ana Silva', email: 'ana@example.com' });
  return { handle, json, webhook, order, inits };
}

test('simultaneous clicks and a second payment method use one transaction', async () => {
  const { json, order, inits } = shop();
  const { id } = await order();
  await Promise.all([
    json(`/orders/${id}/mbway`, { phoneNumber: '912345678' }),
    json(`/orders/${id}/mbway`, { phoneNumber: '912345678' }),
  ]);
  expect(new Set(inits.map(({ key }) => key)).size).toBe(1);
  const view = await json(`/orders/${id}/multibanco`, {});
  expect(new Set(inits.map(({ key }) => key)).size).toBe(1);
  expect(view).toMatchObject({ push: { ended: null }, reference: { entity: '11990', expired: false } });
});

test('after a rejected push the order continues in a new transaction', async () => {
  const { json, order, inits, webhook } = shop();
  const { id } = await order();
  await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
  expect(await webhook('payment.failed', 'tx_1')).toBe(200);
  expect(await json(`/orders/${id}`)).toMatchObject({ push: { ended: 'rejected' }, paid: null });
  await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
  expect(inits.map(({ orderId }) => orderId)).toEqual(['P-1001', 'P-1001']);
  expect((await json(`/orders/${id}`)).push.ended).toBe(null);
});

test('a webhook counts once; a success after a cancellation counts, also for an earlier transaction; one for an unknown order is acknowledged', async () => {
  const { json, order, webhook } = shop();
  const { id } = await order();
  await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
  await webhook('payment.cancelled', 'tx_1');
  await webhook('payment.cancelled', 'tx_1');
  const lapsed = await json(`/orders/${id}`);
  expect(lapsed.push.ended).toBe('lapsed');
  expect(lapsed.webhooks.map(({ repeated }: { repeated: boolean }) => repeated)).toEqual([true, false]);
  await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
  await webhook('payment.success', 'tx_1');
  expect(await webhook('payment.success', 'tx_of_somebody')).toBe(200);
  expect((await json(`/orders/${id}`)).paid).toEqual({
    method: 'MBWAY',
    at: '2026-11-21T09:00:00.000Z',
    confirmedBy: 'webhook',
  });
});

test('a push with an unknown outcome stays open; a refused one is reported', async () => {
  const facts = { fields: [], requestId: 'req_1', idempotencyKey: null, tries: 1 };
  const failing = (error: Error) => shop({ mbway: () => Promise.reject(error) });
  const proxied = (status: number) => new PaymentsError('a proxy answered', { ...facts, code: null, status });
  for (const error of [
    new PaymentsError('unknown', { ...facts, code: 'BANK_OUTCOME_UNKNOWN', status: 502 }),
    proxied(504),
    proxied(200),
    new PaymentsConnectionError('no answer', 'timeout', facts, null),
  ]) {
    const { json, order } = failing(error);
    const { id } = await order();
    const view = await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
    expect(view).toMatchObject({ push: { ended: null } });
  }
  const { json, order } = failing(
    new PaymentsError('refused', { ...facts, code: 'MBWAY_PHONE_REJECTED', status: 400 }),
  );
  const { id } = await order();
  const answer = await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
  expect(answer).toMatchObject({ code: 'MBWAY_PHONE_REJECTED' });
  expect((await json(`/orders/${id}`)).push).toBe(null);

  const lost = shop({ init: () => Promise.reject(proxied(200)) });
  const headers = { 'Content-Type': 'application/json' };
  const path = `http://shop/orders/${(await lost.order()).id}/multibanco`;
  const response = await lost.handle(new Request(path, { method: 'POST', body: '{}', headers }));
  expect([response.status, await response.json()]).toEqual([502, { code: 'UNREACHABLE' }]);
});

test('after ten seconds without a webhook the status confirms the payment, later the webhook does', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { json, order, webhook } = shop({
    status: async ({ transactionId }) => ({
      transactionId,
      externalOrderId: 'P-1001',
      status: 'paid',
      paymentMethod: 'REFERENCE',
      amount: 19.9,
      currency: 'EUR',
      paidAt: '2026-11-21T09:00:00.000Z',
    }),
  });
  const { id } = await order();
  await json(`/orders/${id}/multibanco`, {});
  expect((await json(`/orders/${id}`)).paid).toBe(null);
  vi.advanceTimersByTime(10_000);
  expect((await json(`/orders/${id}`)).paid).toMatchObject({ method: 'REFERENCE', confirmedBy: 'status' });
  await webhook('payment.success', 'tx_1');
  expect((await json(`/orders/${id}`)).paid).toMatchObject({ method: 'REFERENCE', confirmedBy: 'webhook' });
});

/** A service whose session is paid or expires when the test says so; a repeated key returns the first response. */
function sessions() {
  const made: string[] = [];
  let now: 'open' | 'complete' | 'expired' = 'open';
  const sessionOf = (key: string) => ({
    sessionId: `cs_${made.indexOf(key) + 1}`,
    url: `http://pay/${made.indexOf(key) + 1}`,
    expiresAt: '2026-11-22T09:00:00.000Z',
  });
  const answers: Partial<PaymentsClient> = {
    async createSession(_input, options) {
      const key = options?.idempotencyKey ?? '';
      if (!made.includes(key)) {
        made.push(key);
        now = 'open';
      }
      return { ...sessionOf(key), status: 'open' };
    },
    session: async ({ sessionId }) => ({
      ...sessionOf(made[Number(sessionId.slice(3)) - 1] ?? ''),
      status: sessionId === `cs_${made.length}` ? now : 'expired',
      transactionId: 'tx_page',
      externalOrderId: 'P-1001',
      amount: 19.9,
      currency: 'EUR',
    }),
    status: async ({ transactionId }) => ({
      transactionId,
      externalOrderId: 'P-1001',
      status: transactionId === 'tx_page' && now === 'complete' ? 'paid' : 'pending',
      paymentMethod: 'MBWAY',
      amount: 19.9,
      currency: 'EUR',
      paidAt: '2026-11-21T09:00:00.000Z',
    }),
  };
  return { answers, made, become: (status: typeof now) => (now = status) };
}

test('without a webhook the session confirms a payment on the hosted page, also after a push of the shop', async () => {
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  const { answers, become } = sessions();
  const { json, order, webhook } = shop(answers);
  const { id } = await order();
  await json(`/orders/${id}/mbway`, { phoneNumber: '912345678' });
  expect(await json(`/orders/${id}/page`, {})).toEqual({ url: 'http://pay/1' });
  vi.advanceTimersByTime(10_000);
  expect((await json(`/orders/${id}`)).paid).toBe(null);
  become('complete');
  expect((await json(`/orders/${id}`)).paid).toBe(null);
  vi.advanceTimersByTime(10_000);
  const paid = { method: 'MBWAY', at: '2026-11-21T09:00:00.000Z' };
  expect((await json(`/orders/${id}`)).paid).toEqual({ ...paid, confirmedBy: 'status' });
  await webhook('payment.success', 'tx_page');
  expect((await json(`/orders/${id}`)).paid).toEqual({ ...paid, confirmedBy: 'webhook' });
});

test('an order has one session until it expires; then clicks create one new session', async () => {
  const { answers, made, become } = sessions();
  const { json, order } = shop(answers);
  const { id } = await order();
  const click = () => json(`/orders/${id}/page`, {});
  const first = { url: 'http://pay/1' };
  expect(await Promise.all([click(), click()])).toEqual([first, first]);
  expect(await click()).toEqual(first);
  become('expired');
  const second = { url: 'http://pay/2' };
  expect(await Promise.all([click(), click()])).toEqual([second, second]);
  expect(await click()).toEqual(second);
  become('complete');
  expect(await click()).toEqual(second);
  expect(made).toHaveLength(2);
});

test('the shop sets the price, a form cannot order, and only files of the page are served', async () => {
  const { handle, json } = shop();
  expect(await json('/orders', { quantity: 3, amount: 0.01, name: 'A', email: 'a@b.pt' })).toMatchObject({
    amount: 59.7,
  });
  expect(await json('/orders', { quantity: 0, name: 'A', email: 'a@b.pt' })).toMatchObject({
    fields: ['quantity'],
  });
  const form = new Request('http://shop/orders', { method: 'POST', body: 'quantity=1' });
  expect((await handle(form)).status).toBe(400);
  for (const path of ['/shop.ts', '/..%2fshop.ts', '/toString', '/orders/none']) {
    expect((await handle(new Request(`http://shop${path}`))).status, path).toBe(404);
  }
});

/** Orders that have one for every transaction. */
class KnownOrders extends Orders {
  readonly all: Order[] = [];

  override ofTransaction(transactionId: string): Order {
    const known = super.ofTransaction(transactionId);
    if (known !== undefined) return known;
    const customer = { name: 'Ana Silva', email: 'ana@example.com' };
    const order = this.add({ quantity: 1, amount: 12.5, customer });
    order.transactionIds.push(transactionId);
    this.all.push(order);
    return order;
  }
}

test('the receiver of the example shop passes every rule of webhook doctor', async () => {
  const orders = new KnownOrders();
  const url = await serveHere(createWebhookReceiver(orders, SECRET));
  const paidOrders = () => orders.all.filter(({ paid }) => paid !== null).length;
  expect(await brokenRules({ url, secret: SECRET, paidOrders })).toEqual([]);
});
