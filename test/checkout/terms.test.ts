import { afterAll, expect, onTestFinished, test } from 'vitest';
import { createLink, listLinks } from '../../src/checkout/links.ts';
import { DAY_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { cents } from '../../src/kernel/money.ts';
import { removeDomain } from '../../src/merchants/domains.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { outbox } from '../mail/support.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { ORDER, REAL_BANK, startService, type TestMerchant } from '../support/harness.ts';
import { freePort } from '../support/program.ts';
import { auditRows } from '../support/row-audit.ts';
import { updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { createSession, NO_TERMS, postForm, readSession, visitPage } from './support.ts';

const service = await startService({ whenOver: afterAll });
const merchant = await service.merchant();

const textOf = async (url: string) => await (await fetch(url)).text();

test('a session without a language, methods or an end is Portuguese unless its address says otherwise, and offers both', async () => {
  const { body } = await createSession(service, merchant, { orderId: 'ENC-7', amount: 1234.5 });
  const shown = await textOf(body.url);
  for (const part of ['<html lang="pt">', 'Test Shop', 'ENC-7', 'value="MBWAY"', 'value="REFERENCE"'])
    expect(shown).toContain(part);
  expect(shown).toMatch(/1\s?234,50\s€/);
  expect(await textOf(`${body.url}?lang=en`)).toContain('<html lang="en">');
  // Above the limit of MB WAY.
  const large = await createSession(service, merchant, { amount: 5000.01 });
  expect(await textOf(large.body.url)).not.toContain('value="MBWAY"');
});

test('with a real bank, sessions last at least 5 minutes, return to https only, and no mail is written', async () => {
  const clock = fakeClock(Date.now());
  const real = await startService({ clock, env: REAL_BANK });
  const seller = await real.merchant();
  await setMerchant(real.app.deps, seller.merchantId, { customerMails: true });
  const created = (overrides: Record<string, unknown>) => createSession(real, seller, overrides);
  const ahead = (ms: number) => new Date(clock.now() + ms).toISOString();
  for (const ms of [5 * MINUTE_MS, 30 * DAY_MS])
    expect((await created({ expiresAt: ahead(ms) })).status).toBe(200);
  for (const ms of [5 * MINUTE_MS - 1000, 30 * DAY_MS + 1])
    expect((await created({ expiresAt: ahead(ms) })).body.fields).toEqual(['expiresAt']);
  for (const url of ['http://localhost:3000/thanks', 'http://localhost'])
    expect((await created({ successUrl: url, cancelUrl: url })).body.fields).toEqual([
      'successUrl',
      'cancelUrl',
    ]);
  const { body } = await created({ locale: 'en' });
  // The bank has no credentials here.
  expect((await postForm(body.url, { method: 'REFERENCE' })).status).toBe(303);
  expect(await textOf(body.url)).toContain('The bank did not accept the request');
  expect(await outbox(real)).toEqual([]);
});

test('behind a proxy, addresses begin with SERVICE_PUBLIC_URL and steps lead back to it', async () => {
  const port = await freePort();
  const env = {
    SERVICE_PORT: String(port),
    SERVICE_PUBLIC_URL: 'https://pay.example/base/',
    SERVICE_MBWAY_WINDOW_SECONDS: '1',
  };
  const proxied = { ...(await startService({ env })), url: `http://127.0.0.1:${port}` };
  const { body } = await createSession(proxied, await proxied.merchant());
  const [, path = ''] = /^https:\/\/pay\.example\/base(\/pay\/[\w-]{22})$/.exec(body.url) ?? [];
  const push = { method: 'MBWAY', phoneNumber: '911000003' };
  // The proxy may keep or replace the Host header.
  const from = { 'https://pay.example': push, [proxied.url]: { method: 'REFERENCE' } };
  for (const [origin, fields] of Object.entries(from)) {
    const posted = await postForm(`${proxied.url}${path}?lang=en`, fields, { origin });
    expect(posted.headers.get('location')).toBe(`/base${path}?lang=en`);
  }
  const shown = () => textOf(proxied.url + path);
  await until(async () => (await shown()).includes('A aguardar a resposta do banco'), 'the end of the push');
  for (const text of ['Pague apenas por um deles', 'Entidade', 'data-copy="19,99"'])
    expect(await shown()).toContain(text);
  expect(await shown()).not.toContain('Nenhum método');
});

test('the steps of pages do not count in the rate limit of the API', async () => {
  const limited = await startService({ env: { SERVICE_POST_RATE_LIMIT: '1' } });
  const { body } = await createSession(limited, await limited.merchant());
  for (let posts = 0; posts < 4; posts++) {
    const { status, headers } = await postForm(body.url, { method: 'REFERENCE' });
    expect([status, headers.get('ratelimit-remaining')]).toEqual([303, null]);
  }
});

test('the addresses of a session keep leading to the store after its domain was removed', async () => {
  const domains = ['loja.pt', 'shop.pt'];
  const seller = await service.merchant({ domains });
  const urls = { successUrl: 'https://loja.pt/ok', cancelUrl: 'https://loja.pt/' };
  const { body } = await createSession(service, seller, urls);
  await removeDomain(service.app.deps, seller.merchantId, 'loja.pt');
  expect((await createSession(service, seller, urls)).body.fields).toEqual(['successUrl', 'cancelUrl']);
  expect(await textOf(body.url)).toContain('href="https://loja.pt/"');
});

const steps = [{ method: 'MBWAY', phoneNumber: '911000001' }, { method: 'REFERENCE' }];

async function paidSession(seller: TestMerchant) {
  const { body } = await createSession(service, seller);
  await postForm(body.url, steps[0] ?? {});
  await until(
    async () => (await readSession(service, seller, body.sessionId)).body.status === 'complete',
    'the payment',
  );
  return body.url as string;
}

test('no step and no call on a complete or expired session changes a payment, and GET shows each end with 200', async () => {
  const complete = await paidSession(merchant);
  const expired = (
    await createSession(service, merchant, { expiresAt: new Date(Date.now() + 1000).toISOString() })
  ).body;
  await until(
    async () => (await textOf(expired.url)).includes('O prazo de pagamento terminou'),
    'the expiry',
  );
  const { transactionId } = (await readSession(service, merchant, expired.sessionId)).body;
  await merchant.reaches(transactionId, 'cancelled');
  const audit = await auditRows(service.app.deps.settings.databaseUrl);
  onTestFinished(() => audit.close());
  for (const url of [complete, expired.url]) {
    for (const step of steps) expect((await postForm(url, step)).status).toBe(303);
    expect((await fetch(url)).status).toBe(200);
  }
  const changed = Object.keys(await audit.changes());
  expect(changed.filter((change) => /^(transactions|attempts|checkout_\w+|events) /.test(change))).toEqual(
    [],
  );
});

test('a live reference stays on the page of an expired session, without a further step, and completes it', async () => {
  const expiresAt = new Date(Date.now() + 1500).toISOString();
  const { url, sessionId } = (await createSession(service, merchant, { expiresAt })).body;
  await postForm(url, { method: 'REFERENCE' });
  const shown = await until(async () => {
    const text = await textOf(url);
    return text.includes('O prazo de pagamento terminou') ? text : null;
  }, 'the expiry');
  expect(shown).toContain('A referência abaixo ainda pode ser paga');
  expect(shown).not.toContain('<form');
  const [, entity, reference] = /data-copy="(\d{5})"[\s\S]*data-copy="(\d{9})"/.exec(shown) ?? [];
  await service.control('/multibanco', { entity, reference });
  const read = async () => (await readSession(service, merchant, sessionId)).body.status;
  await until(async () => (await read()) === 'complete', 'the payment');
});

test('a paid page shows no other payment of the order: no open push, no reference, no refusal', async () => {
  for (const [phoneNumber, pushShows] of [
    ['920030001', 'Confirm the payment'],
    ['920030002', 'Confirm the payment'],
    ['911000002', 'was refused'],
  ] as const) {
    const { step, shows, state } = await visitPage(service, merchant, { locale: 'en' });
    await step({ method: 'REFERENCE' });
    const { entity, reference } = (await merchant.status((await state()).transactionId ?? '')).mb;
    await step({ method: 'MBWAY', phoneNumber });
    expect(await shows(pushShows)).toContain(entity);
    if (phoneNumber === '920030001') await service.control('/mbway', { phoneNumber, outcome: 'accept' });
    else await service.control('/multibanco', { entity, reference });
    const paid = await shows('Payment confirmed');
    for (const text of [pushShows, entity, 'data-live']) expect(paid).not.toContain(text);
  }
});

test('the page shows no reference that can no longer be paid', async () => {
  const { step, shows, page, state } = await visitPage(service, merchant, { locale: 'en' });
  await step({ method: 'REFERENCE' });
  await shows('Entity');
  const { transactionId } = await state();
  const over = { expires_at: Date.now() - 1000 };
  await updateRows(service.app.deps.db, 'attempts', over, { transaction_id: transactionId });
  expect(await page()).not.toContain('Entity');
});

test('the five pushes of a session in ten minutes and those of a phone in an hour are forgotten after it', async () => {
  const clock = fakeClock(Date.now());
  const timed = await startService({ clock, env: { SERVICE_PHONE_PUSHES_PER_HOUR: '6' } });
  const seller = await timed.merchant();
  const { body } = await createSession(timed, seller, { locale: 'en' });
  const push = async (url: string) => {
    await postForm(url, { method: 'MBWAY', phoneNumber: '911000002' });
    const shown = await textOf(url);
    if (shown.includes('Too many')) return false;
    await clock.advanceUntil(200, async () => (await textOf(url)).includes('was refused'), 'the refusal');
    return true;
  };
  const startedAt = clock.now();
  for (let pushes = 0; pushes < 5; pushes++) expect(await push(body.url)).toBe(true);
  expect(await push(body.url)).toBe(false);
  await clock.jump(startedAt + 10 * MINUTE_MS - clock.now());
  expect(await textOf(body.url)).not.toContain('Too many');
  expect(await push(body.url)).toBe(true);
  // The sixth of this phone in the hour.
  const other = (await createSession(timed, seller, { locale: 'en' })).body.url;
  expect(await push(other)).toBe(false);
  await clock.jump(startedAt + 60 * MINUTE_MS - clock.now());
  expect(await push(other)).toBe(true);
});

test('a link without an amount takes any, and is inactive once expired; its sessions end after 24 hours', async () => {
  const { deps } = service.app;
  const { merchantId } = merchant;
  const terms = { merchantId, title: 'Donativo', ...NO_TERMS };
  const expiresAt = Date.now() + 1500;
  const lasting = await createLink(deps, terms);
  const short = await createLink(deps, { ...terms, expiresAt });
  const rowOf = async (id: string) =>
    (await listLinks(deps, { merchantId, limit: 100, after: undefined })).find(({ linkId }) => linkId === id);
  expect(await rowOf(short.linkId)).toMatchObject({ amount: null, active: true });
  const pages: (string | null)[] = [];
  for (const amount of ['0,01', '99999.99']) {
    const { headers } = await postForm(lasting.url, { method: 'REFERENCE', amount });
    pages.push(headers.get('location'));
  }
  const made = await deps.db.read
    .selectFrom('checkout_sessions')
    .innerJoin('transactions', 'session_id', 'checkout_sessions.id')
    .select(['amount_cents', 'checkout_sessions.created_at', 'expires_at'])
    .where('link_id', '=', lasting.linkId)
    .orderBy('transactions.id')
    .execute();
  expect(made.map(({ amount_cents }) => amount_cents)).toEqual([cents(1), cents(9_999_999)]);
  for (const { created_at, expires_at } of made)
    expect(Math.abs(expires_at - created_at - DAY_MS)).toBeLessThan(1000);
  await updateRows(deps.db, 'checkout_sessions', { expires_at: Date.now() }, { link_id: lasting.linkId });
  // There is no shop to return to.
  expect(await textOf(new URL(pages[0] ?? '', service.url).href)).toContain('abra novamente o link');
  await until(() => Date.now() >= expiresAt, 'the expiry');
  expect(await rowOf(short.linkId)).toMatchObject({ active: false, uses: 0 });
  expect(await textOf(short.url)).toContain('já não aceita pagamentos');
});

test('a page that fails shows an error in the shopper’s language, and the failure is logged', async () => {
  const { url, sessionId } = await merchant.trpc.checkout.createSession.mutate(ORDER);
  await updateRows(service.app.deps.db, 'checkout_sessions', { notice: 'broken' }, { id: sessionId });
  for (const [query, text] of [
    ['', 'Ocorreu um erro temporário'],
    ['?lang=en', 'A temporary error occurred'],
  ]) {
    const answer = await fetch(url + query);
    expect(answer.status).toBe(500);
    expect(await answer.text()).toContain(text);
  }
  expect(service.logged()).toMatch(/"route":"\/pay\/:token","status":500/);
  expect(service.logged()).not.toContain(url.split('/').at(-1));
});
