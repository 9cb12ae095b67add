import { afterAll, expect, onTestFinished, test } from 'vitest';
import { viewSession } from '../../src/checkout/view.ts';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { readWhileChanging } from '../support/changing.ts';
import { temporaryFolder } from '../support/database.ts';
import { call, startService, startWithMerchant, type TestMerchant } from '../support/harness.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { selectRow, selectRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { postForm, visitPage } from './support.ts';

const receiver = await openReceiver();
afterAll(() => receiver.close());
const service = await startService({ whenOver: afterAll, webhookCa: receiver.ca });
const merchant = await service.merchant({ webhookUrl: receiver.url });

let phones = 0;
/** A phone that waits for a manual answer. */
const newPhone = () => `9200${String(++phones).padStart(5, '0')}`;
const ahead = (ms: number) => new Date(Date.now() + ms).toISOString();

const visit = (overrides: Record<string, unknown> = {}, seller: TestMerchant = merchant, at = service) =>
  visitPage(at, seller, { locale: 'en', ...overrides });

const pushesOf = async (phoneNumber: string) =>
  (await service.control(`/pushes?phoneNumber=${phoneNumber}`)).body as unknown[];
const answer = (phoneNumber: string, outcome: string) => service.control('/mbway', { phoneNumber, outcome });

test('the page shows nothing about the customer and has no inline script or style', async () => {
  const { page } = await visit({ cancelUrl: 'https://shop.pt/cart?a=1&b="2"' });
  const shown = await page();
  expect(shown).toContain('href="https://shop.pt/cart?a=1&amp;b=%222%22"');
  for (const secret of ['Ana', 'ana@shop.pt', '912345678', 'Mug']) expect(shown).not.toContain(secret);
  expect(shown).not.toMatch(/<script(?![^>]* src=)|style=| on\w+=/);
});

test('the page shows no bidirectional controls and no zero-width characters', async () => {
  const shop = await service.merchant({ name: 'Loja\u202e do\u200b Zé' });
  const page = await (await visit({ orderId: 'N\u20667\u2069' }, shop)).page();
  expect(page).toContain('Loja do Zé');
  expect(page).toContain('N7');
  expect(page).not.toMatch(/[\p{Bidi_Control}\u200b-\u200d\ufeff]/u);
});

test('a push is confirmed, and the page leads back to the store by GET', async () => {
  const { url, step, shows, state, page } = await visit({
    orderId: 'P-1',
    successUrl: 'https://shop.pt/thanks?order=1#end',
  });
  const phoneNumber = newPhone();
  const posted = await step({ method: 'MBWAY', phoneNumber: `+351 ${phoneNumber}` }, { origin: 'null' });
  expect([posted.status, posted.headers.get('location')]).toEqual([303, new URL(url).pathname]);
  const waiting = await page();
  expect(waiting).toContain('Confirm the payment in the MB WAY app');
  expect(waiting).not.toContain(phoneNumber);
  const version = async () => (await call(`${url}/status`, {})).body.version;
  expect(waiting).toContain(`data-version="${await version()}"`);
  // The same number again, and the other method of the same transaction, are no second push.
  await step({ method: 'MBWAY', phoneNumber });
  expect(await pushesOf(phoneNumber)).toHaveLength(1);
  const before = await version();
  await answer(phoneNumber, 'accept');
  await until(async () => (await version()) !== before, 'the status to change');
  const { sessionId } = await state();
  const paid = await shows('Payment confirmed');
  expect(paid).toContain(`href="https://shop.pt/thanks?order=1&amp;session_id=${sessionId}#end"`);
  expect(await state()).toMatchObject({ status: 'complete', externalOrderId: 'P-1' });
  expect(paid).not.toContain('<form');
});

test('a refused push becomes a Multibanco payment of the same order', async () => {
  const { step, shows, state } = await visit({ orderId: 'P-2', cancelUrl: 'https://shop.pt/cart' });
  const first = (await state()).transactionId;
  await step({ method: 'MBWAY', phoneNumber: '911000002' });
  await merchant.reaches(first ?? '', 'failed');
  expect(await shows('The MB WAY request was refused')).toContain('Try again with MB WAY');
  expect((await state()).status).toBe('open');
  await step({ method: 'REFERENCE' });
  const shown = await shows('Entity');
  const second = (await state()).transactionId ?? '';
  expect(second).not.toBe(first);
  const { externalOrderId, mb } = await merchant.status(second);
  expect(externalOrderId).toBe('P-2');
  expect(shown).toContain(mb.entity);
  expect(shown).toContain('choose “<span lang="pt">Pagamento de serviços</span>”');
  expect(shown).toContain(mb.reference.replace(/(\d{3})(?=\d)/g, '$1 '));
  expect(shown).toMatch(/\d{2}:\d{2} \(Lisbon\stime\)/);
  await service.control('/multibanco', { entity: mb.entity, reference: mb.reference });
  expect(await shows('Payment confirmed')).not.toContain('shop.pt/cart');
  expect(await state()).toMatchObject({ status: 'complete', transactionId: second });
});

