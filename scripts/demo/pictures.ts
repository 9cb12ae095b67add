/** `npm run pictures`: the README's pictures of the back office and the payment page, taken in a headless browser. */
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Browser, Page } from 'playwright-core';
import { readConfig } from '../../src/config.ts';
import { openBrowser } from '../../test/support/browser.ts';
import { endProgram, freePort, ready, startProgram } from '../../test/support/program.ts';
import { fillDemo } from './fill.ts';
import type { Login } from './people.ts';

const PICTURES = fileURLToPath(new URL('pictures', import.meta.url));
const SEED = 'pictures';
const COUNT = 6000;
const PHONE = { width: 390, height: 760 };
/** The final states of a payment need less height. */
const PHONE_END = { width: 390, height: 440 };
const PHONE_SHOWN_PX = 250;
const PHONE_GAP_PX = 12;

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

async function openShop(url: string, env: Record<string, string>) {
  /** Runs a command on the service's database and returns its answer. */
  const command = async (...words: string[]): Promise<Record<string, string>> => {
    const program = startProgram('src/cli.ts', [...words, '--json'], { ...env, SERVICE_PUBLIC_URL: url });
    await program.ended;
    return JSON.parse(program.out());
  };
  const names = ['--name', 'Padaria Central', '--domain', 'padaria.example'];
  const { apiKey, merchantId = '' } = await command('merchant', 'create', ...names);
  return {
    command,
    merchantId,
    control: (path: string, body: object) =>
      post(`http://127.0.0.1:${env.SERVICE_SANDBOX_PORT}/control/${path}`, {}, body),
    /** Creates a session and returns the address of its page. */
    async session(terms: object): Promise<string> {
      const order = {
        orderId: 'ENC-1042',
        amount: 24.5,
        storeUrl: 'https://padaria.example',
        cancelUrl: 'https://padaria.example/carrinho',
        customer: { name: 'Ana Silva', email: 'ana@padaria.example' },
        items: [{ id: 'BOLO', name: 'Bolo de anos', quantity: 1, priceInCents: 2450 }],
      };
      const headers = { authorization: `Bearer ${apiKey}` };
      return (await post(`${url}/checkout/v1/sessions`, headers, { ...order, ...terms })).url ?? '';
    },
  };
}

/** Takes pictures of the payment page on a phone: the steps of a payment above, its final states below. */
async function checkout(browser: Browser, url: string, env: Record<string, string>): Promise<void> {
  const shop = await openShop(url, env);
  const open = async (address: string, viewport: typeof PHONE) => {
    const page = await browser.newPage({ viewport });
    await page.goto(address);
    return page;
  };
  const push = async (page: Page, phoneNumber: string, text: string) => {
    await page.locator('#phone').fill(phoneNumber);
    await page.keyboard.press('Enter');
    await page.getByText(text).first().waitFor();
  };
  const states: Buffer[] = [];
  const add = async (page: Page) => states.push(await page.screenshot({ animations: 'disabled' }));

  const page = await open(await shop.session({}), PHONE);
  await add(page);
  await push(page, '920 000 001', 'Confirmar o pagamento na app MB WAY');
  await add(page);
  await shop.control('mbway', { phoneNumber: '920000001', outcome: 'reject' });
  await page.getByText('foi recusado').waitFor();
  await add(page);
  await page.getByRole('button', { name: 'Multibanco' }).click();
  await page.getByText('Entidade').first().waitFor();
  await add(page);

  const paid = await open(await shop.session({ locale: 'en' }), PHONE_END);
  await push(paid, '911000001', 'Payment confirmed');
  await add(paid);
  await shop.command('merchant', 'set', shop.merchantId, '--hold', 'true');
  const held = await open(await shop.session({}), PHONE_END);
  await push(held, '911000001', 'Pagamento recebido');
  await add(held);
  const expiresAt = new Date(Date.now() + 1000).toISOString();
  const expired = await open(await shop.session({ expiresAt }), PHONE_END);
  await setTimeout(1500);
  await expired.reload();
  await add(expired);
  const terms = ['--title', 'Bolo de anos', '--amount', '24.50', '--uses', '1'];
  const link = await shop.command('link', 'create', '--merchant', shop.merchantId, ...terms);
  const used = await open(link.url ?? '', PHONE_END);
  await used.getByRole('button', { name: 'Multibanco' }).click();
  await used.goto(link.url ?? '');
  await add(used);
  await sheet(browser, states);
}

/** Writes pictures side by side, in two rows. */
async function sheet(browser: Browser, states: readonly Buffer[]): Promise<void> {
  const images = states.map(
    (state) => `<img width=${PHONE_SHOWN_PX} src="data:image/png;base64,${state.toString('base64')}">`,
  );
  const width = (states.length / 2) * (PHONE_SHOWN_PX + PHONE_GAP_PX) - PHONE_GAP_PX;
  const page = await browser.newPage({ viewport: { width, height: 100 } });
  await page.setContent(
    `<!doctype html><body style="margin:0;display:flex;flex-wrap:wrap;gap:${PHONE_GAP_PX}px;background:#d0d4da">${images.join('')}`,
  );
  await page.screenshot({ path: join(PICTURES, 'checkout.png'), fullPage: true });
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
  // A page that polls may never reach an idle network.
  await page.locator('.mantine-Skeleton-root').first().waitFor({ state: 'detached' });
  await page.screenshot({ path: join(PICTURES, `${name}.png`), animations: 'disabled' });
  process.stdout.write(`${name}.png\n`);
}
