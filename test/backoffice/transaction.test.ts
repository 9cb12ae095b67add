import { createHmac } from 'node:crypto';
import { afterAll, expect, test } from 'vitest';
import type { TransactionDetail } from '../../src/backoffice/transaction/show.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { noteReceipt } from '../../src/payments/exceptions/note-receipt.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { quickClock } from '../support/fake-clock.ts';
import { startService } from '../support/harness.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { until } from '../support/until.ts';
import { type CallResult, shopWithOwner, signedIn, type Visitor } from './support.ts';

let broken = false;

const receiver = await openReceiver((_request, response) => {
  response.statusCode = broken ? 503 : 200;
  response.end(broken ? 'closed for stocktaking' : 'thanks');
});
afterAll(() => receiver.close());
const service = await startService({
  whenOver: afterAll,
  webhookCa: receiver.ca,
  // Deliveries are repeated sooner; the settings keep the push window and its grace as long as in other tests.
  clock: quickClock(),
  env: { SERVICE_MBWAY_WINDOW_SECONDS: '10', SERVICE_MBWAY_GRACE_SECONDS: '7.5' },
});
const { merchant: shop, owner } = await shopWithOwner(service, { webhookUrl: receiver.url });
const { owner: stranger } = await shopWithOwner(service);
const viewer = await signedIn(service, { role: 'viewer', merchantId: shop.merchantId });
const operator = await signedIn(service, { role: 'operator' });

const show = (who: Visitor, id: string, merchantId: string = shop.merchantId): Promise<CallResult> =>
  who.query('transaction.show', { merchantId, id });

async function detail(who: Visitor, id: string): Promise<TransactionDetail> {
  const { status, value } = await show(who, id);
  expect(status).toBe(200);
  return value;
}

const kinds = ({ timeline }: TransactionDetail) =>
  timeline.map((entry) => ('ending' in entry ? `${entry.kind} ${entry.ending}` : entry.kind));

/** Waits until every delivery has ended. */
const whenDelivered = (who: Visitor, id: string) =>
  until(async () => {
    const shown = await detail(who, id);
    const { deliveries } = shown;
    return deliveries.length > 0 && deliveries.every(({ state }) => state !== 'due') ? shown : null;
  }, 'the deliveries to end');

test('the timeline of a paid MB WAY payment runs from creation to delivery', async () => {
  const id = await shop.pay();
  const shown = await whenDelivered(viewer, id);
  const begun = ['created', 'attempt-begun', 'attempt-accepted'];
  expect(kinds(shown)).toEqual([...begun, 'receipt', 'event', 'delivery']);
  expect(shown).toMatchObject({
    orderId: 'ORDER-1',
    amountCents: 1999,
    receivedCents: 1999,
    status: 'paid',
    method: 'MBWAY',
    live: false,
    customer: { name: 'Ana Silva' },
    items: [{ id: 'SKU-1', quantity: 1, priceInCents: 1999 }],
    attempts: [{ state: 'paid', phoneNumber: '911000001', internal: null }],
    deliveries: [{ state: 'delivered', origin: 'event', attemptsCount: 1, status: 200, error: null }],
  });
  const numbers = shown.timeline.flatMap((entry) => (entry.kind === 'event' ? [entry.number] : []));
  expect(numbers).toEqual([shown.deliveries[0]?.number]);
});

test('an attempt shows when and why it ended', async () => {
  const rejected = await shop.push('911000002');
  await shop.reaches(rejected, 'failed');
  expect(kinds(await detail(viewer, rejected))).toContain('attempt-ended rejected');
  const id = await shop.push('911000005');
  const dead = await detail(viewer, id);
  expect(kinds(dead)).toEqual(['created', 'attempt-begun', 'attempt-ended dead']);
  expect(dead.attempts).toMatchObject([{ state: 'dead', endReason: 'phone-unknown', acceptedAt: null }]);
  expect(dead.attempts[0]?.endedAt).toBeGreaterThanOrEqual(dead.createdAt);
  expect(dead).toMatchObject({ status: 'pending', live: true });
});

test('a reference paid twice shows both receipts, the second as duplicate, and the notes', async () => {
  const { id, mb } = await shop.reference();
  const pay = () => service.control('/multibanco', mb);
  await pay();
  await shop.reaches(id, 'paid');
  await pay();
  await until(async () => (await detail(owner, id)).receipts.length === 2, 'the second receipt');
  const { receipts } = await detail(owner, id);
  expect(receipts).toMatchObject([{ flags: [] }, { flags: ['duplicate'] }]);
  const receiptId = receipts[1]?.receiptId as `rcp_${string}`;
  const deps = { ...service.app.deps, actor: { userId: null, name: 'op@example.pt', address: null } };
  const author = { operator: true, merchantId: null };
  await noteReceipt(deps, author, { receiptId, text: 'Seen.', internal: false });
  await noteReceipt(deps, author, { receiptId, text: 'Between us.', internal: true });
  const notes = (shown: TransactionDetail) =>
    shown.timeline.flatMap((entry) => (entry.kind === 'note' ? [[entry.text, entry.author]] : []));
  expect(notes(await detail(owner, id))).toEqual([['Seen.', null]]);
  expect(notes(await detail(operator, id))).toEqual([
    ['Seen.', 'op@example.pt'],
    ['Between us.', 'op@example.pt'],
  ]);
});