test('a session never has two live pushes', async () => {
  const { step, sessionId } = await visit();
  const phoneNumbers = Array.from({ length: 4 }, newPhone);
  await Promise.all(phoneNumbers.map((phoneNumber) => step({ method: 'MBWAY', phoneNumber })));
  const pushes = (await Promise.all(phoneNumbers.map(pushesOf))).flat();
  expect(pushes).toHaveLength(1);
  const transactions = await selectRows(service.app.deps.db, 'transactions', { session_id: sessionId });
  expect(transactions).toMatchObject([{ status: 'pending' }]);
});

test('the notice of an open push ends with the push', async () => {
  const { step, page, shows } = await visit();
  const phoneNumber = newPhone();
  await step({ method: 'MBWAY', phoneNumber });
  await step({ method: 'MBWAY', phoneNumber: newPhone() });
  expect(await page()).toContain('An MB WAY request is still open');
  await answer(phoneNumber, 'reject');
  expect(await shows('The MB WAY request was refused')).not.toContain('An MB WAY request is still open');
});

test('an expired session shows no notice to try again', async () => {
  const { step, shows } = await visit({ expiresAt: ahead(3000) });
  await step({ method: 'MBWAY', phoneNumber: '812345678' });
  await shows('Enter a valid mobile number');
  expect(await shows('The time to pay has ended')).not.toContain('Enter a valid mobile number');
});

test('a payment at any moment of the read of a page is shown, or its push is', async () => {
  const { deps } = service.app;
  const views = await readWhileChanging(
    deps.db,
    async () => {
      const { step, state, url } = await visit();
      const phoneNumber = newPhone();
      await step({ method: 'MBWAY', phoneNumber });
      return { phoneNumber, url, transactionId: (await state()).transactionId ?? '' };
    },
    (db, { url }) => viewSession({ ...deps, db }, url.split('/').at(-1) ?? ''),
    async ({ phoneNumber, transactionId }) => {
      await answer(phoneNumber, 'accept');
      await merchant.reaches(transactionId, 'paid');
    },
  );
  expect(views.length).toBeGreaterThan(3);
  for (const view of views) expect(view?.state === 'paid' || view?.push !== null).toBe(true);
});

test('no cache keeps the script of the page under the address of another version', async () => {
  const { page, url } = await visit();
  const [, address = ''] = /<script src="([^"]+)"/.exec(await page()) ?? [];
  const cachingOf = async (path: string) => (await fetch(new URL(path, url))).headers.get('cache-control');
  expect(await cachingOf(address)).toBe('public, max-age=31536000, immutable');
  expect(await cachingOf(address.replace(/\?.*/, '?0123456789ab'))).toBe('no-store');
});

test('late money of a second transaction is flagged late and duplicate, both orders are announced, and the lead has one', async () => {
  const { step, shows, state } = await visit({ orderId: 'P-TWICE', customer: { email: 'twice@shop.pt' } });
  // Accepts after the window and its grace: the transaction is cancelled by then.
  const first = (await state()).transactionId ?? '';
  await step({ method: 'MBWAY', phoneNumber: '911000010' });
  await merchant.reaches(first, 'cancelled');
  await step({ method: 'MBWAY', phoneNumber: '911000001' });
  await shows('Payment confirmed');
  const second = (await state()).transactionId;
  expect(second).not.toBe(first);
  await merchant.reaches(first, 'paid');
  expect((await state()).transactionId).toBe(second);
  const receipts = await selectRows(service.app.deps.db, 'receipts', { transaction_id: first });
  expect(receipts).toMatchObject([{ late: 1, duplicate: 1 }]);
  const lead = await selectRow(service.app.deps.db, 'leads', { email: 'twice@shop.pt' });
  expect(lead).toMatchObject({ orders_count: 1, paid_count: 1, paid_cents: 1999 });
  // The flagged receipt paid this transaction.
  const of = { transactionId: first as `tx_${string}` };
  await createRefund(service.app.deps, { merchantId: null, operator: true }, { of, amount: null });
  const announced = () =>
    receiver.requests
      .map(({ body }) => JSON.parse(String(body)))
      .filter(({ event, data }) => event === 'payment.success' && data.externalOrderId === 'P-TWICE')
      .map(({ data }) => data.id);
  await until(() => announced().length === 2, 'both events');
  expect(new Set(announced())).toEqual(new Set([first, second]));
});

test('a session names the transaction that was paid, although a newer one is pending', async () => {
  const { step, state } = await visit();
  const { transactionId: first = '' } = await state();
  await step({ method: 'MBWAY', phoneNumber: '911000010' });
  await merchant.reaches(first, 'cancelled');
  await step({ method: 'REFERENCE' });
  expect((await state()).transactionId).not.toBe(first);
  await merchant.reaches(first, 'paid');
  expect(await state()).toMatchObject({ status: 'complete', transactionId: first });
});

