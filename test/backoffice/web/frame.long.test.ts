import { expect, test } from 'vitest';
import { removeMember } from '../../../src/backoffice/team/members.ts';
import { selectRow } from '../../support/rows.ts';
import { startedSession } from '../support.ts';
import { axe, expectSound, openBackoffice, shoot } from './support.ts';

const office = await openBackoffice();
const shop = await office.service.merchant({ name: 'Loja da Ana' });

test('language and theme are switched without a reload and kept; the theme follows the device, the tab names the merchant', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'methods' });
  const ground = () => page.evaluate('getComputedStyle(document.body).backgroundColor');
  await page.getByRole('heading', { level: 1, name: 'Payment methods' }).waitFor();
  expect(await page.title()).toBe('Payment methods · Loja da Ana');
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).not.toBe(light);
  const dark = await ground();
  await shoot(page, 'dark-methods');
  await page.getByRole('button', { name: 'Light', exact: true }).click();
  await expect.poll(ground).toBe(light);
  await page.emulateMedia({ colorScheme: 'light' });
  await page.getByRole('button', { name: 'Dark', exact: true }).click();
  await page.getByRole('button', { name: 'Português' }).click();
  const inPortuguese = page.getByRole('heading', { level: 1, name: 'Métodos de pagamento' });
  await inPortuguese.waitFor();
  await page
    .getByText('até 5 000,00 €', { exact: false })
    .or(page.getByText('0,01 € a 5 000,00 €'))
    .waitFor();
  expect(await page.evaluate('document.documentElement.lang')).toBe('pt-PT');
  await page.reload();
  await inPortuguese.waitFor();
  expect(await ground()).toBe(dark);
});

test('a tab follows the language that another one was given, and does not set that of the mails back', async () => {
  const { email, id } = await office.person({ merchantId: shop.merchantId });
  const page = await office.signIn({ email, clock: true, at: `/m/${shop.merchantId}/methods` });
  await page.getByRole('heading', { level: 1, name: 'Payment methods' }).waitFor();
  const other = await page.context().newPage();
  await other.goto(page.url());
  await other.getByRole('button', { name: 'Português' }).click();
  const language = async () => (await selectRow(office.service.app.deps.db, 'users', { id })).language;
  await expect.poll(language).toBe('pt');
  const session = page.waitForResponse((response) => response.url().includes('/trpc/session.current'));
  await page.clock.fastForward(60_001);
  await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
  await (await session).finished();
  await page.getByRole('heading', { level: 1, name: 'Métodos de pagamento' }).waitFor();
  expect(await language()).toBe('pt');
});

test('a tab that is returned to shows nothing of a person once another one has signed in', async () => {
  const { merchantId } = await office.service.merchant({ name: 'Talho do Rui' });
  const page = await office.signIn({ merchantId: shop.merchantId, at: '/account' });
  await page.getByText('Loja da Ana').waitFor();
  const { id } = await office.person({ merchantId });
  const value = await startedSession(office.service, id);
  const [cookie] = await page.context().cookies();
  await page.context().addCookies(cookie === undefined ? [] : [{ ...cookie, value }]);
  const returnedTo = async () => {
    await page.evaluate("window.dispatchEvent(new Event('visibilitychange'))");
    return await page.getByText('Talho do Rui').count();
  };
  await expect.poll(returnedTo).toBe(1);
  expect(await page.getByText('Loja da Ana').count()).toBe(0);
});

test('the keyboard alone reaches the content and the pages, and the heading of a new page takes the focus', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'methods' });
  await page.getByRole('heading', { name: 'MB WAY' }).waitFor();
  await page.keyboard.press('Tab');
  const focused = () => page.evaluate('document.activeElement?.textContent ?? ""');
  expect(await focused()).toBe('Skip to content');
  await page.getByRole('link', { name: 'Team' }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  await expect.poll(focused).toBe('Team');
});

test('on a phone the menu opens over the page, leads on and closes', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, phone: true, language: 'pt' });
  await page.goto(`/m/${shop.merchantId}/methods`);
  await page.getByRole('button', { name: 'Abrir o menu' }).click();
  await page.getByRole('dialog').getByRole('link', { name: 'Equipa' }).waitFor();
  await expectSound(page, 'menu-pt-390');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('Abrir o menu');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('link', { name: 'Equipa' }).click();
  await page.getByRole('heading', { level: 1, name: 'Equipa' }).waitFor();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
});

