import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { afterEach, expect, test, vi } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { listLeads } from '../../src/leads/list.ts';
import { listMerchants } from '../../src/merchants/list-merchants.ts';
import { listReceipts } from '../../src/payments/list-receipts.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';

afterEach(() => vi.restoreAllMocks());

/**
 * Reading from end to end is right only where everything is wanted: the sweep reads the list of each bank account, and
 * `given` is a list of values in the statement itself.
 */
const READ_WHOLE = new Set(['bank_accounts', 'given']);

test('no statement of a whole run, from init to payment, reads a table from end to end', async () => {
  // Migrations run once and may read what they like.
  const folder = temporaryFolder();
  await (await openDatabase(`sqlite:${join(folder, 'service.db')}`)).close();
  const statements = new Set<string>();
  const prepare = Sqlite.prototype.prepare;
  vi.spyOn(Sqlite.prototype, 'prepare').mockImplementation(function (this: Sqlite.Database, source: string) {
    if (this.name.endsWith('service.db')) statements.add(source);
    return prepare.call(this, source);
  });
  const service = await startService({
    folder,
    env: {
      SERVICE_MBWAY_WINDOW_SECONDS: '1',
      SERVICE_MBWAY_GRACE_SECONDS: '0',
      SERVICE_PENDING_HOURS: '0.0003',
    },
  });
  const merchant = await service.merchant();
  const push = async (phoneNumber: string, wanted: string) => {
    const id = await merchant.init();
    await merchant.post('/payments/mbway', { transactionId: id, phoneNumber });
    await merchant.reaches(id, wanted);
  };
  await Promise.all([push('911000001', 'paid'), push('911000002', 'failed'), push('911000003', 'cancelled')]);
  await service.control('/faults', { mode: 'error500', times: 1 });
  await push('931112231', 'cancelled');
  const referred = await merchant.init();
  const { body } = await merchant.post('/payments/multibanco', { transactionId: referred });
  await service.control('/multibanco', { entity: body.entity, reference: body.reference });
  await merchant.reaches(referred, 'paid');
  await merchant.reaches(await merchant.init(), 'cancelled');
  await merchant.post(
    '/payments/init',
    { orderId: 'K', amount: 1, storeUrl: 'https://shop.pt' },
    { 'idempotency-key': 'k' },
  );
  await listReceipts(service.app.deps, { flag: 'late' });
  await listReceipts(service.app.deps, {});
  await listLeads(service.app.deps, { merchantId: merchant.merchantId, limit: 10 });
  await listMerchants(service.app.deps, { limit: 10 });

  const file = new Sqlite(service.app.deps.settings.databaseUrl.slice('sqlite:'.length));
  const scans: string[] = [];
  for (const source of statements) {
    if (!/^\s*(select|insert|update|delete|with)/i.test(source)) continue;
    const values = Array.from(source.matchAll(/\?/g), () => null);
    const plan = file.prepare(`explain query plan ${source}`).all(...values) as { detail: string }[];
    for (const { detail } of plan) {
      const [, table] = /^SCAN (\S+)/.exec(detail) ?? [];
      const indexed = detail.includes('USING');
      if (table !== undefined && !indexed && /^[a-z_]+$/.test(table) && !READ_WHOLE.has(table)) {
        scans.push(`${detail}: ${source}`);
      }
    }
  }
  file.close();
  expect(statements.size).toBeGreaterThan(40);
  expect(scans).toEqual([]);
});
