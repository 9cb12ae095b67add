import { createHmac } from 'node:crypto';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import type { EupagoCredentials } from '../../src/banks/eupago/profile.ts';
import { registerCallbacks } from '../../src/banks/register-callbacks.ts';
import { setRoute } from '../../src/banks/routes.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { type Answer, call, type Service, type TestMerchant } from '../support/harness.ts';

/** Opens a merchant's account at EuPago in the sandbox, for a new client or this one, and routes the merchant there. */
export async function openEupago(
  service: Service,
  merchantId: Id<'mer'> | null,
  client: Partial<EupagoCredentials> = {},
) {
  const { deps, url } = service.app;
  const credentials = { ...(sandboxCredentials(deps.random, 'eupago') as EupagoCredentials), ...client };
  const { account } = await setBankAccount(deps, { merchantId, acquirer: 'eupago', credentials });
  await registerCallbacks(deps, url, account);
  return { account, credentials };
}

/** A merchant that collects at EuPago. */
export async function eupagoMerchant(service: Service) {
  const merchant = await service.merchant();
  return { merchant, ...(await openEupago(service, merchant.merchantId)) };
}

export async function route(
  service: Service,
  merchant: TestMerchant,
  to: Acquirer,
  fallback: Acquirer | null,
) {
  for (const method of ['MBWAY', 'REFERENCE'] as const)
    await setRoute(service.app.deps, merchant.merchantId, method, { acquirer: to, fallback });
}

/** The attempts and receipts behind a transaction. */
export async function behind(service: Service, id: string) {
  const { transaction, attempts, receipts } = await showTransaction(service.app.deps, id);
  return {
    status: transaction.status,
    attempts: attempts.map(({ acquirer, state }) => `${acquirer} ${state}`),
    receipts: receipts.map(({ acquirer, amount, flags }) => [acquirer, amount, ...flags].join(' ')),
  };
}

export const sendPush = (merchant: TestMerchant, transactionId: string, phoneNumber = '912345678') =>
  merchant.post('/payments/mbway', { transactionId, phoneNumber });

/** Posts a notification as EuPago would, signed with this key. */
export function notify(service: Service, key: string, body: unknown): Promise<Answer> {
  const text = typeof body === 'string' ? body : JSON.stringify(body);
  const signature = createHmac('sha256', key).update(text).digest('base64');
  const headers = { 'content-type': 'application/json', 'x-signature': signature };
  return call(`${service.url}/callbacks/eupago`, { method: 'POST', headers, body: text });
}
