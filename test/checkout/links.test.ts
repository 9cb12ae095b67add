import { afterAll, expect, test } from 'vitest';
import { setRoute } from '../../src/banks/routes.ts';
import { viewLink } from '../../src/checkout/link-session.ts';
import { cents } from '../../src/kernel/money.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { runHere } from '../cli/support.ts';
import { eupagoMerchant } from '../payments/acquirers-kit.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { selectRow, selectRows, updateRows } from '../support/rows.ts';
import { postForm } from './support.ts';

const folder = temporaryFolder(afterAll);
const service = await startService({ whenOver: afterAll, folder });
const merchant = await service.merchant({ name: 'Padaria' });

/** Runs a command with the address of the running service. */
async function service$(...line: string[]) {
  const outcome = await runHere(folder, [...line, '--json'], { SERVICE_PUBLIC_URL: service.url });
  return { ...outcome, value: outcome.code === 0 ? JSON.parse(outcome.stdout) : null };
}

const createFor = async (merchantId: string, ...more: string[]) =>
  (await service$('link', 'create', '--merchant', merchantId, '--title', 'Bolo', ...more)).value;
const create = (...more: string[]) => createFor(merchant.merchantId, ...more);
const rowOf = async (linkId: string) =>
  (await service$('link', 'list', '--merchant', merchant.merchantId)).value.find(
    (row: { linkId: string }) => row.linkId === linkId,
  );
const post = (url: string, fields: Record<string, string>) => postForm(url, fields, { origin: 'null' });
const orders = async (prefix: string) => {
  return await service.app.deps.db.read
    .selectFrom('transactions')
    .select(['id', 'order_id', 'amount_cents'])
    .where('order_id', 'like', `${prefix}-%`)
    .orderBy('id')
    .execute();
};

test('a link is opened, used and paid', async () => {
  const { linkId, url } = await create('--amount', '12.50', '--order-id', 'BOLO');
  expect(linkId).toMatch(/^lnk_/);
  expect(url).toMatch(new RegExp(`^${service.url}/pay/l/[\\w-]{22}$`));
  const shown = await (await fetch(url)).text();
  expect(shown).toContain('Padaria');
  expect(shown).toContain('12,50');
  expect(await rowOf(linkId)).toEqual({
    linkId,
    title: 'Bolo',
    amount: 12.5,
    url,
    active: true,
    uses: 0,
    paidCount: 0,
    paidTotal: 0,
  });
  const list = ['link', 'list', '--merchant', merchant.merchantId];
  expect((await service$(...list, '--after', linkId)).value).toEqual([]);
  // Without checkout data, although the merchant has no paid sale yet.
  await postForm(url, { method: 'REFERENCE' }, { 'sec-fetch-site': 'cross-site' });
  const posted = await post(url, { method: 'MBWAY', phoneNumber: '911000001', visit: 'short' });
  expect(posted.status).toBe(303);
  const location = posted.headers.get('location') ?? '';
  expect(location).toMatch(/^\/pay\/[\w-]{22}$/);
  const [order] = await orders('BOLO');
  expect(order).toMatchObject({ order_id: 'BOLO-1', amount_cents: 1250 });
  await merchant.reaches(order?.id ?? '', 'paid');
  const paid = await (await fetch(service.url + location)).text();
  for (const text of ['Pagamento confirmado', 'BOLO-1', '<p>Bolo</p>']) expect(paid).toContain(text);
  await post(url, { method: 'REFERENCE' });
  expect((await orders('BOLO')).map(({ order_id: id }) => id)).toEqual(['BOLO-1', 'BOLO-2']);
  expect(await rowOf(linkId)).toMatchObject({ uses: 2, paidCount: 1, paidTotal: 12.5, active: true });
});

test('the shopper chooses an amount within the bounds, with a comma', async () => {
  const { linkId, url } = await create('--min', '1', '--max', '5000');
  for (const amount of ['', '0', '0,99', '5.000,01', 'x', '1,005', '1.500', '2,000', '-5', '1.23,4']) {
    const refused = await post(url, { method: 'REFERENCE', amount });
    expect(refused.headers.get('location'), amount).toContain('problem=amount');
  }
  const page = await fetch(new URL((await post(url, { amount: 'x' })).headers.get('location') ?? '', url));
  expect(page.status).toBe(200);
  const text = await page.text();
  expect(text).toContain('role="alert" id="amount-error">O montante indicado não é válido.');
  expect(text).toContain('aria-invalid="true" aria-describedby="amount-error amount-hint"');
  for (const amount of ['12,5', '1', '500.00 €', '1.234,56'])
    await post(url, { method: 'REFERENCE', amount });
  const made = await orders(linkId);
  expect(made.map((row) => [row.order_id, Number(row.amount_cents)])).toEqual([
    [`${linkId}-1`, 1250],
    [`${linkId}-2`, 100],
    [`${linkId}-3`, 50_000],
    [`${linkId}-4`, 123_456],
  ]);
});