test('an operator lands at the merchants, and may go to each of them', async () => {
  const page = await office.signIn({ role: 'operator' });
  await page.goto('/');
  await page.waitForURL('**/operator/merchants');
  await page.getByRole('navigation', { name: 'Operator' }).waitFor();
  await page.getByRole('heading', { level: 1, name: 'Merchants' }).waitFor();
  await page.getByRole('combobox', { name: 'Switch merchant' }).click();
  await page.getByRole('option', { name: 'Loja da Ana', exact: true }).click();
  await page.waitForURL(`**/m/${shop.merchantId}`);
  await page.getByRole('navigation', { name: 'Merchant pages' }).waitFor();
});

test('a service that does not answer shows what to do, and trying again brings the page back', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId });
  await page.route('**/trpc/methods.list*', (route) => route.abort());
  await page.goto(`/m/${shop.merchantId}/methods`);
  await page.getByRole('alert').getByText('The service does not respond.').waitFor();
  await expectSound(page, 'failed-en-1280');
  await page.unroute('**/trpc/methods.list*');
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.getByRole('heading', { name: 'MB WAY' }).waitFor();
});

test('figures that can no longer be read are marked, although they were loaded', async () => {
  const member = { email: 'leitora@shop.pt', merchantId: shop.merchantId, role: 'viewer' } as const;
  const { id } = await office.person(member);
  const page = await office.signIn({ email: member.email });
  await page.goto(`/m/${shop.merchantId}`);
  await page.getByRole('heading', { name: 'Sales by day' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
  await removeMember(office.service.app.deps, shop.merchantId, id);
  const alert = page.getByRole('alert').filter({ hasText: 'what you see may be out of date' }).first();
  await alert.getByText('Not found, or you do not have access.').waitFor();
  await expectSound(page, 'stale-en-1280');
  await page.setViewportSize({ width: 390, height: 844 });
  await expectSound(page, 'stale-en-390');
});

test('a first load without the service stands in the frame of the pages outside, and can be tried again', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, language: 'pt', phone: true });
  await page.route('**/trpc/session.*', (route) => route.abort());
  await page.goto(`/m/${shop.merchantId}/methods`);
  await page
    .getByRole('heading', { name: 'Não foi possível carregar a gestão de pagamentos', level: 1 })
    .waitFor();
  await page.getByRole('alert').waitFor();
  await page.getByRole('main').getByText('Gestão de pagamentos', { exact: true }).waitFor();
  await expectSound(page, 'unreachable-pt-390');
  await page.unroute('**/trpc/session.*');
  await page.getByRole('button', { name: 'Tentar novamente' }).click();
  await page.getByRole('heading', { name: 'MB WAY' }).waitFor();
  await page.getByText('Hora de Lisboa').waitFor();
});

test('a person who must wait before the next sign-in reads how long', async () => {
  const page = await office.open('/sign-in', { language: 'pt', phone: true });
  const data = {
    code: 'TOO_MANY_REQUESTS',
    reason: 'sign_in_throttled',
    values: { seconds: 290 },
    requestId: 'req_1',
  };
  const error = { message: 'Wait.', code: -32029, data: { ...data, fields: [], httpStatus: 429 } };
  await page.route('**/trpc/session.signIn', (route) => route.fulfill({ status: 429, json: { error } }));
  await page.getByLabel('E-mail').fill('ana@shop.pt');
  await page.getByLabel('Palavra-passe', { exact: true }).fill('something');
  await page.getByRole('button', { name: 'Iniciar sessão' }).click();
  const alert = page.getByRole('alert');
  await alert.getByText('Demasiadas tentativas. Tente novamente dentro de 5 minutos.').waitFor();
  await expectSound(page, 'throttled-pt-390');
  await page.getByRole('button', { name: 'English' }).click();
  await alert.getByText('Too many attempts. Try again in 5 minutes.').waitFor();
});

test('data of a service that stopped is marked in the frame alone', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: '/' });
  await page.getByRole('heading', { name: 'Sales by day' }).waitFor();
  let refused = 0;
  await page.route(/\/healthz|\/trpc\//, (route) => {
    if (route.request().url().includes('overview.show')) refused += 1;
    return route.abort();
  });
  await page.getByRole('alert').filter({ hasText: 'No connection' }).waitFor();
  // The page asks again after three failed tries.
  await expect.poll(() => refused, { timeout: 20_000 }).toBe(4);
  expect(await page.getByText('what you see may be out of date').count()).toBe(0);
  page.troubles().length = 0;
});

