/** `npm run shop`: the service, the sandbox bank and an example shop, wired together, for a payment in the browser. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { makeDemoLogin } from '../../src/demo-login.ts';
import { errorText, OperatorError } from '../../src/kernel/errors.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { makeCertificate } from '../../test/support/open-receiver.ts';
import { openShop } from './open-shop.ts';

const SHOP = 'Olaria Azul';
const DOMAIN = 'olaria-azul.example';
const PORT = 3000;

const folder = mkdtempSync(join(tmpdir(), 'example-shop-'));
const closers = [async () => rmSync(folder, { recursive: true, force: true })];
const stopAsked = new Promise<void>((resolve) => {
  process.once('SIGTERM', resolve);
  process.once('SIGINT', resolve);
});

try {
  process.stdout.write(await open());
  await stopAsked;
  await close();
  process.exit(0);
} catch (error) {
  await close();
  const line = error instanceof OperatorError ? error.message : `the shop failed: ${errorText(error)}`;
  process.stderr.write(`${line}\n`, () => process.exit(1));
}

/** Starts the service and the shop with a new database, which is deleted at the end. */
async function open(): Promise<string> {
  const certificate = await makeCertificate();
  const config = readConfig({
    SERVICE_PORT: '0',
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_LOG_LEVEL: 'warn',
    ...process.env,
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_BANK: 'sandbox',
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
  });
  // A separate process would trust the certificate by NODE_EXTRA_CA_CERTS.
  const app = await startApp(config, { webhookCa: certificate.cert });
  closers.push(() => app.close());
  const { merchantId, apiKey, webhookSecret } = await createMerchant(app.deps, {
    name: SHOP,
    domains: ['localhost', DOMAIN],
  });
  const port = readPort();
  const shop = await openShop({
    port,
    baseUrl: `${app.url}/api/v1`,
    apiKey,
    webhookSecret,
    sandboxUrl: app.sandboxUrl ?? '',
    certificate,
    mbwayWindowMs: config.settings.mbwayWindowMs,
  }).catch((error: unknown) => {
    throw new OperatorError(
      `SHOP_PORT: port ${port} cannot be opened: ${errorText(error)}. Choose another port`,
    );
  });
  closers.push(() => shop.close());
  await setMerchant(app.deps, merchantId, { webhookUrl: shop.webhookUrl, webhookEnabled: true });
  const login = await makeDemoLogin(app.deps, merchantId, {
    owner: `owner@${DOMAIN}`,
    operator: `operator@${DOMAIN}`,
  });
  return `
Open ${shop.url}/  (TEST MONEY: the bank is a sandbox)

  The customer's phone and ATM  ${app.sandboxUrl}/
  The shop's back office        ${app.url}/backoffice  ${login?.owner}, password ${login?.password}
`;
}

function readPort(): number {
  const text = process.env.SHOP_PORT ?? String(PORT);
  if (!/^\d{1,5}$/.test(text) || Number(text) > 65_535)
    throw new OperatorError(`SHOP_PORT is ${text}; use a port from 0 to 65535; 0 chooses a free port`);
  return Number(text);
}

async function close(): Promise<void> {
  for (const closer of closers.splice(0).reverse()) await closer();
}
