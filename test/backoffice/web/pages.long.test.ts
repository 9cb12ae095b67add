import { expect, test } from 'vitest';
import { createLink } from '../../../src/checkout/links.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { cents } from '../../../src/kernel/money.ts';
import { addDomain } from '../../../src/merchants/domains.ts';
import { createKey } from '../../../src/merchants/keys.ts';
import { setMerchant } from '../../../src/merchants/set-merchant.ts';
import { createRefund } from '../../../src/payments/refunds/create-refund.ts';
import { until } from '../../support/until.ts';
import { cases } from './money-cases.ts';
import { VIEWS } from './sales-kit.ts';
import { expectSound, openWithReceiver, overflows, shoot, type WatchedPage } from './support.ts';

/** One shop with long texts, the largest amount and something on every page; another with a held sale. */
const { office, receiver } = await openWithReceiver({ SERVICE_REQUIRE_CHECKOUT_DATA: 'false' });
const { service } = office;
const { deps } = service.app;
const money = cases(service);
const shop = await service.merchant({
  name: `Armazéns ${'Albuquerque'.repeat(8)}`,
  webhookUrl: receiver.url,
});
const { merchantId } = shop;
const ids = await fill();

async function fill() {
  const big = await shop.init({
    orderId: 'X'.repeat(255),
    amount: 99_999.99,
    customer: { name: 'Maria '.repeat(20).trim(), email: `${'m'.repeat(60)}@armazens.example` },
    items: [{ id: 'S'.repeat(100), name: 'N'.repeat(200), quantity: 1, priceInCents: 9_999_999 }],
  });
  const { body } = await shop.post('/payments/multibanco', { transactionId: big });
  const { entity, reference } = body;
  await service.control('/multibanco', { entity, reference });
  await shop.reaches(big, 'paid');
  await service.control('/multibanco', { entity, reference, amount: 7 });
  await (await money.reference(shop, 'SHORT-1')).pay(12);
  const stranger = await money.stranger(19.99);
  const refunds: string[] = [];
  for (const mode of ['error500-refund', 'refuse-refund']) {
    const of = { transactionId: (await shop.pay({ orderId: mode })) as Id<'tx'> };
    await service.control('/faults', { mode, times: 1 });
    const refund = await createRefund(deps, { merchantId: null, operator: true }, { of, amount: null });
    const row = await until(async () => {
      const rows = await deps.db.read.selectFrom('refunds').selectAll().execute();
      return rows.find(({ id, state }) => id === refund && /unknown|failed/.test(state));
    }, mode);
    refunds.push(row.receipt_id);
  }
  await createKey(deps, merchantId, { name: 'ERP', expiresInDays: 30 });
  await addDomain(deps, merchantId, 'armazens.pt');
  const terms = { min: null, max: null, orderId: null, uses: null, expiresAt: null };
  await createLink(deps, { merchantId, title: 'Bolo de aniversário', amount: cents(9_999_999), ...terms });
  await office.person({ email: `gerencia.${'a'.repeat(30)}@armazens.example`, merchantId });
  const held = await service.merchant({ name: 'Florista do Bairro Alto e Filhos' });
  await setMerchant(deps, held.merchantId, { hold: true });
  await held.push('911000001', { orderId: 'HELD-1' });
  const duplicate = await until(
    async () => (await money.receipts()).find((receipt) => receipt.duplicate === 1)?.id,
    'the second payment',
  );
  await until(
    () => deps.db.read.selectFrom('transactions').select('id').where('held', '=', 1).executeTakeFirst(),
    'the held sale',
  );
  const lead = await deps.db.read.selectFrom('leads').select('id').executeTakeFirstOrThrow();
  return { big, stranger, duplicate, unknown: refunds[0], failed: refunds[1], lead: lead.id };
}

type Row = readonly [role: 'operator' | 'owner' | 'anyone', path: string, ready: RegExp, open?: RegExp];

const AMOUNT = /^(€99,999\.99|99[\s.]999,99\s€)$/;