test('an outage is shown within five seconds and the page recovers by itself', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, language: 'pt', at: 'transactions' });
  await page.getByRole('heading', { level: 1 }).waitFor();
  const loading = page.getByRole('status', { name: /^A carregar/ });
  await loading.first().waitFor({ state: 'detached' });
  const banner = page.getByRole('alert').filter({ hasText: /^(Sem ligação|No connection)/ });
  await page.context().setOffline(true);
  await banner.waitFor({ timeout: 5000 });
  expect(await banner.textContent()).toMatch(/^Sem ligação ao serviço\. Está a ver os dados das \d\d:\d\d\./);
  await page.getByRole('button', { name: 'English' }).click();
  const data = /^No connection to the service\. The data shown is from \d\d:\d\d\./;
  await banner.filter({ hasText: data }).waitFor();
  await page.setViewportSize({ width: 390, height: 844 });
  await expect
    .poll(() => page.evaluate('getComputedStyle(document.querySelector("main")).filter'))
    .toBe('grayscale(1)');
  expect(await axe(page)).toEqual([]);
  await shoot(page, 'outage-en-390');
  const reloaded = page.waitForResponse((response) => response.url().includes('/trpc/'));
  await page.context().setOffline(false);
  await banner.waitFor({ state: 'detached', timeout: 5000 });
  await reloaded;
  // The requests that the outage refused.
  page.troubles().length = 0;
});

test('a page whose script could not be loaded appears once the service answers', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'methods' });
  await page.getByRole('heading', { level: 1, name: 'Payment methods' }).waitFor();
  await page.route('**/*', (route) => route.abort());
  await page.getByRole('link', { name: 'Team' }).click();
  await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
  await page.unroute('**/*');
  await page.getByRole('heading', { level: 1, name: 'Team' }).waitFor();
  // The files that could not be loaded.
  page.troubles().length = 0;
});

test('a counter of open work that cannot be read is marked, since no counter means that there is none', async () => {
  const page = await office.signIn({ role: 'operator', language: 'pt' });
  await page.route(/trpc\/(exceptions.counts|review.totals|refunds.sum|system.bankNotices)/, (route) =>
    route.fulfill({ status: 503 }),
  );
  await page.goto('/operator/system');
  const operator = page.getByRole('navigation', { name: 'Operador' });
  await expect.poll(() => operator.getByTitle('Não foi possível carregar').count()).toBe(3);
  await page.getByText('Não foi possível verificar se foi alterada uma conta bancária ou uma rota').waitFor();
  await expectSound(page, 'counters-failed-pt-1280');
});

test('a search that fails says so, instead of loading without an end', async () => {
  const page = await office.signIn({ role: 'operator', at: '/operator/audit' });
  await page.route(/trpc\/(merchants|users).list/, (route) => route.fulfill({ status: 503 }));
  for (const name of ['Who', 'Merchant', 'Switch merchant']) {
    await page.getByRole('combobox', { name, exact: true }).click();
    await page.getByRole('listbox').getByText('Could not load this').waitFor();
    await page.keyboard.press('Escape');
  }
});

test('a double click on a row or a button opens its drawer or dialog and does not close it', async () => {
  const page = await office.signIn({ role: 'operator', at: '/operator/merchants' });
  const row = page.getByRole('row').filter({ hasText: 'Loja da Ana' });
  await row.getByRole('cell').nth(1).dblclick({ delay: 5 });
  await page.waitForURL(/merchant=/);
  await page.getByRole('dialog').getByText('Access', { exact: true }).waitFor();
  expect(page.url()).toContain('merchant=');
  await page.keyboard.press('Escape');
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  // The dialog is loaded before its first opening only.
  for (const name of ['Padaria', 'Talho']) {
    await page.getByRole('button', { name: 'New merchant' }).dblclick({ delay: 5 });
    await page.getByRole('dialog').getByLabel('Name').fill(name);
    // A single click outside closes it.
    await page.mouse.click(20, 450);
    await page.getByRole('dialog').waitFor({ state: 'detached' });
  }
});

test('a sign-out that takes long is seen to be under way', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'team' });
  const gate = Promise.withResolvers<void>();
  await page.route('**/trpc/session.signOut', (route) => gate.promise.then(() => route.continue()));
  const button = page.getByRole('button', { name: 'Sign out' });
  await button.click();
  await button.locator('.mantine-Loader-root').waitFor();
  gate.resolve();
  await page.getByRole('heading', { name: 'Sign in' }).waitFor();
});

test('a session that ends together with the connection keeps what was typed', async () => {
  const page = await office.signIn({ merchantId: shop.merchantId, at: 'domains' });
  const field = page.getByLabel('Store domain');
  await field.fill('nova.pt');
  await page.waitForLoadState('networkidle');
  await page.context().clearCookies();
  await page.route('**/assets/**', (route) => route.abort());
  await page.getByRole('button', { name: 'Add' }).click();
  await page.getByRole('dialog', { name: 'Sign in again' }).waitFor();
  expect(await field.inputValue()).toBe('nova.pt');
});
