import type { App } from './app.ts';
import { claimMeta, readMeta } from './db/meta.ts';
import { type DemoLogin, makeDemoLogin, readDemoLogin } from './demo-login.ts';
import type { Deps } from './deps.ts';
import type { Id } from './kernel/ids.ts';
import { createMerchant } from './merchants/create-merchant.ts';
import { revealApiKey } from './merchants/secrets.ts';
import { listDomains } from './merchants/store.ts';
import { listMerchants } from './merchants/view.ts';

const DEMO_DOMAIN = 'demo-shop.example';
const DEMO_EMAILS = { owner: `owner@${DEMO_DOMAIN}`, operator: `operator@${DEMO_DOMAIN}` };

/** Creates the demo logins, and returns the text of the start; null with a real bank. */
export async function welcome(app: App): Promise<string | null> {
  const { deps, sandboxUrl } = app;
  if (sandboxUrl === null) return null;
  const merchantId = (await readMeta(deps.db.read, 'demo_merchant')) as Id<'mer'> | null;
  const login = await demoLogin(app, merchantId);
  const where = `Payment Collection Service: ${app.url}  (TEST MONEY: the bank is a sandbox)
  Documentation  ${app.url}/docs
  Phone and ATM  ${sandboxUrl}/
  Back office    ${app.url}/backoffice
${login === null ? '' : loginLines(login)}`;
  if (merchantId === null) return where;
  const apiKey = await revealApiKey(deps, merchantId);
  if (apiKey === null) return where;
  const domains = await listDomains(deps.db.read, merchantId);
  // An operator may have changed the domains.
  const domain = domains.includes(DEMO_DOMAIN)
    ? DEMO_DOMAIN
    : domains.find((pattern) => !/^\*/.test(pattern));
  return domain === undefined ? where : `${where}${firstPayment(app.url, apiKey, domain)}`;
}

/** Creates the demo merchant in an empty sandbox database. */
export async function seedDemo(deps: Deps): Promise<void> {
  if (deps.settings.bank !== 'sandbox' || !deps.settings.seedDemo) return;
  if ((await listMerchants(deps, { limit: 1 })).length > 0) return;
  const merchant = { name: 'Demo Shop', domains: [DEMO_DOMAIN, 'localhost'] };
  await createMerchant(deps, merchant, async (tx, merchantId) => {
    if (!(await claimMeta(tx, 'demo_merchant', merchantId))) throw new CreatedElsewhere();
  }).catch((error: unknown) => {
    if (!(error instanceof CreatedElsewhere)) throw error;
  });
}

/** Another process that starts on the same database created the demo merchant. */
class CreatedElsewhere extends Error {}

/** Returns the demo logins, and creates them when there are none. */
async function demoLogin({ deps }: App, merchantId: Id<'mer'> | null): Promise<DemoLogin | null> {
  const known = await readDemoLogin(deps);
  if (known !== null || merchantId === null || !deps.settings.seedDemo) return known;
  return await makeDemoLogin(deps, merchantId, DEMO_EMAILS);
}

function loginLines({ owner, operator, password }: DemoLogin): string {
  const words = password === null ? 'with the password that you chose' : `password ${password}`;
  return `    the shop       ${owner}, ${words}
    the platform   ${operator}, ${password === null ? words : 'the same password'}
`;
}

function firstPayment(url: string, apiKey: string, domain: string): string {
  const order = JSON.stringify({
    orderId: 'ORDER-1001',
    amount: 12.5,
    storeUrl: `https://${domain}`,
    customer: { name: 'Ana Silva', email: `ana.silva@${DEMO_DOMAIN}` },
    items: [{ id: 'MUG-1', name: 'Mug', quantity: 1, priceInCents: 1250 }],
  });
  const post = (path: string, body: string) =>
    `curl -sS -X POST ${url}/api/v1${path} -H 'Authorization: Bearer ${apiKey}' -H 'Content-Type: application/json' -d '${body}'`;
  return `
Create a payment:

${post('/payments/init', order)}

Send its push with the transactionId from the response, then accept it on the phone above:

${post('/payments/mbway', '{"transactionId":"PASTE-IT-HERE","phoneNumber":"912345678"}')}
`;
}
