import { expect, test } from 'vitest';
import { inviteMember } from '../../../src/backoffice/team/invite.ts';
import { totpCode } from '../support.ts';
import { cases } from './money-cases.ts';
import { openBackoffice, overflows, PASSWORD, shoot } from './support.ts';

const office = await openBackoffice();
const { service } = office;
const shop = await service.merchant({ name: 'Loja da Ana', webhookUrl: 'https://shop.pt/hook' });
const { merchantId } = shop;
await shop.pay({ orderId: 'PAID-1' });
const twice = await cases(service).reference(shop, 'TWICE-1');
await twice.pay();
await twice.pay();

/** The labels of buttons and choices that are cut off. */
const CUT_LABELS = `[...document.querySelectorAll('.mantine-Button-label, .mantine-SegmentedControl-label, .mantine-SegmentedControl-root')]
  .filter((label) => label.checkVisibility() && label.scrollWidth > label.clientWidth + 1)
  .map((label) => label.textContent)`;

/** The labels of table cells that the content reaches over. */
const COVERED_LABELS = `[...document.querySelectorAll('td:not(:first-child) > div')]
  .filter((cell) => [...cell.querySelectorAll('*')].some(
    (inner) => inner.getBoundingClientRect().left < cell.getBoundingClientRect().left - 1))
  .map((cell) => cell.parentElement.dataset.label)`;

const ownerAt = (at: string, language: 'pt' | 'en') =>
  office.signIn({ role: 'owner', merchantId, language, at });

test('no label is cut off in a window of 320 pixels', async () => {
  const page = await ownerAt('webhook', 'pt');
  await page.setViewportSize({ width: 320, height: 640 });
  await page.getByText('webhook-signature', { exact: true }).first().waitFor();
  expect(await page.evaluate(CUT_LABELS)).toEqual([]);
  await page.goto(`/m/${merchantId}/transactions`);
  await page.getByText('TWICE-1').first().click();
  await page.getByText('Ir para pagamentos por regularizar').waitFor();
  expect(await page.evaluate(CUT_LABELS)).toEqual([]);
});

test('a long address, label or state fits into a window of 320 pixels', async () => {
  const email = `${'w'.repeat(60)}@${'q'.repeat(60)}.pt`;
  const page = await office.signIn({ merchantId, language: 'pt', email });
  await page.setViewportSize({ width: 320, height: 640 });
  await page.goto('/account');
  await page.getByText(email).first().waitFor();
  expect(await overflows(page), 'account').toBe(false);
  await page.goto(`/m/${merchantId}/team`);
  await page.getByText('Inativa', { exact: true }).first().waitFor();
  expect(await page.evaluate(COVERED_LABELS)).toEqual([]);
  const operator = await office.signIn({ role: 'operator', language: 'pt' });
  await operator.setViewportSize({ width: 320, height: 640 });
  await operator.goto(`/operator/merchants?merchant=${merchantId}`);
  await operator.getByText('Os pagamentos são confirmados de imediato').waitFor();
  expect(await overflows(operator), 'merchant').toBe(false);
});

test('the header of a dialog does not cover what has the focus', async () => {
  const page = await ownerAt('exceptions', 'en');
  await page.setViewportSize({ width: 1280, height: 420 });
  await page.getByText('TWICE-1').first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('What to do').waitFor();
  await dialog.evaluate((section) => section.scrollTo(0, section.scrollHeight));
  const covered: unknown[] = [];
  for (let step = 0; step < 12; step += 1) {
    await page.keyboard.press('Shift+Tab');
    covered.push(
      await page.evaluate(`(() => {
        const node = document.activeElement;
        const header = document.querySelector('.mantine-Drawer-header');
        const { top } = node.getBoundingClientRect();
        return header.contains(node) || top >= header.getBoundingClientRect().bottom ? null : node.textContent;
      })()`),
    );
  }
  expect(covered.filter((text) => text !== null)).toEqual([]);
});

test('the focus follows from the button of a form to its field and back', async () => {
  const page = await ownerAt('webhook', 'en');
  const change = page.getByRole('button', { name: 'Change', exact: true });
  await change.click();
  await expect.poll(() => page.evaluate('document.activeElement.type')).toBe('url');
  await page.getByRole('button', { name: 'Cancel' }).click();
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Change');
});

