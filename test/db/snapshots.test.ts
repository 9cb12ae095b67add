import { readdirSync } from 'node:fs';
import { afterAll, expect, test } from 'vitest';
import { listCases } from '../../src/backoffice/exceptions/list.ts';
import { showCase } from '../../src/backoffice/exceptions/show.ts';
import { moneyAlert } from '../../src/backoffice/mails/alerts.ts';
import { refundsOfReceipt } from '../../src/backoffice/refunds/show.ts';
import { showTransaction as showDetail } from '../../src/backoffice/transaction/show.ts';
import { currentRows } from '../../src/backoffice/transactions/list.ts';
import { PAYMENTS } from '../../src/cli/commands/payments.ts';
import type { Database } from '../../src/db/database.ts';
import type { MetaKey } from '../../src/db/meta.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { settleRefund } from '../../src/payments/refunds/settle-refund.ts';
import { showRefund } from '../../src/payments/refunds/view.ts';
import type { showTransaction } from '../../src/payments/show.ts';
import type { transactionEvents } from '../../src/webhooks/history.ts';
import { cases } from '../backoffice/web/money-cases.ts';
import { OPERATOR } from '../payments/setup.ts';
import { readWhileChanging } from '../support/changing.ts';
import { temporaryDatabase } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';

const service = await startService({ whenOver: afterAll });
const { deps } = service.app;
const money = cases(service);
const shop = await service.merchant();

/** An order that was paid in two parts, which an operator may credit. */
async function paidInParts() {
  const { id, pay } = await money.reference(shop, 'PARTS');
  await pay(5);
  await pay(14.99);
  const receipt = await selectRow(deps.db, 'receipts', { transaction_id: id });
  return { id: id as Id<'tx'>, receiptId: receipt.id };
}

const credit = ({ id }: { id: string }) => creditTransaction(deps, id);

/** What `transaction show` prints. */
async function shownBy(db: Database, id: string) {
  const command = PAYMENTS.find(({ name }) => name === 'transaction show');
  if (command === undefined) throw new Error('there is no such command');
  const { value } = await command.run(
    { id: () => id } as never,
    { open: async () => ({ ...deps, db }) } as never,
  );
  return value as Awaited<ReturnType<typeof showTransaction>> & Awaited<ReturnType<typeof transactionEvents>>;
}

test('a transaction is shown with the events and receipts of its status, also while it is being paid', async () => {
  const shown = await readWhileChanging(
    deps.db,
    paidInParts,
    async (db, { id }) => {
      const { transaction, events, receipts } = await shownBy(db, id);
      return `${transaction.status} ${receipts.length} ${events.map(({ event }) => event)}`;
    },
    credit,
  );
  expect(shown.at(-1)).toBe('pending 2 ');
  expect(['pending 2 ', 'paid 2 payment.success']).toEqual(expect.arrayContaining(shown));
});

test('the page of a transaction never shows its merchant the money of a held sale', async () => {
  const held = await service.merchant();
  await setMerchant(deps, held.merchantId, { hold: true });
  const seen = await readWhileChanging(
    deps.db,
    () => money.reference(held, 'HELD'),
    async (db, { id }) => {
      const { timeline, ...page } = await showDetail({ ...deps, db }, id, held.merchantId, 'merchant');
      const kinds = timeline.map(({ kind }) => kind);
      return `${page.status} ${page.receivedCents} ${page.attempts.map(({ state }) => state)} ${kinds}`;
    },
    async ({ id, pay }) => {
      await pay();
      await until(async () => (await selectRow(deps.db, 'transactions', { id })).held === 1, 'the hold');
    },
  );
  expect([...new Set(seen)]).toEqual(['pending 0 open created,attempt-begun,attempt-accepted']);
});

