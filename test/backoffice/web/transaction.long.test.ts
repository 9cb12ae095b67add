import { expect, test } from 'vitest';
import type { Id } from '../../../src/kernel/ids.ts';
import { receiptsOf } from '../../../src/payments/store.ts';
import { insertRecovery } from '../../../src/webhooks/recovery/store.ts';
import { insertRows } from '../../support/rows.ts';
import { until } from '../../support/until.ts';
import { axe, type Backoffice, expectSound, openWithReceiver, overflows, shoot } from './support.ts';

/** Paid, but the shop's endpoint failed when the event was delivered. */
const broken = new Set<string>();

// The window is long enough to be observed while it runs.
const { office, receiver } = await openWithReceiver(
  { SERVICE_MBWAY_WINDOW_SECONDS: '240' },
  (request, response) => {
    const { id } = JSON.parse(request.body.toString()).data;
    response.statusCode = broken.has(id) ? 503 : 200;
    response.end(broken.has(id) ? 'closed for stocktaking' : '{"thanks":true}');
  },
);
const shop = await office.service.merchant({ name: 'Loja da Ana', webhookUrl: receiver.url });
const push = (transactionId: string, phoneNumber: string) =>
  shop.post('/payments/mbway', { transactionId, phoneNumber });

// Its four attempts take six seconds: they run while the other tests do.
const untold = await shop.init({ orderId: 'ENC-1' });
broken.add(untold);
await push(untold, '911000001');

/** The page of a transaction, which its owner reads by default. */
const pageOf = (id: string, options: Parameters<Backoffice['signIn']>[0] = {}) =>
  office.signIn({ role: 'owner', merchantId: shop.merchantId, at: `transactions/${id}`, ...options });

test('a push is followed from pending to paid without a reload, with its remaining time', async () => {
  const id = await shop.init({ orderId: 'ENC-77' });
  const page = await pageOf(id);
  await page.getByRole('heading', { name: 'Order ENC-77', level: 1 }).waitFor();
  await page.getByText('The customer has not chosen how to pay yet.').waitFor();
  await push(id, '931112233');
  await page.getByRole('timer').waitFor();
  await page.getByText('must confirm it in the MB WAY app').waitFor();
  await expectSound(page, 'transaction-pending-en-1280');
  await page.getByRole('button', { name: 'Português' }).click();
  expect(await page.getByRole('timer').innerText()).toMatch(/^\d:\d\d para confirmar$/);
  await page.getByRole('button', { name: 'English' }).click();
  await office.service.control('/mbway', { phoneNumber: '931112233', outcome: 'accept' });
  await page.getByText('You can fulfil the order.').waitFor();
  await page.getByText('Webhook delivered').waitFor();
  expect(await page.getByRole('timer').count()).toBe(0);
  await expectSound(page, 'transaction-paid-en-1280');
});

test('an unexpected payment is explained in the reader’s language, with what to do', async () => {
  const { id, mb } = await shop.reference({ orderId: 'ENC-2' });
  const pay = () => office.service.control('/multibanco', mb);
  await pay();
  await shop.reaches(id, 'paid');
  await pay();
  const { db } = office.service.app.deps;
  const key = { id: id as Id<'tx'>, merchant_id: shop.merchantId };
  await until(async () => (await receiptsOf(db.read, key)).length === 2, 'the second receipt');
  const page = await pageOf(id, { language: 'pt', phone: true });
  await page.getByRole('heading', { name: 'Encomenda ENC-2', level: 1 }).waitFor();
  await page.getByText('19,99 €', { exact: true }).first().waitFor();
  const notice = page.getByRole('region', { name: 'Pagamento em duplicado' });
  await notice.getByText('Reembolse este valor ao cliente').waitFor();
  await notice.getByRole('link', { name: 'Ir para pagamentos por regularizar' }).waitFor();
  await expectSound(page, 'transaction-duplicate-pt-390');
});

test('a viewer can read everything and send nothing', async () => {
  const id = await shop.pay({ orderId: 'ENC-3' });
  const page = await pageOf(id, { role: 'viewer' });
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await webhooks.getByRole('button', { name: /Payment received/ }).click();
  expect(await page.getByRole('button', { name: /^Resend/ }).count()).toBe(0);
  await webhooks.getByRole('button', { name: 'View request' }).click();
  await webhooks.getByRole('region', { name: 'Body, as sent' }).getByText('"ENC-3"').waitFor();
  await webhooks.getByText('Visible to owners only.').first().waitFor();
  expect(await axe(page)).toEqual([]);
  await page.goto(`/m/${shop.merchantId}/transactions/tx_missing`);
  await page.getByText('Not found, or you do not have access').waitFor();
});