test.each([
  ['developers', 'Rotate key…', /^Old key keeps working for/],
  ['webhook', 'Rotate…', /^Both secrets for 24 hours/],
  ['team', 'Require for the team', /^Cancel$/],
  ['exceptions', 'Mark as returned', /^How and when/],
  ['/operator/merchants', 'Set own account', /^Acquirer/],
  ['/operator/people', 'Reset link for', /^Cancel$/],
  ['/operator/refunds', 'Export transfers', /^Include refunds/],
])('a dialog begins at its first field or button, not at Close (%s: %s)', async (at, name, first) => {
  const page = at.startsWith('/') ? await office.signIn({ role: 'operator', at }) : await ownerAt(at, 'en');
  if (at === 'exceptions') await page.getByText('TWICE-1').first().click();
  if (at === '/operator/merchants') await page.getByRole('button', { name: 'Loja da Ana' }).click();
  await page.getByRole('button', { name }).first().press('Enter');
  await page.getByRole('dialog').last().locator('form').waitFor();
  const focused =
    'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.textContent';
  await expect.poll(() => page.evaluate(focused)).toMatch(first);
});

test('an Enter that is held after it opened a dialog does not confirm it', async () => {
  const page = await ownerAt('webhook', 'en');
  await page.getByRole('button', { name: 'Rotate…' }).focus();
  await page.keyboard.down('Enter');
  const dialog = page.getByRole('dialog', { name: 'Rotate the secret' });
  await dialog.locator('input:focus').waitFor();
  const sent: string[] = [];
  page.on('request', (request) => sent.push(request.url()));
  await page.keyboard.down('Enter');
  await page.keyboard.up('Enter');
  await page.evaluate('new Promise(requestAnimationFrame)');
  expect(sent.filter((url) => url.includes('rotate'))).toEqual([]);
  expect(await dialog.count()).toBe(1);
});

test('without motion the dots of a busy button stand in its middle', async () => {
  const page = await ownerAt('webhook', 'en');
  const gate = Promise.withResolvers<void>();
  await page.route('**/trpc/webhook.sendTest', (route) => gate.promise.then(() => route.continue()));
  const button = page.locator('.mantine-Button-root[data-loading]');
  await page.getByRole('button', { name: 'Send test event' }).click();
  const [frame, dots] = await Promise.all([
    button.boundingBox(),
    button.locator('.mantine-Loader-root').boundingBox(),
  ]);
  gate.resolve();
  if (frame === null || dots === null) throw new Error('There is no busy button.');
  expect(Math.abs(frame.x + frame.width / 2 - dots.x - dots.width / 2)).toBeLessThan(2);
  expect(Math.abs(frame.y + frame.height / 2 - dots.y - dots.height / 2)).toBeLessThan(2);
});

test('the focus goes on to the rows of "Show more" and to the filters after "Clear all"', async () => {
  const full = await service.merchant({ name: 'Loja cheia' });
  for (let n = 1; n <= 53; n += 1) await full.init({ orderId: `MANY-${n}` });
  const page = await office.signIn({ merchantId: full.merchantId, language: 'en', at: 'transactions' });
  const focused = (property: string) => page.evaluate(`document.activeElement.${property}`);
  await page.getByRole('button', { name: 'Show more' }).press('Enter');
  await expect.poll(() => focused('textContent')).toBe('MANY-3');
  await page.getByLabel('Status').selectOption('pending');
  await page.getByRole('button', { name: 'Clear all' }).press('Enter');
  await expect.poll(() => focused('labels?.[0].textContent')).toBe('Status');
  await page.getByLabel('Search', { exact: true }).fill('NOTHING-9');
  await page.getByText('No results').waitFor();
  await page.getByRole('button', { name: 'Clear all' }).last().press('Enter');
  await expect.poll(() => focused('ariaLabel')).toBe('Search');
  await page.getByRole('button', { name: 'Export CSV' }).focus();
  await page.evaluate('document.activeElement.blur()');
  await full.init({ orderId: 'LIVE-1' });
  await page.getByText('LIVE-1').waitFor();
  expect(await focused('tagName'), 'a button that the user left').toBe('BODY');
});

test('the focus stays in the page when the button that had it is gone', async () => {
  const invited = { email: 'nova@shop.pt', role: 'viewer' } as const;
  await inviteMember(service.app.deps, merchantId, invited);
  const page = await ownerAt('team', 'en');
  await page.getByRole('button', { name: 'Revoke the invitation for nova@shop.pt' }).press('Enter');
  await page.getByText('Invitation revoked.').waitFor();
  await expect.poll(() => page.evaluate('document.activeElement.tagName')).toBe('MAIN');
});