test('a held payment is pending to its merchant and visible to operators', async () => {
  const { deps } = service.app;
  await setMerchant(deps, shop.merchantId, { hold: true });
  const id = await shop.push('911000001');
  await until(async () => (await detail(operator, id)).held, 'the hold');
  await setMerchant(deps, shop.merchantId, { hold: false });
  expect(kinds(await detail(operator, id))).toEqual([
    'created',
    'attempt-begun',
    'attempt-accepted',
    'receipt',
    'held',
  ]);
  const seen = await detail(owner, id);
  expect(seen).toMatchObject({
    status: 'pending',
    held: false,
    paidAt: null,
    receivedCents: 0,
    receipts: [],
    attempts: [{ state: 'open', endedAt: null }],
  });
  expect(kinds(seen)).toEqual(['created', 'attempt-begun', 'attempt-accepted']);
  await releaseTransaction(deps, id);
  expect(await detail(owner, id)).toMatchObject({ status: 'paid', receivedCents: 1999 });
  expect(kinds(await detail(owner, id))).not.toContain('action');
  expect(kinds(await detail(operator, id))).toContain('action');
});

test('the request is shown byte for byte, its signature only to owners', async () => {
  const id = await shop.pay();
  const { deliveries } = await whenDelivered(owner, id);
  const input = { merchantId: shop.merchantId, deliveryId: deliveries[0]?.deliveryId };
  const { value } = await owner.query('transaction.request', input);
  const received = receiver.requests.find(({ body }) => body.toString().includes(id));
  expect(value.body).toBe(received?.body.toString());
  expect(value.url).toBe(receiver.url);
  const [attempt] = value.attempts;
  const delivery = await owner.query('webhook.delivery', input);
  expect(delivery.value.attempts).toMatchObject([{ answer: 'thanks' }]);
  const headers = new Headers(
    attempt.headers.map(({ name, value: text }: { name: string; value: string }) => [name, text]),
  );
  const plain = ['content-type', 'user-agent', 'x-service-event', 'x-service-delivery-id', 'webhook-id'];
  for (const name of plain) expect(headers.get(name), name).toBe(received?.headers[name]);
  const digest = createHmac('sha256', shop.webhookSecret).update(value.body).digest('hex');
  expect(headers.get('x-service-signature')).toBe(`sha256=${digest}`);

  const { value: viewed } = await viewer.query('transaction.request', input);
  const hidden = viewed.attempts[0].headers.filter(({ value: text }: { value: unknown }) => text === null);
  expect(hidden.map(({ name }: { name: string }) => name)).toEqual([
    'X-Service-Signature',
    'webhook-signature',
  ]);
});

test('an owner can resend a failed delivery, and the timeline names the person', async () => {
  broken = true;
  const id = await shop.pay();
  const failed = await whenDelivered(owner, id);
  broken = false;
  const [first] = failed.deliveries;
  expect(first).toMatchObject({ state: 'undelivered', origin: 'event', attemptsCount: 4 });
  const input = { merchantId: shop.merchantId, deliveryId: first?.deliveryId };
  const { value } = await owner.mutate('webhook.resend', input);
  const again = await whenDelivered(owner, id);
  expect(again.deliveries).toMatchObject([
    { state: 'undelivered', origin: 'event' },
    { state: 'delivered', origin: 'resend', deliveryId: value.deliveryId },
  ]);
  const actions = again.timeline.flatMap((entry) => (entry.kind === 'action' ? [entry] : []));
  expect(actions).toMatchObject([
    { action: 'delivery.resent', author: expect.stringMatching(/^person-\d+@example\.pt$/) },
  ]);
  await operator.mutate('webhook.resend', input);
  const { timeline } = await detail(owner, id);
  const [, byOperator] = timeline.filter(({ kind }) => kind === 'action');
  expect(byOperator).toMatchObject({ action: 'delivery.resent', author: null });
});

test('only operators see connection errors and the bank’s ids', async () => {
  const gone = await service.merchant({ webhookUrl: 'https://127.0.0.1:9/hook' });
  const id = await gone.pay();
  const found = await until(async () => {
    const { value } = await operator.query('transaction.show', { merchantId: null, id });
    return value.deliveries[0]?.error ? (value as TransactionDetail) : null;
  });
  expect(found).toMatchObject({ merchantId: gone.merchantId, merchantName: 'Test Shop' });
  expect(found.attempts[0]?.internal?.bankOrderId).toMatch(/^[A-Z0-9]{15}$/);
  const theirs = await signedIn(service, { role: 'owner', merchantId: gone.merchantId });
  const { value } = await show(theirs, id, gone.merchantId);
  const input = { merchantId: gone.merchantId, deliveryId: found.deliveries[0]?.deliveryId };
  const [seen, own] = await Promise.all(
    [operator, theirs].map(async (who) => (await who.query('webhook.delivery', input)).value.attempts[0]),
  );
  expect(seen.errorDetail).toMatch(/ECONNREFUSED/);
  expect(own).toMatchObject({
    error: 'The endpoint could not be reached over https.',
    errorDetail: null,
  });
  expect(JSON.stringify(value)).not.toContain(found.attempts[0]?.internal?.bankOrderId);
});

test('a merchant cannot read another merchant’s transaction or delivery', async () => {
  const id = await shop.pay();
  const { deliveries } = await whenDelivered(owner, id);
  const deliveryId = deliveries[0]?.deliveryId;
  const other = (await stranger.query('session.current')).value.memberships[0].merchantId;
  const asked = await Promise.all([
    show(stranger, id, other),
    show(stranger, 'tx_missing', other),
    show(owner, 'tx_missing'),
    stranger.query('transaction.request', { merchantId: other, deliveryId }),
    stranger.query('webhook.delivery', { merchantId: other, deliveryId }),
    stranger.mutate('webhook.resend', { merchantId: other, deliveryId }),
  ]);
  expect(new Set(asked.map(({ error }) => `${error.code} ${error.message}`))).toHaveLength(1);
  expect(asked[0]?.error.code).toBe('NOT_FOUND');
  expect((await detail(owner, id)).deliveries).toHaveLength(1);
});
