import { onTestFinished } from 'vitest';
import type { RefundOutcome } from '../../src/banks/port.ts';
import type { RefundNotification } from '../../src/banks/settlement-port.ts';
import { createRefundWorker } from '../../src/banks/workers/refund-worker.ts';
import type { Deps } from '../../src/deps.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { createRefund } from '../../src/payments/refunds/create-refund.ts';
import { draftTransfers } from '../../src/payments/refunds/export-refunds.ts';
import { createRefunds } from '../../src/payments/refunds/refunds.ts';
import { dismissReported, recordReported } from '../../src/payments/refunds/reported.ts';
import { jsonHere, type Line } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { selectRow, selectRows } from '../support/rows.ts';
import { firstOf, OPERATOR, SETTINGS, setup } from './setup.ts';

/** A paid MB WAY transaction of 10 EUR, and everything that can happen to its refunds. */
export async function paidRefundKit() {
  const made = await setup();
  const { pushed, bank, receipts, pass } = made;
  const transactionId = await pushed();
  const push = firstOf(bank.pushes);
  bank.answer(push, 'paid');
  await pass(SETTINGS.inquiryMs);
  const receipt = firstOf(await receipts());
  const kit = refundKit(made);
  /** Creates a refund of the receipt and sends it. */
  const sent = async (amount: number) => {
    const id = await kit.create({ receiptId: receipt.id }, amount);
    await kit.send(id);
    return id;
  };
  /** Creates a refund of the receipt, sends it, and applies the answer of the bank. */
  const answered = async (amount: number, outcome: RefundOutcome) => {
    const id = await sent(amount);
    await kit.port.applyOutcome(id, outcome);
    return id;
  };
  return { ...made, ...kit, sent, answered, transactionId, receipt, requestId: push.requestId };
}

/** A service in a folder, a merchant, and the command line: `json` returns what a command prints. */
export async function installation(options: Parameters<typeof startService>[0] = {}) {
  const folder = temporaryFolder();
  const service = await startService({ ...options, folder });
  const json = (line: Line) => jsonHere(folder, line);
  return { folder, service, shop: await service.merchant(), json };
}

/** What can happen to refunds. */
export function refundKit({ deps, account }: Pick<Awaited<ReturnType<typeof setup>>, 'deps' | 'account'>) {
  const port = createRefunds(deps);
  const { db } = deps;
  const rows = () => selectRows(db, 'refunds');
  const row = (id: string) => selectRow(db, 'refunds', { id });
  const create = (of: Parameters<typeof createRefund>[2]['of'], amount: number | null = null) =>
    createRefund(deps, OPERATOR, { of, amount: amount === null ? null : cents(amount) });
  const send = async (id: Id<'ref'>, instanceId: string | null = null) => {
    const due = (await port.dueRefunds(deps.clock.now(), 100)).find((refund) => refund.id === id);
    return due === undefined ? false : port.claim(due, instanceId);
  };
  let count = 0;
  const notify = (
    requestId: string,
    amount: number,
    identity = `notification ${count++}`,
    accountId = account,
  ) => {
    const notification: RefundNotification = {
      identity,
      accountIds: [accountId],
      requestId,
      amount: cents(amount),
    };
    return db.unit((tx) => port.applyNotification(tx, notification));
  };
  /** The first report of a refund made elsewhere, or the first with these values. */
  const reportOf = async (values = {}) => {
    const { id: reportId } = await selectRow(db, 'reported_refunds', values);
    return { reportId, note: 'seen at the bank' };
  };
  const record = async (values = {}) => recordReported(deps, await reportOf(values));
  const dismiss = async (values = {}) => dismissReported(deps, await reportOf(values));
  return { port, rows, row, create, send, notify, record, dismiss };
}

/** Starts the worker that sends refunds, which stops with the test. `refund` takes the place of the bank's. */
export function startRefunds(deps: Deps, refund: Deps['bank']['refund'] = deps.bank.refund): void {
  const worker = createRefundWorker({
    ...deps,
    bank: { ...deps.bank, refund },
    refunds: createRefunds(deps),
  });
  worker.start();
  onTestFinished(() => worker.stop());
}

/** A drafted file with the transfer of a refund, whose receipt is assigned to a transaction or unmatched. */
export async function draftedTransfer({ isAssigned }: { isAssigned: boolean }) {
  const made = await setup();
  const iban = 'PT50000201231234567890154';
  const settings = { ...made.deps.settings, sepaDebtorName: 'Loja', sepaDebtorIban: iban };
  const deps = { ...made.deps, settings };
  const transactionId = await made.init();
  const row = made.bank.foreign(cents(500));
  await made.pass(SETTINGS.reconcileMs);
  const receiptId = firstOf(await made.receipts()).id;
  if (isAssigned) await assignReceipt(deps, { receiptId, transactionId, note: '' });
  const order = { of: { receiptId }, amount: null, iban, name: 'Ana' };
  await createRefund(deps, OPERATOR, order);
  return { ...made, ...(await draftTransfers(deps, false)), deps, transactionId, row };
}