test("the page of a link shows the lowest amount that the merchant's acquirer accepts", async () => {
  const { merchantId } = (await eupagoMerchant(service)).merchant;
  const { url } = await createFor(merchantId);
  expect(await (await fetch(url)).text()).toContain('de 1,00\u00a0€ a');
  const refused = await post(url, { method: 'REFERENCE', amount: '0,99' });
  expect(refused.headers.get('location')).toContain('problem=amount');
});

test('the page of a link offers only the methods that accept its amount', async () => {
  const { merchantId } = (await eupagoMerchant(service)).merchant;
  const offered = async (...amount: string[]) => {
    const { url } = await createFor(merchantId, ...amount);
    const page = await (await fetch(url)).text();
    const methods = ['MBWAY', 'REFERENCE'].filter((method) => page.includes(`value="${method}"`));
    expect(page.includes('Nenhum método')).toBe(methods.length === 0);
    expect(/name="phoneNumber"[^>]* required/.test(page)).toBe(methods.join() === 'MBWAY');
    return methods;
  };
  expect(await offered('--amount', '0.99')).toEqual([]);
  await setRoute(service.app.deps, merchantId, 'REFERENCE', { acquirer: 'ifthenpay', fallback: null });
  expect(await offered('--amount', '0.99')).toEqual(['REFERENCE']);
  await setRoute(service.app.deps, merchantId, 'REFERENCE', { acquirer: 'eupago', fallback: null });
  await setRoute(service.app.deps, merchantId, 'MBWAY', { acquirer: 'ifthenpay', fallback: null });
  expect(await offered('--amount', '0.99')).toEqual(['MBWAY']);
  expect(await offered('--amount', '1')).toEqual(['MBWAY', 'REFERENCE']);
  expect(await offered()).toEqual(['MBWAY', 'REFERENCE']);
  expect(await offered('--max', '0.99')).toEqual(['MBWAY']);
  await setRoute(service.app.deps, merchantId, 'MBWAY', { acquirer: 'eupago', fallback: null });
  expect(await offered('--min', '0.50', '--max', '0.99')).toEqual([]);
});

test('the page of a link whose shopper chooses the amount offers MB WAY whatever its limit', async () => {
  const { url } = await create();
  const { settings, ...deps } = service.app.deps;
  const shown = await viewLink(
    { ...deps, settings: { ...settings, mbwayMaxCents: cents(50) } },
    new URL(url).pathname.split('/').at(-1) ?? '',
  );
  expect(shown?.methods).toEqual(['MBWAY', 'REFERENCE']);
});

test('the page says when the chosen method does not accept the chosen amount', async () => {
  const { url } = await create();
  const posted = await post(url, { method: 'MBWAY', phoneNumber: '911000001', amount: '5000,01' });
  const page = service.url + (posted.headers.get('location') ?? '');
  const textOf = async (address: string) => await (await fetch(address)).text();
  expect(await textOf(page)).toContain('O método que escolheu não está disponível para este pagamento.');
  expect(await textOf(`${page}?lang=en`)).toContain(
    'The method you chose is not available for this payment.',
  );
  await post(page, { method: 'REFERENCE' });
  expect(await textOf(page)).not.toContain('não está disponível');
});

test('the page of a link needs no bank credentials if it is closed or its amount is above every minimum', async () => {
  const { merchant: other, account } = await eupagoMerchant(service);
  const open = await createFor(other.merchantId, '--amount', '5');
  const closed = await createFor(other.merchantId, '--amount', '0.99');
  await service$('link', 'close', closed.linkId);
  await updateRows(service.app.deps.db, 'bank_accounts', { credentials: 'unreadable' }, { id: account });
  expect(await (await fetch(open.url)).text()).toContain('5,00');
  const page = await fetch(closed.url);
  expect(page.status).toBe(200);
  expect(await page.text()).toContain('role="status"');
});

test('concurrent uses get different numbers and never exceed the limit', async () => {
  const { linkId, url } = await create('--amount', '5', '--uses', '3', '--order-id', 'TRES');
  const posted = await Promise.all(Array.from({ length: 8 }, () => post(url, { method: 'REFERENCE' })));
  const sessions = posted.filter(({ headers }) => !headers.get('location')?.includes('/pay/l/'));
  expect(sessions).toHaveLength(3);
  expect((await orders('TRES')).map(({ order_id: id }) => id).sort()).toEqual(['TRES-1', 'TRES-2', 'TRES-3']);
  expect(await rowOf(linkId)).toMatchObject({ active: false, uses: 3 });
  expect(await (await fetch(url)).text()).toContain('já não aceita pagamentos');
});

/** The field that the opened page of a link posts back. */
async function visitOf(url: string): Promise<string> {
  const [, visit] = /name="visit" value="([\w-]{22})"/.exec(await (await fetch(url)).text()) ?? [];
  return visit ?? '';
}