test('a held sale is received, open and takes no step', async () => {
  const held = await service.merchant();
  await setMerchant(service.app.deps, held.merchantId, { hold: true });
  const order = { successUrl: 'https://shop.pt/thanks' };
  const { sessionId, step, shows, state } = await visit(order, held);
  await step({ method: 'MBWAY', phoneNumber: '911000001' });
  const shown = await shows('Payment received');
  expect(shown).not.toContain('<form');
  expect(shown).not.toContain('shop.pt/thanks');
  const { transactionId = '', status } = await state();
  expect(status).toBe('open');
  await step({ method: 'REFERENCE' });
  expect((await state()).transactionId).toBe(transactionId);
  await updateRows(service.app.deps.db, 'checkout_sessions', { expires_at: 1 }, { id: sessionId });
  await shows('Payment received');
  expect((await state()).status, 'also after its end').toBe('open');
  await releaseTransaction(service.app.deps, transactionId);
  await shows('Payment confirmed');
});

test('late money on hold ends the steps of its session', async () => {
  const phoneNumber = newPhone();
  const { step, shows, state } = await visit();
  const { transactionId = '' } = await state();
  await step({ method: 'MBWAY', phoneNumber: '911000002' });
  await merchant.reaches(transactionId, 'failed');
  await updateRows(service.app.deps.db, 'transactions', { held: 1 }, { id: transactionId });
  await shows('Payment received');
  await step({ method: 'MBWAY', phoneNumber });
  expect(await pushesOf(phoneNumber)).toEqual([]);
  expect((await state()).transactionId).toBe(transactionId);
});

test('a session of an inactive merchant starts nothing', async () => {
  const phoneNumber = newPhone();
  const seller = await service.merchant();
  const closed = await visit({}, seller);
  await setMerchant(service.app.deps, seller.merchantId, { active: false });
  expect(await closed.page()).toContain('<title>Payment not available ·');
  await closed.step({ method: 'MBWAY', phoneNumber });
  expect(await pushesOf(phoneNumber)).toEqual([]);
});

test('a malformed or unknown number is explained, and nothing is sent', async () => {
  const { step, shows, page } = await visit();
  expect(await page()).not.toContain('aria-invalid');
  const field = 'aria-invalid="true" aria-describedby="phone-error phone-hint"';
  await step({ method: 'MBWAY', phoneNumber: '812345678' });
  expect(await shows('id="phone-error">Enter a valid mobile number')).toContain(field);
  await step({ method: 'MBWAY', phoneNumber: '911000005' });
  expect(await shows('id="phone-error">This number is not registered with MB WAY')).toContain(field);
});

test('only the offered methods start, and only from the page itself', async () => {
  const { step, state, page, url } = await visit({ methods: ['MBWAY'] });
  expect(await page()).not.toContain('value="REFERENCE"');
  await step({ method: 'REFERENCE' });
  const phoneNumber = newPhone();
  await step({ method: 'MBWAY', phoneNumber }, { 'sec-fetch-site': 'same-site', origin: 'null' });
  await step({ method: 'MBWAY', phoneNumber }, { origin: 'https://evil.example' });
  expect((await merchant.status((await state()).transactionId ?? '')).paymentMethod).toBeNull();
  expect(await pushesOf(phoneNumber)).toEqual([]);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(400);
  expect((await postForm(url, { method: 'x'.repeat(4096) })).status, 'too large').toBe(400);
});

test('after a restart with the clock set back, a session has one pending transaction', async () => {
  const folder = temporaryFolder(onTestFinished);
  const { service: before, merchant: seller } = await startWithMerchant({ folder });
  const shopper = await visit({}, seller, before);
  await shopper.step({ method: 'MBWAY', phoneNumber: '911000002' });
  await shopper.shows('was refused');
  await before.app.close();
  const clock = { ...systemClock, now: () => systemClock.now() - 600_000 };
  const { url, app } = await startService({ folder, clock });
  for (const fields of [{ method: 'MBWAY', phoneNumber: newPhone() }, { method: 'REFERENCE' }]) {
    const address = `${url}${new URL(shopper.url).pathname}`;
    expect((await postForm(address, fields as Record<string, string>)).status).toBe(303);
  }
  const rows = await app.deps.db.read.selectFrom('transactions').select('status').execute();
  expect(rows.map(({ status }) => status).sort()).toEqual(['failed', 'pending']);
});

test('an erasure deletes the phone numbers of the pushes that a page sent', async () => {
  const customer = { name: 'Eva Gil', email: 'eva.gil@example.pt' };
  const { step, shows, sessionId } = await visit({ customer });
  await step({ method: 'MBWAY', phoneNumber: '911000001' });
  await shows('Payment confirmed');
  const { deps } = service.app;
  const pushes = () => selectRows(deps.db, 'checkout_pushes', { session_id: sessionId });
  expect(await pushes()).toMatchObject([{ phone_number: '911000001' }]);
  const { lead_id } = await selectRow(deps.db, 'transactions', { session_id: sessionId });
  if (lead_id === null) throw new Error('no lead');
  await eraseLead(deps, lead_id);
  expect(await pushes()).toEqual([]);
});
