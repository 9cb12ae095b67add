import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readPaymentList } from '../../src/banks/ifthenpay/list.ts';
import { type WallRange, wallRange, wallText } from '../../src/banks/ifthenpay/wall-time.ts';
import { type BankRecord, BankUnavailable } from '../../src/banks/port.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { ACCOUNT, adapter, handMadeBank, json } from './support.ts';

interface Payment {
  paidAt: number;
  requestId: string;
  amount: string;
}

const NOW = Date.UTC(2026, 9, 28, 12);

function row({ paidAt, requestId, amount }: Payment) {
  return {
    amount,
    entity: '11990',
    orderId: 'A1',
    paymentDate: lisbonText(paidAt),
    reference: '1',
    requestId,
  };
}

/** A list as the bank keeps it: newest first, 1000 rows at most, compared by the readings of its clock. */
function pagesOf(payments: readonly Payment[]) {
  const rows = payments
    .map(row)
    .map((shown) => ({ text: sortable(shown.paymentDate), row: shown }))
    .sort((a, b) => (a.text < b.text ? 1 : -1));
  return async (range: WallRange | null) => {
    const [from, to] =
      range === null
        ? ['', '9']
        : [sortable(wallText(range.fromSeconds)), sortable(wallText(range.toSeconds))];
    return rows
      .filter(({ text }) => text >= from && text <= to)
      .slice(0, 1000)
      .map((entry) => entry.row);
  };
}

const sortable = (text: string) =>
  `${text.slice(6, 10)}${text.slice(3, 5)}${text.slice(0, 2)}${text.slice(11)}`;

const identities = (records: readonly BankRecord[]) => records.map(({ identity }) => identity).sort();

/** What the list holds, by its meaning: each payment once, alike ones numbered. */
function expected(payments: readonly Payment[]): string[] {
  const ranks = new Map<string, number>();
  return payments
    .map(({ paidAt, requestId, amount }) => {
      const alike = [requestId, lisbonText(paidAt), Math.round(Number(amount) * 100)];
      const rank = (ranks.get(JSON.stringify(alike)) ?? 0) + 1;
      ranks.set(JSON.stringify(alike), rank);
      return `ifthenpay:${JSON.stringify([...alike, rank])}`;
    })
    .sort();
}

// Around October's clock change of 2026, so that the repeated hour is met; seconds are few, so that rows look alike.
const payments = fc
  .tuple(fc.integer({ min: 5, max: 4 * 86_400 }), fc.integer({ min: 0, max: 2600 }), fc.nat())
  .map(([spreadSeconds, count, seed]): Payment[] =>
    Array.from({ length: count }, (_, i) => {
      const dice = Math.imul(seed + i, 2_654_435_761) >>> 0;
      return {
        paidAt:
          Date.UTC(2026, 9, 25, 0, 30) - DAY_MS + Math.floor(((dice >>> 8) / 2 ** 24) * spreadSeconds) * 1000,
        requestId: `r${dice % 5}`,
        amount: dice % 2 === 0 ? '1.50' : '20.00',
      };
    }),
  );

test('a full list has the same records and ranks whether it is split or not', async () => {
  await fc.assert(
    fc.asyncProperty(payments, async (all) => {
      const seconds = [...Map.groupBy(all, ({ paidAt }) => lisbonText(paidAt)).values()];
      fc.pre(seconds.every((second) => second.length < 1000));
      const filter = { from: Date.UTC(2026, 9, 20), to: NOW };
      expect(identities((await readPaymentList(pagesOf(all), filter, NOW)).records)).toEqual(expected(all));
      expect(identities((await readPaymentList(pagesOf(all), {}, NOW)).records)).toEqual(expected(all));
    }),
    { numRuns: 15 },
  );
});

test('a thousand rows within one second are a failure, and hide no payment of other seconds', async () => {
  const full = Array.from({ length: 1000 }, (_, i) => ({ paidAt: NOW, requestId: `r${i}`, amount: '1.00' }));
  const others = [NOW - 1000, NOW + 1000].map((paidAt) => ({ paidAt, requestId: 'r', amount: '2.00' }));
  const filter = { from: NOW - DAY_MS, to: NOW + DAY_MS };
  const list = await readPaymentList(pagesOf([...full, ...others]), filter, NOW);
  expect(list.failure).toBeInstanceOf(BankUnavailable);
  expect(identities(list.records)).toEqual(expected([...full, ...others]));
});

test("a range that ends in October's repeated hour includes all of that hour", () => {
  const firstPass = Date.UTC(2026, 9, 25, 0, 40);
  const secondPass = Date.UTC(2026, 9, 25, 1, 10);
  const range = wallRange(firstPass, secondPass);
  expect(wallText(range.fromSeconds)).toBe('25-10-2026 01:00:00');
  expect(wallText(range.toSeconds)).toBe('25-10-2026 01:59:59');
});

