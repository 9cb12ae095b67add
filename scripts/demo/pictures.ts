/** `npm run pictures`: the README's pictures of the back office and the payment page, taken in a headless browser. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { readConfig } from '../../src/config.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { endProgram, freePort, ready, startProgram } from '../../test/support/program.ts';
import { fillDemo } from './fill.ts';

const PICTURES = fileURLToPath(new URL('pictures', import.meta.url));
const SEED = 'pictures';
const COUNT = 6000;
const PHONE = { width: 390, height: 760 };
const PHONE_SHOWN_PX = 250;

interface Login {
  email: string;
  password: string;
}

const folder = mkdtempSync(join(tmpdir(), 'pictures-'));
try {
  await main();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function main(): Promise<void> {
  const file = join(folder, 'service.db');
  const port = await freePort();
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${file}`,
    SERVICE_PORT: String(port),
    SERVICE_SANDBOX_PORT: String(await freePort()),
  };
  const config = readConfig(env);
  const logins = await fillDemo({ config, file, seed: SEED, count: COUNT, until: Date.now() });
  const find = (what: RegExp): Login => {
    const login = logins.find((each) => what.test(each.what));
    if (login === undefined) throw new Error(`the demo has no login for ${what}`);
    return login;
  };
  const url = `http://127.0.0.1:${port}`;
  const program = startProgram('src/main.ts', [], env);
  const browser = await openBrowser();
  try {
    await ready(program, url);
    mkdirSync(PICTURES, { recursive: true });
    await shop(browser, url, find(/owner of/));
    await operator(browser, url, find(/platform/));
    await checkout(browser, url, env);
  } finally {
    await browser.close();
    await endProgram(program);
  }
}

async function shop(browser: Browser, url: string, login: Login): Promise<void> {
  const page = await signedIn(browser, url, login, { locale: 'pt-PT', width: 1280, height: 1100 });
  await page.waitForURL(/\/m\//);
  await shoot(page, 'overview');
  const phone = await signedIn(browser, url, login, { locale: 'en-GB', width: 390, height: 1100 });
  await phone.waitForURL(/\/m\//);
  await phone.goto(`${phone.url()}/transactions`);
  await shoot(phone, 'transactions');
  await page.goto(`${page.url()}/transactions?status=paid`);
  await page.locator('a[href*="/transactions/tx_"]').nth(1).click();
  await page.waitForURL(/\/tx_/);
  await shoot(page, 'transaction');
}

async function operator(browser: Browser, url: string, login: Login): Promise<void> {
  const page = await signedIn(browser, url, login, { locale: 'en-GB', width: 1280, height: 900 });
  await page.goto(`${url}/backoffice/operator/exceptions`);
  await shoot(page, 'exceptions');
}

/** The states of the payment page on a phone, side by side. */
async function checkout(browser: Browser, url: string, env: Record<string, string>): Promise<void> {
  const words = ['merchant', 'create', '--name', 'Padaria Central', '--domain', 'padaria.example', '--json'];
  const created = startProgram('src/cli.ts', words, env);
  await created.ended;
  const { apiKey } = JSON.parse(created.out());
  const control = (path: string, body: object) =>
    post(`http://127.0.0.1:${env.SERVICE_SANDBOX_PORT}/control/${path}`, {}, body);
  const open = async (locale: string) => {
    const session = await post(
      `${url}/checkout/v1/sessions`,
      { authorization: `Bearer ${apiKey}` },
      {
        orderId: `ENC-${locale}`,
        amount: 24.5,
        storeUrl: 'https://padaria.example',
        customer: { name: 'Ana Silva', email: 'ana@padaria.example' },
        items: [{ id: 'BOLO', name: 'Bolo de anos', quantity: 1, priceInCents: 2450 }],
        locale,
      },
    );
    const page = await browser.newPage({ viewport: PHONE });
    await page.goto(session.url ?? '');
    return page;
  };
  const states: Buffer[] = [];
  const add = async (page: Page) => states.push(await page.screenshot({ animations: 'disabled' }));
  const page = await open('pt');
  await add(page);
  await page.locator('#phone').fill('920 000 001');
  await page.keyboard.press('Enter');
  await page.getByText('Confirmar o pagamento na app MB WAY').waitFor();
  await add(page);
  await control('mbway', { phoneNumber: '920000001', outcome: 'reject' });
  await page.getByText('foi recusado').waitFor();
  await add(page);
  await page.getByRole('button', { name: 'Multibanco' }).click();
  await page.getByText('Entidade').first().waitFor();
  await add(page);
  const english = await open('en');
  await english.locator('#phone').fill('911000001');
  await english.keyboard.press('Enter');
  await english.getByText('Payment confirmed').waitFor();
  await add(english);
  const images = states.map(
    (state) => `<img width=${PHONE_SHOWN_PX} src="data:image/png;base64,${state.toString('base64')}">`,
  );
  const sheet = await browser.newPage({
    viewport: { width: states.length * (PHONE_SHOWN_PX + 12), height: 100 },
  });
  await sheet.setContent(
    `<!doctype html><body style="margin:0;display:flex;align-items:start;gap:12px;background:#d0d4da">${images.join('')}`,
  );
  await sheet.screenshot({ path: join(PICTURES, 'checkout.png'), fullPage: true });
  process.stdout.write('checkout.png\n');
}

async function post(
  url: string,
  headers: Record<string, string>,
  body: object,
): Promise<Record<string, string>> {
  const answer = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}: ${await answer.text()}`);
  return (await answer.json()) as Record<string, string>;
}

async function signedIn(
  browser: Browser,
  url: string,
  { email, password }: Login,
  { locale, width, height }: { locale: string; width: number; height: number },
): Promise<Page> {
  const context = await browser.newContext({ locale, viewport: { width, height } });
  const page = await context.newPage();
  await page.goto(`${url}/backoffice/sign-in`);
  await page.locator('input[type=email]').fill(email);
  await page.locator('input[type=password]').fill(password);
  await page.keyboard.press('Enter');
  await page.waitForURL((at) => !at.pathname.endsWith('/sign-in'));
  return page;
}

async function shoot(page: Page, name: string): Promise<void> {
  await page.locator('h1').first().waitFor();
  // The network of a page that polls may never be idle.
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
  process.stdout.write(`${name}.png\n`);
}