test('the focus is at the refunds once all is refunded, and returns to the button of a link that was created', async () => {
  const other = await service.merchant({ name: 'Florista' });
  const id = await other.pay();
  const page = await office.signIn({ merchantId: other.merchantId, at: `transactions/${id}` });
  const dialog = page.getByRole('dialog').last();
  await office.growStale();
  await page.getByRole('button', { name: /^Refund / }).press('Enter');
  await dialog.getByRole('button', { name: 'Refund €' }).press('Enter');
  await dialog.getByLabel('Password', { exact: true }).fill(PASSWORD);
  await page.keyboard.press('Enter');
  await expect.poll(() => page.evaluate('document.activeElement.innerText')).toMatch(/^Refunds/);
  await shoot(page, 'refunded-focus-en-1280');
  await page.goto(`/m/${other.merchantId}/payment-links`);
  await page.getByRole('button', { name: 'Create link' }).press('Enter');
  await dialog.getByLabel('Title').fill('Cake');
  await dialog.getByLabel('Amount in euros').fill('12.50');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog', { name: 'Payment link' }).getByText('Cake').waitFor();
  await page.keyboard.press('Escape');
  await expect.poll(() => page.evaluate('document.activeElement.textContent')).toBe('Create link');
});

test('the focus goes to the code of a new second factor, and returns to the button that was busy or to its section', async () => {
  const page = await ownerAt('team', 'en');
  await page.goto('/account');
  const text = () => page.evaluate('document.activeElement.innerText');
  await page.getByRole('button', { name: 'Set up' }).press('Enter');
  await expect
    .poll(() => page.evaluate('document.activeElement.labels?.[0].textContent'))
    .toMatch(/^Six-digit code/);
  await shoot(page, 'factor-focus-en-1280');
  const secret = await page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).innerText();
  await page.keyboard.press('Escape');
  await expect.poll(text).toBe('Set up');
  await page.keyboard.press('Enter');
  const shown = page.getByText(/^[A-Z2-7]{4}( [A-Z2-7]{4})+$/).filter({ hasNotText: secret });
  await page.getByLabel('Six-digit code').fill(totpCode((await shown.innerText()).replaceAll(' ', '')));
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'I have stored the codes' }).press('Enter');
  await expect.poll(text).toMatch(/^Two-factor authentication/);
});

test('a region that was there before announces what was copied and how many rows a filter found', async () => {
  const page = await ownerAt('transactions', 'en');
  const sum = page.getByRole('status').filter({ hasText: '2 transactions' });
  await sum.evaluate((region) => region.setAttribute('data-before', ''));
  const before = page.locator('[data-before][role=status]');
  await page.getByLabel('Search', { exact: true }).fill('PAID-1');
  await before.getByText('1 transaction ').waitFor();
  await page.getByLabel('Search', { exact: true }).fill('NOTHING-9');
  await before.getByText('0 transactions').waitFor();
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.getByLabel('Search', { exact: true }).fill('');
  await page.getByText('PAID-1').first().click();
  await page
    .getByRole('button', { name: /^Copy / })
    .first()
    .click();
  await page.getByRole('status').getByText('Copied').waitFor();
});

/** The outline and the ground of a field without the focus. */
const FIELD_COLOURS = `(() => {
  const field = document.querySelector('[type=password]').closest('.mantine-Input-input');
  const { borderColor, backgroundColor } = getComputedStyle(field);
  return [borderColor, backgroundColor];
})()`;

const CHOSEN = '.mantine-SegmentedControl-label[data-active]';

/** The relative luminance of a colour `rgb(…)`, plus 0.05: the ratio of two is their contrast. */
function luminance(colour: string): number {
  const [red = 0, green = 0, blue = 0] = (colour.match(/\d+/g) ?? [])
    .map((part) => Number(part) / 255)
    .map((part) => (part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4));
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue + 0.05;
}

test.each(['light', 'dark'] as const)(
  'the outline of a field has a contrast of 3:1 (%s)',
  async (colorScheme) => {
    const page = await office.open('/sign-in', { language: 'en' });
    await page.emulateMedia({ colorScheme });
    await page.locator(`html[data-mantine-color-scheme="${colorScheme}"]`).waitFor({ state: 'attached' });
    await page.getByLabel('Password', { exact: true }).waitFor();
    const colours: string[] = await page.evaluate(FIELD_COLOURS);
    const [outline = 0, inside = 0] = colours.map(luminance);
    expect(Math.max(outline, inside) / Math.min(outline, inside)).toBeGreaterThan(3);
  },
);

test('with the colours of the system the focus of a field and the choice stay visible', async () => {
  const page = await ownerAt('transactions', 'en');
  await page.emulateMedia({ forcedColors: 'active' });
  await page.getByLabel('Search', { exact: true }).focus();
  const styleOf = 'getComputedStyle(document.activeElement).outlineStyle';
  expect(await page.evaluate(styleOf)).toBe('solid');
  await page.goto(`/m/${merchantId}/exceptions`);
  await page.locator(CHOSEN).first().waitFor();
  const lineOf = `getComputedStyle(document.querySelector('${CHOSEN}')).textDecorationLine`;
  expect(await page.evaluate(lineOf)).toBe('underline');
  await page.emulateMedia({ forcedColors: null });
});