test('the list request is in Lisbon time, and rows are read in every spelling and number format', async () => {
  const spellings = ['mbway', ' MBWAY ', 'MB WAY', 'Mb-Way', 'MB_WAY'];
  const payments = [
    {
      amount: '12.50',
      entity: 'MBWAY',
      orderId: 'A1',
      paymentDate: '15-07-2026 12:00:00',
      requestId: 'p+1',
      subEntity: 'ABC-123456',
    },
    {
      amount: 20,
      entity: 11990,
      orderId: 'B2',
      paymentDate: '15-07-2026 12:00:00',
      reference: 291,
      requestId: 'q',
    },
    {
      Amount: 20,
      Entity: '11990',
      OrderID: 'B2',
      PaymentDate: '15-07-2026 12:00:00',
      Reference: '000 000 291',
      RequestId: 'q',
    },
    { amount: 7, entity: 'CCARD', orderId: '', paymentDate: 'yesterday', requestId: '' },
    ...spellings.map((entity, n) => ({ amount: 1, entity, requestId: `s${n}` })),
  ];
  const { url, requests } = await handMadeBank((_request, response) =>
    json(response, { message: 'OK', status: 200, payments }),
  );
  const filter = { from: Date.UTC(2026, 6, 14, 23), to: Date.UTC(2026, 6, 15, 23) - 1 };
  const { records, complete } = await adapter(url, fakeClock(NOW)).bank.listPayments(ACCOUNT, filter);
  expect(complete).toBe(true);
  expect(requests[0]?.url).toBe('/v2/payments/read');
  expect(JSON.parse(requests[0]?.body ?? '')).toEqual({
    boKey: '1111-2222-3333-4444',
    dateStart: '15-07-2026 00:00:00',
    dateEnd: '15-07-2026 23:59:59',
  });
  expect(identities(records)).toEqual(
    [
      'ifthenpay:p+1',
      'ifthenpay:["q","15-07-2026 12:00:00",2000,1]',
      'ifthenpay:["q","15-07-2026 12:00:00",2000,2]',
      'ifthenpay:["CCARD",null,null,"yesterday",700,1]',
      ...spellings.map((_, n) => `ifthenpay:s${n}`),
    ].sort(),
  );
  expect(records[0]).toMatchObject({
    method: 'MBWAY',
    amount: 1250,
    paidAt: Date.UTC(2026, 6, 15, 11),
    methodKey: 'ABC-123456',
    requestId: 'p+1',
    bankOrderId: 'A1',
    reference: null,
  });
  expect(records[2]).toMatchObject({ method: 'REFERENCE', entity: '11990', reference: '000000291' });
  expect(records[3]).toMatchObject({ method: null, paidAt: null, requestId: null, bankOrderId: null });
});

test('filters are sent under the names of the bank', async () => {
  const { url, requests } = await handMadeBank((_request, response) =>
    json(response, { message: 'OK', status: 200, payments: [] }),
  );
  const { bank } = adapter(url);
  await bank.listPayments(ACCOUNT, { bankOrderId: 'A1' });
  await bank.listPayments(ACCOUNT, { requestId: 'r1' });
  expect(requests.map(({ body }) => JSON.parse(body))).toEqual([
    { boKey: '1111-2222-3333-4444', orderId: 'A1' },
    { boKey: '1111-2222-3333-4444', requestId: 'r1' },
  ]);
});

test('a row without a readable amount is logged once and makes the list incomplete', async () => {
  const good = { amount: '1.00', entity: 'MBWAY', requestId: 'good' };
  const bad = { amount: '1,00 EUR', entity: 'MBWAY', requestId: 'bad', orderId: 'A1' };
  const { url } = await handMadeBank((_request, response) =>
    json(response, { message: 'OK', status: 200, payments: [bad, good, null] }),
  );
  const { bank, lines, calls } = adapter(url);
  for (let reads = 0; reads < 2; reads++) {
    const { records, complete } = await bank.listPayments(ACCOUNT, {});
    expect(identities(records)).toEqual(['ifthenpay:good']);
    expect(complete).toBe(false);
  }
  const errors = lines.filter(({ level }) => level === 50);
  expect(errors).toHaveLength(2);
  expect(errors[0]).toMatchObject({
    accountId: 'acc_1',
    row: { amount: '1,00 EUR', orderId: 'A1', requestId: 'bad' },
  });
  expect(calls.filter(({ operation }) => operation === 'list-row')).toHaveLength(2);
});

test('a refusal of the list means unavailable, not an empty list', async () => {
  const { url } = await handMadeBank((_request, response) =>
    json(response, { message: 'no', status: 403, payments: [] }),
  );
  await expect(adapter(url).bank.listPayments(ACCOUNT, {})).rejects.toThrow(BankUnavailable);
});

test('a refund row is no payment, and of two rows of a push the larger one is its payment', async () => {
  const reference = { entity: '11990', reference: '291', orderId: 'B2', paymentDate: '15-07-2026 12:00:00' };
  const push = { entity: 'MBWAY', requestId: 'p' };
  const payments = [
    { ...push, amount: '5.00' },
    { ...push, amount: '12.50' },
    { ...push, amount: '7.50' },
    { ...reference, amount: '20.00', requestId: 'q' },
    { ...reference, amount: '-4.00', requestId: 'q' },
    { ...reference, amount: '3.00', requestId: 'q', status: 'DEVOLVIDO' },
    { ...reference, amount: '2.00', requestId: 'q', type: 'Reembolso' },
  ];
  const { url } = await handMadeBank((_request, response) =>
    json(response, { message: 'OK', status: 200, payments }),
  );
  const { records, complete } = await adapter(url).bank.listPayments(ACCOUNT, {});
  expect(complete).toBe(true);
  expect(records.map(({ requestId, amount }) => [requestId, amount])).toEqual([
    ['p', 1250],
    ['q', 2000],
  ]);
});
