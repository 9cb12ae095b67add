import { rollKey } from '../../src/merchants/keys.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { ORDER, type Service, type TestMerchant } from '../support/harness.ts';
import { RawClient } from '../support/raw-client.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';

export const UNKNOWN_ID = 'tx_00000000000000000000000000';

export type KeyState =
  | 'none'
  | 'malformed'
  | 'unknown'
  | 'revoked'
  | 'expired grace'
  | 'live grace'
  | 'inactive'
  | 'valid';

/** The Authorization header of a key in each state; valid keys belong to other merchants. */
export async function authorizations(service: Service): Promise<Record<KeyState, string | undefined>> {
  const { deps } = service.app;
  const [valid, revoked, expired, graced, inactive] = await Promise.all(
    [1, 2, 3, 4, 5].map(() => service.merchant()),
  );
  if (!valid || !revoked || !expired || !graced || !inactive) throw new Error('five merchants are needed');
  await rollKey(deps, revoked.merchantId, { graceHours: 0 });
  await rollKey(deps, graced.merchantId, { graceHours: 1 });
  await rollKey(deps, expired.merchantId, { graceHours: 50 / 3_600_000 });
  await setMerchant(deps, inactive.merchantId, { active: false });
  await until(async () => (await expired.get('/payments/methods')).status === 401, 'the grace to end');
  return {
    none: undefined,
    malformed: `Token ${valid.apiKey}`,
    unknown: `Bearer sk_${'x'.repeat(43)}`,
    revoked: `Bearer ${revoked.apiKey}`,
    'expired grace': `Bearer ${expired.apiKey}`,
    'live grace': `Bearer ${graced.apiKey}`,
    inactive: `Bearer ${inactive.apiKey}`,
    valid: `Bearer ${valid.apiKey}`,
  };
}

/** The ids of one merchant's data by what they identify. */
export type MerchantData = Record<string, string>;

/** Creates a transaction in every state; resolves to the ids of the merchant's data. */
export async function dataOf(service: Service, merchant: TestMerchant): Promise<MerchantData> {
  const { deps } = service.app;
  const pending = await merchant.init();
  const paid = await merchant.push('911000001');
  const failed = await merchant.push('911000002');
  const cancelled = await merchant.push('911000003');
  const { id: open } = await merchant.reference({ customer: BIG.customer, items: BIG.items });
  await merchant.reaches(paid, 'paid');
  await merchant.reaches(failed, 'failed');
  await merchant.reaches(cancelled, 'cancelled');
  await setMerchant(deps, merchant.merchantId, { hold: true });
  const held = await merchant.push('911000001');
  const idIn = async (table: 'attempts' | 'events' | 'deliveries' | 'receipts' | 'leads') => {
    return (await selectRow(deps.db, table, { merchant_id: merchant.merchantId })).id;
  };
  await until(
    async () => (await selectRow(deps.db, 'transactions', { id: held })).held === 1,
    'the sale to be held',
  );
  const push = await merchant.push('930000009');
  return {
    'a pending transaction': pending,
    'a transaction with an open push': push,
    'a transaction with a reference': open,
    'a paid transaction': paid,
    'a failed transaction': failed,
    'a cancelled transaction': cancelled,
    'a held transaction': held,
    'a merchant': merchant.merchantId,
    'an attempt': await idIn('attempts'),
    'an event': await idIn('events'),
    'a delivery': await idIn('deliveries'),
    'a receipt': await idIn('receipts'),
    'a lead': await idIn('leads'),
  };
}

/** A large order: an unnecessary read of it takes measurable time. */
export const BIG = {
  ...ORDER,
  items: Array.from({ length: 200 }, (_, index) => ({
    id: `SKU-${index}`,
    name: 'x'.repeat(500),
    quantity: 1,
    priceInCents: 1,
  })),
};

export type TransactionOperation = 'status' | 'mbway' | 'multibanco';
export const TRANSACTION_OPERATIONS: readonly TransactionOperation[] = ['status', 'mbway', 'multibanco'];

/** The bytes of an operation on this id through REST or tRPC. */
export function requestBytes(
  endpoint: 'REST' | 'tRPC',
  operation: TransactionOperation,
  transactionId: string,
  authorization: string | undefined,
): Buffer {
  const input = { transactionId, ...(operation === 'mbway' && { phoneNumber: '930000010' }) };
  const post = operation !== 'status';
  const path = endpoint === 'REST' ? `/api/v1/payments/${operation}` : `/trpc/payments.${operation}`;
  const query =
    endpoint === 'REST'
      ? `transactionId=${encodeURIComponent(transactionId)}`
      : `input=${encodeURIComponent(JSON.stringify(input))}`;
  const body = post ? JSON.stringify(input) : '';
  const lines = [
    `${post ? 'POST' : 'GET'} ${path}${post ? '' : `?${query}`} HTTP/1.1`,
    'Host: localhost',
    'X-Request-Id: the-same',
    ...(authorization === undefined ? [] : [`Authorization: ${authorization}`]),
    ...(post ? ['Content-Type: application/json', `Content-Length: ${Buffer.byteLength(body)}`] : []),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${body}`);
}

/** A caller that returns the complete answer as text, without its date. */
export function rawCaller(service: Service, whenOver: (cleanUp: () => void) => void) {
  const client = new RawClient(Number(new URL(service.url).port));
  whenOver(() => client.close());
  return async (bytes: Buffer): Promise<string> => {
    const { head, body } = await client.send({ bytes });
    return `${head.replace(/^date: .*$/im, 'date: -')}\r\n\r\n${body}`;
  };
}
