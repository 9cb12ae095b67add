import { expect, test } from 'vitest';
import { sandboxCredentials } from '../../src/banks/accounts.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { cents } from '../../src/kernel/money.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { recordReported } from '../../src/payments/refunds/reported.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { bankCredentials } from '../support/bank-credentials.ts';
import { call, type Service, startService, startWithMerchant } from '../support/harness.ts';
import { selectRow, selectRows } from '../support/rows.ts';
import { eupagoMerchant, notify } from './acquirers-kit.ts';
import { OPERATOR } from './setup.ts';

const reports = ({ app }: Service) => selectRows(app.deps.db, 'reported_refunds');
const paidReceipt = ({ app }: Service, transaction_id: string) =>
  selectRow(app.deps.db, 'receipts', { transaction_id });

/** The refunded amounts on record, and the states of the refunds. */
async function books({ app }: Service, id: string) {
  const { receipts, refunds } = await showTransaction(app.deps, id as `tx_${string}`);
  return { refunded: receipts.map(({ refunded }) => refunded), states: refunds.map(({ state }) => state) };
}

test('EuPago announces a refund made in its back office: reported once, recorded once, also under replay and forgery', async () => {
  const service = await startService();
  const { deps } = service.app;
  const { merchant, credentials } = await eupagoMerchant(service);
  const id = await merchant.pay();
  const receipt = await paidReceipt(service, id);
  const transaction = {
    method: 'RB:PT',
    status: 'REFUNDED',
    trid: '990001',
    originalTrid: receipt.request_id,
    amount: { value: '5.00', currency: 'EUR' },
    identifier: receipt.bank_order_id,
    entity: '81921',
    reference: '123456789',
    date: '2026-01-01 10:00:00',
  };
  expect((await notify(service, 'x'.repeat(32), { transaction })).status).toBe(403);
  for (const value of ['5.00', '5.00', '5.00', 5, '5.00000']) {
    const written = { ...transaction, amount: { value, currency: 'EUR' } };
    expect((await notify(service, credentials.webhookKey, { transaction: written })).status).toBe(200);
  }
  const [report, ...others] = await reports(service);
  expect(others).toEqual([]);
  expect(report).toMatchObject({ receipt_id: receipt.id, amount_cents: 500, settled_at: null });
  expect(await books(service, id)).toEqual({ refunded: [0], states: [] });
  expect(service.logged()).toContain('a refund that this service did not make');
  if (report === undefined) return;
  // Until the operator has settled the report, the money counts as refunded.
  const order = { of: { receiptId: receipt.id }, amount: cents(1500) };
  await expect(createRefund(deps, OPERATOR, order)).rejects.toThrow('made elsewhere');
  await expect(createRefund(deps, OPERATOR, { ...order, amount: null })).rejects.toThrow('made elsewhere');
  await expect(recordReported(deps, { reportId: report.id, note: ' ' })).rejects.toThrow('note');
  await recordReported(deps, { reportId: report.id, note: 'seen in the back office of EuPago' });
  await notify(service, credentials.webhookKey, { transaction });
  expect(await books(service, id)).toEqual({ refunded: [5], states: ['done'] });
  expect(await reports(service)).toHaveLength(1);
  // Money that was refunded outside cannot be refunded again.
  const all = { of: { receiptId: receipt.id }, amount: null };
  await createRefund(deps, OPERATOR, all);
  await expect.poll(async () => (await books(service, id)).refunded, { timeout: 10_000 }).toEqual([19.99]);
  await expect(createRefund(deps, OPERATOR, all)).rejects.toThrow('no money left');
});

test('ifthenpay announces a refund made in its back office, and a refund of an unknown payment', async () => {
  const { service, merchant } = await startWithMerchant();
  const id = await merchant.pay();
  const receipt = await paidReceipt(service, id);
  const { antiPhishingKey } = await bankCredentials(service.app.deps, merchant.merchantId);
  const announce = (requestId: string, key = antiPhishingKey) => {
    const query = new URLSearchParams({ key, requestId, amount: '7.50', status: 'DEVOLVIDO' });
    return call(`${service.url}/callbacks/ifthenpay?${query}`, {});
  };
  expect((await announce(receipt.request_id ?? '', 'a-guessed-key')).status).toBe(403);
  expect((await announce(receipt.request_id ?? '')).status).toBe(200);
  expect((await announce('UNKNOWN')).status).toBe(200);
  expect(await reports(service)).toMatchObject([
    { receipt_id: receipt.id, amount_cents: 750 },
    { receipt_id: null, amount_cents: 750, request_id: 'UNKNOWN' },
  ]);
  expect(await books(service, id)).toEqual({ refunded: [0], states: [] });
});

test('a replayed notification of a refund stays known when an account that shared its key gets another one', async () => {
  const service = await startService();
  const { deps } = service.app;
  const { merchantId } = await service.merchant();
  const credentials = () => sandboxCredentials(deps.random, 'ifthenpay') as IfthenpayCredentials;
  const shared = credentials();
  await setBankAccount(deps, { merchantId: null, credentials: shared });
  const { antiPhishingKey: key } = shared;
  await setBankAccount(deps, { merchantId, credentials: { ...credentials(), antiPhishingKey: key } });
  const query = new URLSearchParams({ key, requestId: 'SHARED', amount: '7.50', status: 'DEVOLVIDO' });
  const announce = () => call(`${service.url}/callbacks/ifthenpay?${query}`, {});
  await announce();
  const { antiPhishingKey } = credentials();
  await setBankAccount(deps, { merchantId: null, credentials: { ...shared, antiPhishingKey } });
  expect((await announce()).status).toBe(200);
  expect(await reports(service)).toHaveLength(1);
});