/** A page, the text that shows that it has loaded, and the button that opens what it holds. */
const PAGES: readonly Row[] = [
  ['anyone', '/sign-in', /^(Sign in|Iniciar sessão)$/],
  ['operator', '/operator/merchants', /Albuquerque/],
  [
    'operator',
    '/operator/merchants',
    /SERVICE_BANK/,
    /^(Default bank accounts|Contas bancárias predefinidas)$/,
  ],
  ['operator', `/operator/merchants?merchant=${merchantId}`, /^(No fallback|Sem alternativa)$/],
  ['operator', '/operator/people', /gerencia/],
  ['operator', '/operator/leads', /Maria/],
  ['operator', `/operator/leads?lead=${ids.lead}`, AMOUNT],
  ['operator', '/operator/system', /SQLite 3/],
  ['operator', '/operator/audit', /armazens\.pt/],
  ['operator', '/operator/transactions', AMOUNT],
  ['operator', `/operator/transactions/${ids.big}`, /^(Operator only|Só para o operador)$/],
  ['operator', '/operator/exceptions', /^(Unmatched|Sem correspondência)$/],
  ['operator', `/operator/exceptions?receipt=${ids.stranger}`, /^(What to do|O que fazer)$/],
  ['operator', '/operator/review', /HELD-1/],
  ['operator', '/operator/refunds', /error500-refund/],
  ['operator', `/operator/refunds?receipt=${ids.unknown}`, /^(Settle|Concluir)$/],
  ['owner', '', AMOUNT],
  ['owner', '/transactions', AMOUNT],
  ['owner', `/transactions/${ids.big}`, AMOUNT],
  ['owner', '/exceptions', /SHORT-1/],
  ['owner', `/exceptions?receipt=${ids.duplicate}`, /^(What to do|O que fazer)$/],
  ['owner', '/refunds', /refuse-refund/],
  ['owner', `/refunds?receipt=${ids.failed}`, /^(Try again|Tentar novamente)$/],
  ['owner', '/payment-links', /Bolo de aniversário/],
  ['owner', '/settlement', /^(Net|Líquido)$/],
  ['owner', '/webhook', /^(Signing secret|Segredo de assinatura)$/],
  [
    'owner',
    '/webhook',
    /Response from the shop’s server|Resposta do servidor da loja/,
    /^(Delivered|Entregue)/,
  ],
  ['owner', '/developers', /^(Last used|Último uso)/],
  ['owner', '/developers?tab=requests', /payments\/mbway/],
  ['owner', '/domains', /armazens\.pt/],
  ['owner', '/methods', /^MB WAY$/],
  ['owner', '/team', /gerencia/],
  ['owner', '/audit', /armazens\.pt/],
  ['owner', '/account', /^(Two-factor authentication|Autenticação de dois fatores)$/],
];

async function show(page: WatchedPage, [role, path, ready, open]: Row): Promise<void> {
  if (role !== 'anyone')
    await follow(page, role === 'owner' && path !== '/account' ? `/m/${merchantId}${path}` : path);
  if (open !== undefined) await page.getByRole('button', { name: open }).first().click();
  await page.getByText(ready).filter({ visible: true }).first().waitFor();
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
}

/** Goes to a path as a link does, after an unknown path, which removes everything of the page before. */
async function follow(page: WatchedPage, path: string): Promise<void> {
  if (!page.url().includes('/backoffice')) await page.goto('/nothing');
  else await page.evaluate("history.pushState(null, '', '/backoffice/nothing')");
  await page.getByText(/^(Page not found|Página não encontrada)$/).waitFor();
  await page.evaluate(`history.pushState(null, '', '/backoffice${path}')`);
}

const nameOf = ([role, path, , open]: Row) =>
  `${role}${path.replace(/\/operator|=.*|\/tx_.*/g, '').replace(/\W/g, '-')}${open === undefined ? '' : '-open'}`;

/** What overflows: the page, or a table that must be scrolled to reach its last column. */
const CUT = `[document.documentElement, ...document.querySelectorAll('main *, [role=dialog] *')]
  .filter((node) => node.scrollWidth > node.clientWidth + 1 && node.clientWidth > 0)
  .filter((node) => node === document.documentElement || ['auto', 'scroll'].includes(getComputedStyle(node).overflowX))
  .filter((node) => !node.matches('pre, textarea, [role=tablist]'))
  .map((node) => node.outerHTML.slice(0, 200))`;

/** Amounts of the page that are hidden, beyond the edge or on two lines. */
const BROKEN_AMOUNTS = `[...document.querySelectorAll('main *')]
  .filter((node) => node.children.length === 0 && /^(€99,999\\.99|99[\\s.]999,99\\s€)$/.test(node.textContent.trim()))
  .filter((node) => {
    const range = document.createRange();
    range.selectNodeContents(node);
    const lines = [...range.getClientRects()];
    return lines.length !== 1 || lines[0].left < 0 || lines[0].right > innerWidth;
  })
  .map((node) => node.outerHTML)`;