test('the list of transactions never shows its merchant the flags of a held sale', async () => {
  const held = await service.merchant();
  await setMerchant(deps, held.merchantId, { hold: true });
  const scope = held.merchantId;
  const seen = await readWhileChanging(
    deps.db,
    () => money.reference(held, 'HELD'),
    async (db, { id }) => {
      const [row] = await currentRows({ db }, { scope, reader: 'merchant' }, [id as Id<'tx'>]);
      return `${row?.status} ${row?.attention}`;
    },
    ({ pay }) => pay(30),
  );
  expect([...new Set(seen)]).toEqual(['pending ']);
});

test('what is left of a receipt fits its refunds, also while one is created', async () => {
  const reader = { merchantId: shop.merchantId, operator: false, role: 'owner' } as const;
  const seen = await readWhileChanging(
    deps.db,
    paidInParts,
    async (db, { receiptId }) => {
      const { amountCents, leftCents, refunds } = await refundsOfReceipt({ ...deps, db }, reader, receiptId);
      return amountCents - leftCents - refunds.reduce((sum, refund) => sum + refund.amountCents, 0);
    },
    ({ receiptId }) => createRefund(deps, OPERATOR, { of: { receiptId }, amount: cents(200) }),
  );
  expect([...new Set(seen)]).toEqual([0]);
});

test('a refund is shown with the history of its state', async () => {
  const seen = await readWhileChanging(
    deps.db,
    async () => {
      const { receiptId } = await paidInParts();
      return createRefund(deps, OPERATOR, { of: { receiptId }, amount: null });
    },
    async (db, id) => {
      const { state, history } = await showRefund({ ...deps, db }, id);
      return state === history.at(-1)?.state;
    },
    (refundId) => settleRefund(deps, { refundId, outcome: 'done', note: 'transferred' }),
  );
  expect([...new Set(seen)]).toEqual([true]);
});

test('an open part payment is never shown as more than was received', async () => {
  const scope = { viewer: shop.merchantId };
  const seen = await readWhileChanging(
    deps.db,
    paidInParts,
    async (db, { id, receiptId }) => {
      const { rows } = await listCases({ ...deps, db }, scope, { state: 'open', limit: 200 });
      const listed = rows.filter(({ transaction }) => transaction?.id === id);
      const shown = [...listed, await showCase({ db }, scope, receiptId)];
      return shown.every(({ settlement, receivedCents }) => settlement !== null || receivedCents === 1999);
    },
    credit,
  );
  expect([...new Set(seen)]).toEqual([true]);
});

test('no mail asks to refund a part payment that was just credited', async () => {
  const seen = await readWhileChanging(
    deps.db,
    paidInParts,
    async (db, { receiptId }) => {
      const mail = { kind: 'alert-money', entity: receiptId, planned_at: 0, link: null } as const;
      const content = await moneyAlert({ ...deps, db }).compose(mail, 'en');
      return content?.paragraphs.join() ?? '';
    },
    credit,
  );
  for (const text of seen) expect(text).not.toContain('Another payment has paid the order');
});

test('concurrent snapshots open few files, and a failed one does not end the others', async () => {
  const db = await temporaryDatabase();
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  const opened: number[] = [];
  const ended = await Promise.allSettled(
    Array.from({ length: 200 }, (_, i) =>
      db.snapshot(async (handle) => {
        const rows = await handle.selectFrom('meta').selectAll().execute();
        opened.push(openFiles() - before);
        if (i % 2 === 0) throw new Error('failed');
        return rows.length;
      }),
    ),
  );
  const values = ended.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : []));
  expect(values).toEqual(Array.from({ length: 100 }, () => values[0]));
  expect(Math.max(...opened)).toBeLessThan(20);
  // A later snapshot sees what was committed since.
  await db.unit((tx) =>
    tx
      .insertInto('meta')
      .values({ key: 'k' as MetaKey, value: '' })
      .execute(),
  );
  const later = await db.snapshot((handle) => handle.selectFrom('meta').selectAll().execute());
  expect(later).toHaveLength(Number(values[0]) + 1);
});
