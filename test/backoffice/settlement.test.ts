import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, expect, test } from 'vitest';
import type { Settlement } from '../../src/backoffice/settlement/show.ts';
import { dayAfter, lisbonDay } from '../../src/kernel/lisbon.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { jsonHere } from '../cli/support.ts';
import { dial } from '../http/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { insertRows, selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { shopWithOwner, signedIn, type Visitor } from './support.ts';

const folder = temporaryFolder(afterAll);
const service = await startService({ folder, whenOver: afterAll });
const { db, ids } = service.app.deps;

interface Entry {
  at: number;
  gross: number;
  fee?: number;
  /** What the acquirer pays out; left out: the gross less the fee. */
  net?: null;
  valueDate?: string;
  /** A refund with its time. */
  refund?: { at: number; cents: number };
}

/** Writes receipts as in the bank's list, and completed refunds. */
async function write({ merchantId }: TestMerchant, entries: readonly Entry[]): Promise<void> {
  const { id: accountId } = await db.read.selectFrom('bank_accounts').select('id').executeTakeFirstOrThrow();
  for (const { at, gross, fee = null, net, valueDate = null, refund } of entries) {
    const [id, txId] = [ids('rcp'), ids('tx')];
    const account = { account_id: accountId, merchant_id: merchantId };
    const sale = { order_id: 'A', amount_cents: gross, paid_at: at, created_at: at };
    await insertRows(db, 'transactions', { ...sale, id: txId, merchant_id: merchantId });
    const times = { paid_at: at, recorded_at: at, value_date: valueDate };
    const left = fee === null || net === null ? null : gross - fee;
    const sums = { amount_cents: gross, fee_cents: fee, net_cents: left };
    const receipt = { ...account, ...times, ...sums, id, identity: id, transaction_id: txId };
    await insertRows(db, 'receipts', receipt);
    if (refund === undefined) continue;
    const made = { amount_cents: refund.cents, created_at: at, settled_at: refund.at };
    await insertRows(db, 'refunds', { ...account, ...made, id: ids('ref'), receipt_id: id });
  }
}

const HOUR = 3_600_000;
/** Midnight in Lisbon: on 29 March and 25 October the clock changes. */
const MARCH_29 = Date.UTC(2026, 2, 29);
const MARCH_30 = Date.UTC(2026, 2, 29, 23);
const OCTOBER_25 = Date.UTC(2026, 9, 24, 23);
const OCTOBER_26 = Date.UTC(2026, 9, 26);

const show = async (who: Visitor, { merchantId }: TestMerchant, from: string, to: string) => {
  const said = await who.query('settlement.show', { merchantId, from, to });
  expect(said.status).toBe(200);
  return said.value as Settlement;
};

type Sums = Record<string, { gross: number; fee: number; refund: number; net: number }>;

/** The sums in cents of each day of a file's lines; the columns of both files have the same order. */
function sumsOf(text: string, separator: string): Sums {
  const sums: Sums = {};
  const cents = (cell = '') =>
    cell === '' ? 0 : Math.round(Number(cell.replaceAll('"', '').replace(',', '.')) * 100);
  for (const line of text.trim().split('\r\n').slice(1)) {
    const cells = line.split(separator);
    const day = cells[0] ?? '';
    const sum = sums[day] ?? { gross: 0, fee: 0, refund: 0, net: 0 };
    sums[day] = sum;
    sum.gross += cents(cells[8]);
    sum.fee += cents(cells[9]);
    sum.refund += cents(cells[11]);
    sum.net += cents(cells[10]) - cents(cells[11]);
  }
  return sums;
}

test('page, download and command line agree to the cent, also on the days of the clock change', async () => {
  const shop = await service.merchant({ name: 'Livraria do Cais' });
  const other = await service.merchant({ name: 'Another shop' });
  await write(other, [{ at: MARCH_29, gross: 7777, fee: 77, refund: { at: MARCH_29, cents: 77 } }]);
  await write(shop, [
    { at: MARCH_29 - 1, gross: 100, fee: 1, refund: { at: MARCH_30, cents: 33 } },
    { at: MARCH_29, gross: 1999, fee: 19, valueDate: '2026-03-31' },
    { at: MARCH_30 - 1, gross: 2001, fee: 21, valueDate: '2026-04-01' },
    { at: MARCH_30, gross: 1010 },
    { at: OCTOBER_25 - 1, gross: 500, fee: 8, refund: { at: OCTOBER_26 - 1, cents: 500 } },
    { at: OCTOBER_25, gross: 600, fee: 9 },
    { at: OCTOBER_25 + 24.5 * HOUR, gross: 700, fee: 10, refund: { at: OCTOBER_26, cents: 1 } },
    { at: OCTOBER_26, gross: 800, fee: 11 },
  ]);
  const viewer = await signedIn(service, { role: 'viewer', merchantId: shop.merchantId });
  const [from, to] = ['2026-03-01', '2026-10-31'];
  const shown = await show(viewer, shop, from, to);
  expect(shown.days.map(({ day, count, unknownCount }) => [day, count, unknownCount])).toEqual([
    ['2026-10-26', 1, 0],
    ['2026-10-25', 2, 0],
    ['2026-10-24', 1, 0],
    ['2026-03-30', 1, 1],
    ['2026-03-29', 2, 0],
    ['2026-03-28', 1, 0],
  ]);
  expect(shown.days.find(({ day }) => day === '2026-03-29')).toMatchObject({
    grossCents: 4000,
    feeCents: 40,
    refundCents: 0,
    netCents: 3960,
    firstValueDate: '2026-03-31',
    lastValueDate: '2026-04-01',
  });
  expect(shown.total).toEqual({
    count: 8,
    grossCents: 7710,
    feeCents: 79,
    refundCents: 534,
    netCents: 6087,
    unknownCount: 1,
    unknownFeeCount: 1,
  });
  const wanted = Object.fromEntries(
    shown.days.map((day) => [
      day.day,
      { gross: day.grossCents, fee: day.feeCents, refund: day.refundCents, net: day.netCents },
    ]),
  );

  const file = join(folder, 'statement.csv');
  for (const [first, last, rows] of [
    [from, '2026-03-29', 3],
    ['2026-03-30', to, 8],
    [from, to, 11],
  ] as const) {
    const days = ['--merchant', shop.merchantId, '--from', first, '--to', last];
    expect(await jsonHere(folder, ['statement', 'export', ...days, file])).toEqual({ file, rows });
  }
  expect(sumsOf(readFileSync(file, 'utf8'), ',')).toEqual(wanted);
  for (const [language, separator, name] of [
    ['en', ',', 'settlement'],
    ['pt', ';', 'liquidacao'],
  ] as const) {
    const query = new URLSearchParams({ merchantId: shop.merchantId, from, to, language });
    const download = await viewer.get(`/export/settlement.csv?${query}`);
    expect(download.headers.get('content-disposition')).toBe(
      `attachment; filename="${name}-livraria-do-cais-${from}-${to}.csv"`,
    );
    const text = await download.text();
    expect(text.match(/\r\n/g)).toHaveLength(12);
    expect(sumsOf(text, separator)).toEqual(wanted);
  }
  const none = await show(viewer, shop, '2026-06-01', '2026-06-30');
  expect([none.days, none.total.count]).toEqual([[], 0]);
});