/** Expects that nothing of the page is cut off at any width. */
async function fits(page: WatchedPage): Promise<void> {
  const { width, height } = page.viewportSize() ?? {};
  // What is closed is not laid out.
  await page.evaluate('for (const closed of document.querySelectorAll("details")) closed.open = true');
  for (const at of [390, 800, 1093, 1280]) {
    await page.setViewportSize({ width: at, height: 900 });
    const cut = async () => [at, await page.evaluate(CUT), await page.evaluate(BROKEN_AMOUNTS)];
    await expect.poll(cut, { message: page.url() }).toEqual([at, [], []]);
  }
  await page.setViewportSize({ width: width ?? 0, height: height ?? 0 });
}

/** Every text of the page, also those that a screen reader or a tooltip gives; numbers differ from one look to the next. */
const TEXTS = `[...new Set([...document.querySelectorAll('title, body :not(style, textarea[aria-hidden])')]
  .flatMap((node) => [
    ...[...node.childNodes].filter(({ nodeType }) => nodeType === Node.TEXT_NODE).map(({ data }) => data),
    ...['aria-label', 'title', 'placeholder', 'alt', 'data-label', 'value'].map((name) => node.getAttribute(name) ?? ''),
    node.value ?? '',
  ])
  .map((text) => String(text).trim().replace(/\\d+/g, '0')))]`;

/** Switches the language as another tab does, since an open dialog covers the switch. Resolves to the texts of the page then. */
async function textsIn(page: WatchedPage, language: 'pt' | 'en'): Promise<string[]> {
  return await page.evaluate(`(async () => {
    localStorage.setItem('backoffice-language', '${language}');
    window.dispatchEvent(new StorageEvent('storage', { key: 'backoffice-language' }));
    await new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)));
    return ${TEXTS};
  })()`);
}

/** Texts that a switch from English leaves although the page does not show them when it is loaded in Portuguese. */
async function leftInEnglish(page: WatchedPage, row: Row): Promise<string[]> {
  const before = await textsIn(page, 'en');
  const after = await textsIn(page, 'pt');
  // Once for the frame of the pages, which stays from page to page.
  if (row === PAGES.find(([role]) => role === row[0])) await page.reload();
  await show(page, row);
  const loaded = await textsIn(page, 'pt');
  return after.filter((text) => before.includes(text) && !loaded.includes(text));
}

const PEOPLE = {
  anyone: null,
  operator: { role: 'operator' },
  owner: { role: 'owner', merchantId },
} as const;
const ROLES = ['anyone', 'operator', 'owner'] as const;

test.for(VIEWS.flatMap(([language, phone]) => ROLES.map((role) => [role, language, phone] as const)))(
  'every page is sound (%s, %s, phone %s)',
  async ([role, language, phone]) => {
    const person = PEOPLE[role];
    const page =
      person === null
        ? await office.open('/sign-in', { language, phone })
        : await office.signIn({ ...person, language, phone });
    for (const row of PAGES.filter(([by]) => by === role)) {
      await show(page, row);
      const testMoney = page.getByText(/^TEST MONEY/).first();
      expect(await testMoney.isVisible()).toBe(true);
      const heading = page.getByRole('heading', { level: 1, includeHidden: true }).first();
      expect(await page.title()).toContain(await heading.textContent());
      await expectSound(page, `${nameOf(row)}-${language}-${phone ? 390 : 1280}`);
      if (language === 'en' && !phone) {
        // What the page reads from the service in the other language comes a moment later, and at once the next time.
        await expect
          .poll(() => leftInEnglish(page, row), { message: nameOf(row), timeout: 5000 })
          .toEqual([]);
        await textsIn(page, 'en');
      }
      if (phone === (role === 'operator')) await fits(page);
    }
  },
);

/** What a viewer may press opens, filters or copies. */
const CHANGES =
  /^(Create|New|Rotate|Reveal|Revoke|Remove|Change|Save|Send|Resend|Refund|Release|Mark|Close case|Close link|Add|Invite|Turn)\b/;

test('a viewer reads every page of the merchant that is not for owners and can change nothing', async () => {
  const page = await office.signIn({ role: 'viewer', merchantId });
  const forOwners = ['/team', '/audit', '/account', `/refunds?receipt=${ids.failed}`];
  for (const row of PAGES.filter(
    ([role, path, , open]) => role === 'owner' && open === undefined && !forOwners.includes(path),
  )) {
    await show(page, row);
    await shoot(page, `${nameOf(row).replace('owner', 'viewer')}-en-1280`);
    expect(await overflows(page), row[1]).toBe(false);
    const names = await page.locator('main, [role=dialog]').getByRole('button').allInnerTexts();
    expect([row[1], names.filter((name) => CHANGES.test(name))]).toEqual([row[1], []]);
  }
  for (const path of ['/team', '/audit']) {
    await page.goto(`/m/${merchantId}${path}`);
    await page.getByText(/^Only owners can/).waitFor();
  }
});
