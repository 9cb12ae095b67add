import { execFileSync } from 'node:child_process';
import {
  createReadStream,
  lstatSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import type { Deps } from '../../src/deps.ts';
import { dayAfter, lisbonDay } from '../../src/kernel/lisbon.ts';
import { statementPage } from '../../src/payments/statement/statement.ts';
import { jsonHere, refusedHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { installation } from './refund-kit.ts';

const HEADER =
  'day,kind,orderId,transactionId,receiptId,refundId,acquirer,method,gross,fee,net,refund,valueDate';

test('fees that only the list contains reach a receipt that an inquiry recorded, and the statement of its day', async () => {
  const made = await installation({ env: { SERVICE_RECONCILE_SECONDS: '1' } });
  const { folder, service, shop: merchant, json } = made;
  const other = await service.merchant({ name: 'Another shop' });
  const id = await merchant.push('911000001', { amount: 12.5, orderId: '=1+1' });
  await merchant.reaches(id, 'paid');
  await other.reaches(await other.push('911000001', { orderId: 'NOT-MINE' }), 'paid');
  const receipt = await until(async () => {
    const [shown] = (await json(`transaction show ${id}`)).receipts;
    return shown.fee === null ? undefined : shown;
  }, 'the fee');
  expect(receipt.fee).toBeGreaterThan(0);
  expect(receipt.net).toBeCloseTo(12.5 - receipt.fee, 2);
  expect(receipt.valueDate).toMatch(/^\d{4}-\d\d-\d\d$/);

  const day = lisbonDay(Date.parse(receipt.paidAt));
  const file = join(folder, 'statement.csv');
  const statement = (from: string, to = day) =>
    `statement export --merchant ${merchant.merchantId} --from ${from} --to ${to} ${file}`;
  // An earlier file that others can read.
  writeFileSync(file, 'an earlier statement, longer than the next '.repeat(20), { mode: 0o644 });
  expect(await json(statement(day))).toEqual({ file, rows: 1 });
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const lines = readFileSync(file, 'utf8').split('\r\n');
  expect(lines).toEqual([
    HEADER,
    `${day},receipt,'=1+1,${id},${receipt.id},,ifthenpay,MBWAY,12.50,${receipt.fee.toFixed(2)},${receipt.net.toFixed(2)},,${receipt.valueDate}`,
    '',
  ]);
  expect(await json(statement(day, '9999-12-31'))).toEqual({ file, rows: 1 });

  const wrong = await refusedHere(folder, statement('2026-02-30'));
  expect(wrong).toContain('must be days such as 2026-01-31');
});

test('a statement has the refunds that were made, among the receipts in the order of time', async () => {
  const { folder, service, shop, json } = await installation();
  const other = await service.merchant({ name: 'Another shop' });
  const first = await shop.pay({ orderId: 'FIRST' });
  await json(`refund create --transaction ${await other.pay()} --amount 1`);
  const part = await json(`refund create --transaction ${first} --amount 5`);
  await service.control('/faults', { mode: 'insufficient-refund', times: 1 });
  expect(await json(`refund create --transaction ${first} --amount 1`)).toMatchObject({ state: 'failed' });
  const second = await shop.pay({ orderId: 'SECOND' });
  const rest = await json(`refund create --transaction ${first}`);
  const listed = await json('receipt list');
  expect(listed).toHaveLength(3);
  expect(await json(`receipt list --after ${listed[0].id}`)).toEqual(listed.slice(1));

  const day = lisbonDay(Date.now());
  const file = join(folder, 'statement.csv');
  const days = ['--from', dayAfter(day, -1), '--to', dayAfter(day)];
  expect(await json(['statement', 'export', '--merchant', shop.merchantId, ...days, file])).toEqual({
    file,
    rows: 4,
  });
  const lines = readFileSync(file, 'utf8')
    .trim()
    .split('\r\n')
    .map((line) => line.split(','));
  const column = (name: string) => lines.slice(1).map((cells) => cells[HEADER.split(',').indexOf(name)]);
  // The bank's time of payment has whole seconds, so only the refunds have a certain order.
  expect(column('kind').filter((kind) => kind === 'refund')).toHaveLength(2);
  expect(column('refundId').filter((id) => id !== '')).toEqual([part.refundId, rest.refundId]);
  expect(column('transactionId').toSorted()).toEqual([first, first, first, second].toSorted());
  const settled = Date.parse((await json(`refund show ${part.refundId}`)).settledAt);
  expect(lines.find((cells) => cells.includes(part.refundId))).toEqual([
    ...[lisbonDay(settled), 'refund', 'FIRST', first, part.receiptId, part.refundId],
    ...['ifthenpay', 'MBWAY', '', '', '', '5.00', ''],
  ]);
  expect(column('refund').filter((amount) => amount !== '')).toEqual(['5.00', '14.99']);
});

test('a statement that cannot be completed leaves an earlier file of its name as it was', async () => {
  const folder = temporaryFolder();
  const { merchantId } = await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const file = join(folder, 'january.csv');
  const statement = (to: string) =>
    `statement export --merchant ${merchantId} --from 2026-01-01 --to 2026-01-31 ${to}`;
  writeFileSync(file, 'an earlier statement');
  const handle = new Sqlite(join(folder, 'service.db'));
  onTestFinished(() => void handle.close());
  handle.exec('alter table refunds rename to unreadable');
  expect(await refusedHere(folder, statement(file))).toMatch(/^cannot write .*no such table/);
  expect(readFileSync(file, 'utf8')).toBe('an earlier statement');
  handle.exec('alter table unreadable rename to refunds');
  expect(await jsonHere(folder, statement(file))).toEqual({ file, rows: 0 });
  expect(readFileSync(file, 'utf8')).toBe(`${HEADER}\r\n`);
  expect(readdirSync(folder).filter((name) => name.startsWith('january.csv'))).toEqual(['january.csv']);
  const inFile = join(file, 'february.csv');
  expect(await refusedHere(folder, statement(inFile))).toMatch(/^cannot write .*february.csv: ENOTDIR/);
});

test('a statement is written through a link and into a pipe, and by one export at a time', async () => {
  const folder = temporaryFolder();
  const { merchantId } = await jsonHere(folder, 'merchant create --name Loja --domain shop.pt');
  const [file, link, pipe] = ['january.csv', 'link.csv', 'pipe'].map((name) => join(folder, name));
  const days = '--from 2026-01-01 --to 2026-01-31';
  const written = (to = '') => jsonHere(folder, `statement export --merchant ${merchantId} ${days} ${to}`);
  symlinkSync('january.csv', link ?? '');
  execFileSync('bash', ['-c', 'mkfifo "$0"', pipe ?? '']);
  const read = text(createReadStream(pipe ?? ''));
  writeFileSync(file ?? '', 'an earlier statement');
  await Promise.all([written(link), written(pipe)]);
  expect([readFileSync(file ?? '', 'utf8'), await read]).toEqual([`${HEADER}\r\n`, `${HEADER}\r\n`]);
  expect(lstatSync(link ?? '').isSymbolicLink()).toBe(true);
  writeFileSync(`${file}.partial`, 'of another export');
  const again = `statement export --merchant ${merchantId} ${days} ${file}`;
  expect(await refusedHere(folder, again)).toMatch(/january.csv.partial already exists: another export is /);
  expect(readFileSync(`${file}.partial`, 'utf8')).toBe('of another export');
});

test('a statement of several pages has every receipt and refund once, in the order of time', async () => {
  const { deps } = (await startService()).app;
  const lines = await manyLines(deps, 1203);
  const filter = { merchantId: 'mer_1', from: 0, until: Number.MAX_SAFE_INTEGER, unheld: false } as const;
  const found = [];
  let cursor = null;
  do {
    const page: Awaited<ReturnType<typeof statementPage>> = await statementPage(deps.db.read, filter, cursor);
    expect(page.rows.length).toBeLessThanOrEqual(500);
    found.push(...page.rows.map(({ id }) => id));
    cursor = page.nextCursor;
  } while (cursor !== null);
  expect(found).toEqual(lines);
});

test('a row of the list with another amount than the receipt gives it neither a fee nor a net amount', async () => {
  const { service, shop, json } = await installation({ env: { SERVICE_RECONCILE_SECONDS: '1' } });
  const id = await shop.pay();
  await service.control('/refund-rows', { mode: 'reduced' });
  await json(`refund create --transaction ${id} --amount 19`);
  const { db } = service.app.deps;
  // As an inquiry records it.
  await updateRows(db, 'receipts', { fee_cents: null, net_cents: null, value_date: null });
  const receipt = await until(async () => {
    const [shown] = (await json(`transaction show ${id}`)).receipts;
    return shown.valueDate === null ? undefined : shown;
  }, 'the value date');
  expect(receipt).toMatchObject({ amount: 19.99, fee: null, net: null });
});

/** Receipts and refunds of a merchant, several of them at the same instant; their ids in the order of a statement. */
async function manyLines(deps: Deps, count: number) {
  const account = { merchant_id: 'mer_1', account_id: 'acc_many' } as const;
  const rows = Array.from({ length: count }, (_, index) => {
    const number = String(index).padStart(6, '0');
    const at = 1_000 + Math.floor(index / 7);
    return index % 7 > 4
      ? { ...account, id: `ref_${number}`, receipt_id: 'rcp_000000', settled_at: at }
      : { ...account, id: `rcp_${number}`, identity: `many-${number}`, paid_at: at };
  });
  const isRefund = ({ id }: { id: string }) => id.startsWith('ref_');
  await insertRows(deps.db, 'merchants', { id: 'mer_1' });
  await insertRows(deps.db, 'bank_accounts', { id: 'acc_many' });
  await insertRows(deps.db, 'receipts', ...(rows.filter((row) => !isRefund(row)) as object[]));
  await insertRows(deps.db, 'refunds', ...(rows.filter(isRefund) as object[]));
  return rows.map(({ id }) => id);
}