test('an owner sees why a delivery failed, resends it and sees it arrive', async () => {
  const page = await pageOf(untold);
  const notice = page.getByRole('region', { name: 'Webhook not delivered' });
  await notice.waitFor();
  await notice.getByText('Last response: The endpoint answered 503').waitFor();
  await shoot(page, 'transaction-untold-en-1280');
  broken.clear();
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  const failed = webhooks.getByRole('button', { name: /^Undelivered/ });
  expect(await failed.count()).toBe(1);
  await failed.click();
  await webhooks.getByText('closed for stocktaking').waitFor();
  await webhooks.getByRole('button', { name: 'Resend', exact: true }).click();
  await webhooks.getByRole('button', { name: /^Delivered.*Resent.*200/ }).waitFor();
  await notice.waitFor({ state: 'detached' });
  await page.getByText(/^Resent to the shop by person\d+@shop\.pt$/).waitFor();
  const sent = receiver.requests.filter(({ body }) => body.toString().includes(untold));
  expect(sent).toHaveLength(5);
  expect(new Set(sent.map(({ body }) => body.toString()))).toHaveLength(1);
  expect(new Set(sent.map(({ headers }) => headers['x-service-delivery-id']))).toHaveLength(2);

  await webhooks.getByRole('button', { name: 'View request' }).click();
  await webhooks.getByRole('radiogroup').getByText('Attempt 1', { exact: true }).click();
  await webhooks.getByRole('heading', { name: 'Headers of attempt 1' }).waitFor();
  await expectSound(page, 'transaction-resent-en-1280');

  const phone = await pageOf(untold, { phone: true, language: 'pt' });
  await phone.getByRole('button', { name: /^Não entregue/ }).click();
  await phone.getByText('closed for stocktaking').waitFor();
  await phone.getByRole('button', { name: 'Ver pedido' }).click();
  await phone.getByRole('heading', { name: 'Cabeçalhos da tentativa 4' }).waitFor();
  await expectSound(phone, 'transaction-request-pt-390');
});

test('of an event that an automatic recovery did not send, no cause is claimed that may be false', async () => {
  const id = (await shop.pay({ orderId: 'ENC-4' })) as Id<'tx'>;
  const { db, ids, clock } = office.service.app.deps;
  const [event_id, recovery_id, at] = [ids('evt'), ids('rcv'), clock.now()];
  const event = {
    merchant_id: shop.merchantId,
    transaction_id: id,
    kind: 'payment.failed',
    created_at: at,
  } as const;
  const recovery = { id: recovery_id, since_at: at, latest: 0, automatic: 1, queued_at: at } as const;
  await db.unit((tx) => insertRecovery(tx, { ...recovery, merchant_id: shop.merchantId, created_at: at }));
  await insertRows(db, 'events', { ...event, id: event_id });
  const ended = { state: 'skipped', finished_at: at, recovery_id } as const;
  await insertRows(db, 'deliveries', { ...event, ...ended, id: ids('dlv'), event_id });
  const page = await pageOf(id);
  const notice = page.getByRole('region', { name: 'Webhook not delivered' });
  await notice.getByText('or a later event of the transaction had been delivered').waitFor();
  await notice.getByText('Resend the event if your server still needs it.').waitFor();
  const webhooks = page.getByRole('region', { name: 'Webhooks' });
  await webhooks.getByRole('button', { name: /^Not sent/ }).click();
  await webhooks.getByText('or a later event of the transaction had been delivered').waitFor();
});

/** The characters before each line break within an element. */
const LINE_ENDS = `(element) => {
  const ends = [];
  let top = null;
  let before = '';
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const { data } = walker.currentNode;
    for (let at = 0; at < data.length; at++) {
      const range = document.createRange();
      range.setStart(walker.currentNode, at);
      range.setEnd(walker.currentNode, at + 1);
      const box = range.getBoundingClientRect();
      if (top !== null && box.top > top + 4) ends.push(before);
      top = box.top;
      before = data[at];
    }
  }
  return ends;
}`;

test('on a phone an e-mail address and an order id break between their parts, not within a word', async () => {
  const email = 'maria.joaquina.conceicao.albuquerque@livraria-internacional.example.pt';
  const orderId = 'ENCOMENDA_INTERNACIONAL_2026.11.23_0001.ABCDEFGH';
  const id = await shop.init({ orderId, customer: { name: 'Maria', email } });
  const page = await pageOf(id, { phone: true });
  const heading = page.getByRole('heading', { name: `Order ${orderId}`, level: 1 });
  await heading.waitFor();
  const mail = `[...document.querySelectorAll('dd')].find((node) => node.textContent === '${email}')`;
  for (const shown of [`document.querySelector('h1')`, mail]) {
    const ends = await page.evaluate<string[]>(`(${LINE_ENDS})(${shown})`);
    expect(ends.length).toBeGreaterThan(0);
    for (const end of ends) expect(' @._-').toContain(end);
  }
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'transaction-long-words-en-390');
});

test('a transaction prints dark on white, without navigation, also from the dark theme', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.goto(`/m/${shop.merchantId}/transactions/${untold}`);
  await page.getByRole('heading', { name: 'Order ENC-1', level: 1 }).waitFor();
  const colours = () =>
    page.evaluate<string[]>(
      `[['body', 'color'], ['main section', 'backgroundColor']].map(([of, name]) =>
        getComputedStyle(document.querySelector(of))[name])`,
    );
  const dark = await colours();
  await page.setViewportSize({ width: 718, height: 1000 });
  await page.emulateMedia({ media: 'print' });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor({ state: 'attached' });
  await expect.poll(async () => (await colours())[1]).toBe('rgb(255, 255, 255)');
  expect((await colours())[0]).not.toBe(dark[0]);
  expect(await page.getByRole('navigation').first().isVisible()).toBe(false);
  expect(await overflows(page)).toBe(false);
  await shoot(page, 'transaction-print');
  await page.setViewportSize({ width: 1046, height: 700 });
  // A browser prints what sticks to the window as far down as the page was scrolled.
  expect(await page.evaluate(`getComputedStyle(document.querySelector('[role=note]')).position`)).toBe(
    'static',
  );
  await page.emulateMedia({ media: 'screen' });
  await expect.poll(colours).toEqual(dark);
});
