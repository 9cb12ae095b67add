import type { App } from './app.ts';
import { readMeta, writeMeta } from './db/meta.ts';
import type { Id } from './kernel/ids.ts';
import { createMerchant } from './merchants/create-merchant.ts';
import { listMerchants } from './merchants/list-merchants.ts';
import { revealApiKey } from './merchants/secrets.ts';

const DEMO_DOMAIN = 'demo-shop.example';

/**
 * With the sandbox and an empty database: makes the demo merchant. Resolves to the text of a start with the sandbox,
 * ready to paste; null when there is nothing to say.
 */
export async function welcome(app: App): Promise<string | null> {
  const { deps, sandboxUrl } = app;
  if (sandboxUrl === null) return null;
  if (deps.settings.seedDemo) await seedDemo(app);
  const merchantId = await readMeta(deps.db.read, 'demo_merchant');
  const where = `Payment Collection Service: ${app.url}  (TEST MONEY: the bank is a sandbox)
  Reference      ${app.url}/docs
  Phone and ATM  ${sandboxUrl}/
`;
  if (merchantId === null) return where;
  const apiKey = await revealApiKey(deps, merchantId as Id<'mer'>);
  return apiKey === null ? where : `${where}${firstPayment(app.url, apiKey)}`;
}

async function seedDemo({ deps }: App): Promise<void> {
  if ((await listMerchants(deps, { limit: 1 })).length > 0) return;
  const { merchantId } = await createMerchant(deps, {
    name: 'Demo Shop',
    domains: [DEMO_DOMAIN, 'localhost'],
  });
  await deps.db.unit((tx) => writeMeta(tx, 'demo_merchant', merchantId));
}

function firstPayment(url: string, apiKey: string): string {
  const order = JSON.stringify({
    orderId: 'ORDER-1001',
    amount: 12.5,
    storeUrl: `https://${DEMO_DOMAIN}`,
    customer: { name: 'Ana Silva', email: 'ana.silva@demo-shop.example' },
    items: [{ id: 'MUG-1', name: 'Mug', quantity: 1, priceInCents: 1250 }],
  });
  const post = (path: string, body: string) =>
    `curl -sS -X POST ${url}/api/v1${path} -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'`;
  return `
Create a payment:

${post('/payments/init', order)}

Send its push, with the transactionId from the answer, and accept it on the phone above:

${post('/payments/mbway', '{"transactionId":"PASTE-IT-HERE","phoneNumber":"912345678"}')}
`;
}