test('a form that is posted again makes one order and one push', async () => {
  const { linkId, url } = await create('--amount', '5', '--uses', '1', '--order-id', 'UMA');
  const form = { method: 'MBWAY', phoneNumber: '911222333', visit: await visitOf(url) };
  const answers = await Promise.all([1, 2, 3].map(() => post(url, form)));
  const pages = new Set([...answers, await post(url, form)].map(({ headers }) => headers.get('location')));
  expect([...pages]).toEqual([`/pay/${form.visit}`]);
  const made = await orders('UMA');
  expect(made).toHaveLength(1);
  const attempts = await selectRows(service.app.deps.db, 'attempts', { transaction_id: made[0]?.id ?? '' });
  expect(attempts).toHaveLength(1);
  expect(await rowOf(linkId)).toMatchObject({ active: false, uses: 1 });
});

test('a form posted again with another amount makes another order', async () => {
  const { linkId, url } = await create();
  const visit = await visitOf(url);
  for (const amount of ['10', '20', '10,00', '']) await post(url, { method: 'REFERENCE', amount, visit });
  expect((await orders(linkId)).map((row) => Number(row.amount_cents))).toEqual([1000, 2000]);
});

test('a form posted again after its session has expired makes another order', async () => {
  const { linkId, url } = await create('--amount', '5');
  const visit = await visitOf(url);
  await post(url, { visit });
  await updateRows(service.app.deps.db, 'checkout_sessions', { expires_at: Date.now() }, { link_id: linkId });
  expect((await post(url, { visit })).headers.get('location')).not.toBe(`/pay/${visit}`);
  expect(await orders(linkId)).toHaveLength(2);
});

test('the form of a link never leads to the session of another link', async () => {
  const [first, second] = [await create('--amount', '5'), await create('--amount', '5')];
  const visit = await visitOf(first.url);
  await post(first.url, { visit });
  const answer = await post(second.url, { visit });
  expect(answer.headers.get('location')).toMatch(/^\/pay\/[\w-]{22}$/);
  expect(answer.headers.get('location')).not.toBe(`/pay/${visit}`);
  for (const odd of ['', 'x', '../../admin/aaaaaaaaaaaaa']) await post(second.url, { visit: odd });
  expect([await orders(first.linkId), await orders(second.linkId)].map((made) => made.length)).toEqual([
    1, 4,
  ]);
});

test('a closed link takes no order, and its open session goes on', async () => {
  const { linkId, url } = await create('--amount', '7', '--order-id', 'SETE');
  const session = (await post(url, {})).headers.get('location') ?? '';
  const closed = await service$('link', 'close', linkId);
  expect(closed.value).toMatchObject({ linkId, active: false, uses: 1 });
  expect((await service$('link', 'close', linkId)).value).toEqual(closed.value);
  await post(url, { method: 'REFERENCE' });
  expect(await orders('SETE')).toHaveLength(1);
  await post(service.url + session, { method: 'REFERENCE' });
  expect(await (await fetch(service.url + session)).text()).toContain('Entidade');
  const actions = await selectRows(service.app.deps.db, 'audit_log', { target: linkId });
  expect(actions.map(({ action }) => action)).toEqual(['link.created', 'link.closed']);
});

test('the session of a link ends with it, and an inactive merchant starts none', async () => {
  const expiresAt = new Date(Date.now() + 3_600_000).toISOString();
  const { url } = await create('--amount', '7', '--expires-at', expiresAt, '--order-id', 'FIM');
  await post(url, {});
  const row = await selectRow(service.app.deps.db, 'transactions', { order_id: 'FIM-1' });
  expect(new Date(row.pending_until ?? 0).toISOString()).toBe(expiresAt);
  await setMerchant(service.app.deps, merchant.merchantId, { active: false });
  await post(url, {});
  expect(await (await fetch(url)).text()).toContain('já não aceita pagamentos');
  await setMerchant(service.app.deps, merchant.merchantId, { active: true });
  expect(await orders('FIM')).toHaveLength(1);
});

test('the day of a link counts to its end in Lisbon', async () => {
  const { linkId } = await create('--amount', '7', '--expires-at', '2030-07-15');
  const { expires_at } = await selectRow(service.app.deps.db, 'payment_links', { id: linkId });
  expect(new Date(expires_at ?? 0).toISOString()).toBe('2030-07-15T22:59:59.000Z');
});

test('invalid input is refused in one line', async () => {
  const id = merchant.merchantId;
  for (const more of [
    ['--amount', '5', '--min', '1'],
    ['--amount', '5', '--max', '9'],
    ['--min', '5', '--max', '1'],
    ['--order-id', 'x'.repeat(236)],
    ['--amount', '0'],
    ['--amount', '1.005'],
    ['--uses', '0'],
    ['--expires-at', '2020-01-01'],
  ]) {
    const { code, stderr } = await service$('link', 'create', '--merchant', id, '--title', 'T', ...more);
    expect([code, stderr.trim().split('\n').length], stderr).toEqual([1, 1]);
  }
  expect((await service$('link', 'close', 'lnk_unknown')).code).toBe(1);
});