test('the money of held sales is not in the settlement that their merchant sees', async () => {
  const { merchant: shop, owner } = await shopWithOwner(service);
  await setMerchant(service.app.deps, shop.merchantId, { hold: true });
  const { mb } = await shop.reference();
  await service.control('/multibanco', mb);
  const receipts = () => selectRows(db, 'receipts', { merchant_id: shop.merchantId });
  await until(async () => (await receipts()).length === 1, 'the receipt');
  const operator = await signedIn(service, { role: 'operator' });
  const today = lisbonDay(service.app.deps.clock.now());
  const [from, to] = [dayAfter(today, -1), today];
  const query = new URLSearchParams({ merchantId: shop.merchantId, from, to, language: 'en' });
  const lines = async (who: Visitor) =>
    (await (await who.get(`/export/settlement.csv?${query}`)).text()).trim().split('\r\n').length - 1;
  expect([(await show(owner, shop, from, to)).total.count, await lines(owner)]).toEqual([0, 0]);
  expect([(await show(operator, shop, from, to)).total.count, await lines(operator)]).toEqual([1, 1]);
});

test('an interval must be days in order, and at most a year', async () => {
  const shop = await service.merchant();
  const viewer = await signedIn(service, { role: 'viewer', merchantId: shop.merchantId });
  for (const [from, to, status] of [
    ['2026-02-30', '2026-03-01', 400],
    ['2026-03-02', '2026-03-01', 400],
    ['2026-01-01', '2027-01-02', 400],
    ['2026-01-01', '2027-01-01', 200],
    ['9998-12-30', '9999-12-30', 200],
  ] as const) {
    const input = { merchantId: shop.merchantId, from, to };
    expect([from, to, (await viewer.query('settlement.show', input)).status]).toEqual([from, to, status]);
    const query = new URLSearchParams(input);
    expect((await viewer.get(`/export/settlement.csv?${query}`)).status).toBe(status);
  }
});

test('other requests are served while the days of a year are added up', async () => {
  const { merchant, owner } = await shopWithOwner(service);
  const { host, port } = new URL(service.url);
  const callOf = (path: string) =>
    `GET ${path} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${owner.cookie()}\r\n\r\n`;
  const [year, other] = [await dial(Number(port)), await dial(Number(port))];
  for (const { socket, answers } of [year, other]) {
    socket.write(callOf('/healthz'));
    await until(() => answers().length === 1);
  }
  const days = JSON.stringify({ merchantId: merchant.merchantId, from: '2026-01-01', to: '2026-12-31' });
  year.socket.write(callOf(`/backoffice/trpc/settlement.show?input=${encodeURIComponent(days)}`));
  let served = 0;
  for (; year.answers().length < 2; served++) {
    const answered = new Promise((resolve) => other.socket.once('data', resolve));
    other.socket.write(callOf('/healthz'));
    await answered;
  }
  expect(served).toBeGreaterThan(5);
  expect(year.answers()[1]?.status).toBe(200);
});

test('a payment with a fee but without a net, as from EuPago, counts in the fees of its day and of the period', async () => {
  const shop = await service.merchant();
  await write(shop, [
    { at: MARCH_29, gross: 1000, fee: 20, net: null },
    { at: MARCH_29, gross: 700, fee: 7 },
    { at: MARCH_29, gross: 500 },
  ]);
  const viewer = await signedIn(service, { role: 'viewer', merchantId: shop.merchantId });
  const sums = { count: 3, grossCents: 2200, feeCents: 27, netCents: 693, refundCents: 0 };
  const expected = { ...sums, unknownCount: 2, unknownFeeCount: 1 };
  const { days, total } = await show(viewer, shop, '2026-03-29', '2026-03-29');
  expect(total).toEqual(expected);
  expect(days).toMatchObject([expected]);
});
