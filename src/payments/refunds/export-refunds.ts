import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { recordAudit } from '../../audit/store.ts';
import { type Tx, UnclearCommit } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { isoInstant } from '../../kernel/clock.ts';
import { errorText, OperatorError, Refusal } from '../../kernel/errors.ts';
import { cents, eurosFromCents } from '../../kernel/money.ts';
import { lockReceiptRow } from '../store.ts';
import { creditTransferXml, sepaText, type Transfer } from './credit-transfer.ts';
import { readIban } from './iban.ts';
import { markExported, type TransferRow, transferPage } from './pending-store.ts';
import { isOverRefunded } from './reported-store.ts';
import { insertHistory } from './store.ts';

type ExportDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'random' | 'settings' | 'actor'>;

const PAGE_ROWS = 500;

/**
 * Writes a credit transfer file of the refunds that await their transfer; `again` includes exported ones. The refunds are marked
 * before the file gets its name, so an interruption can omit a transfer but never repeat one; it leaves `FILE` empty and its
 * transfers in a file that ends with `.partial`. That file is also kept when it is unclear whether they were marked. Never
 * overwrites a file, because its transfers may not have been made yet. `file` of the answer is null when there was nothing to
 * transfer, `total` is in EUR, `repeated` counts refunds that an earlier file holds too, and `left` names those without IBAN or
 * name, and those whose receipt no longer covers them because of refunds made elsewhere. Throws OperatorError.
 */
export async function exportRefunds(deps: ExportDeps, { file, again }: { file: string; again: boolean }) {
  const { now, messageId, xml, count, total, repeated, left, mark } = await draftTransfers(deps, again);
  const answer = { count, total: eurosFromCents(total), repeated, left: left.map(({ id }) => id) };
  if (xml === null) return { file: null, ...answer };
  const draft = `${file}.${messageId}.partial`;
  createFile(file, '');
  try {
    createFile(draft, xml);
    await mark();
  } catch (error) {
    rmSync(file, { force: true });
    if (error instanceof Refusal && error.reason === 'refund_export_unclear') {
      throw new OperatorError(
        `${error.message}. Their transfers are in ${draft}. Once the database and its standby answer again, export again without --again, to another file. Then run "refund show" with an EndToEndId of ${draft}: if its history has an export at ${isoInstant(now)}, rename that file and upload it too; if not, delete it`,
      );
    }
    rmSync(draft, { force: true });
    throw error;
  }
  renameDraft(draft, file);
  return { file, ...answer };
}

/**
 * Makes the credit transfer file of the refunds that await their transfer; `again` includes exported ones, which are counted as
 * `repeated`. `total` is in cents, `xml` is null when there is nothing to transfer, and `left` as above. Throws Refusal.
 */
export async function draftTransfers(deps: ExportDeps, again: boolean) {
  const debtor = debtorOf(deps);
  const { ready, left } = await awaiting(deps, again);
  const count = ready.length;
  const total = cents(ready.reduce((sum, { row }) => sum + row.amount_cents, 0));
  const repeated = ready.filter(({ row }) => row.exported_at !== null).length;
  const now = deps.clock.now();
  const messageId = `${now}-${Buffer.from(deps.random(6)).toString('hex')}`;
  const transfers = ready.map(({ transfer }) => transfer);
  /**
   * Marks the refunds as exported. Throws Refusal when one of them changed since, which changes nothing, and when it is unclear
   * whether the change was saved.
   */
  const mark = async () => {
    const marked = deps.db.unit(async (tx) => {
      for (const { row } of ready) await markRefund(tx, deps, row, now);
      const details = { count, totalCents: total, repeated };
      await recordAudit(tx, deps, {
        action: 'refunds.exported',
        merchantId: null,
        target: messageId,
        details,
      });
    });
    await marked.catch((error: unknown) => {
      if (!(error instanceof UnclearCommit)) throw error;
      throw new Refusal(
        'refund_export_unclear',
        'the database did not confirm that the refunds were marked as exported',
      );
    });
  };
  const xml = count === 0 ? null : creditTransferXml({ messageId, now, debtor, transfers });
  return { now, messageId, xml, count, total, repeated, left, mark };
}

function debtorOf({ settings }: ExportDeps): { name: string; iban: string } {
  const { sepaDebtorName: name, sepaDebtorIban: iban } = settings;
  if (name !== null && iban !== null) return { name, iban };
  const missing = [
    ...(name === null ? ['SERVICE_SEPA_DEBTOR_NAME'] : []),
    ...(iban === null ? ['SERVICE_SEPA_DEBTOR_IBAN'] : []),
  ].join(', ');
  throw new Refusal('refund_debtor_missing', `set the name and IBAN of the paying account: ${missing}`, {
    settings: missing,
  });
}

async function awaiting({ db, box }: ExportDeps, again: boolean) {
  const ready: { row: TransferRow; transfer: Transfer }[] = [];
  const left: TransferRow[] = [];
  for (let after = ''; ; ) {
    const page = await transferPage(db.read, { after, again, limit: PAGE_ROWS });
    for (const row of page) {
      const name = sepaText(row.name ?? '', Number.POSITIVE_INFINITY);
      const receipt = { ...row, id: row.receipt_id, amount_cents: row.receipt_cents };
      const iban = readIban(box, row);
      if (iban === null || name === '' || (await isOverRefunded(db.read, receipt))) {
        left.push(row);
        continue;
      }
      const text = `Reembolso ${row.order_id ?? row.id}`;
      ready.push({ row, transfer: { endToEndId: row.id, amount: row.amount_cents, iban, name, text } });
    }
    if (page.length < PAGE_ROWS) return { ready, left };
    after = page.at(-1)?.id ?? '';
  }
}

async function markRefund(tx: Tx, deps: ExportDeps, row: TransferRow, now: number): Promise<void> {
  const { receipt_id: id, merchant_id } = row;
  // Its transaction is not locked, so that a long export does not block payments. A report of a refund locks the receipt too.
  const receipt = await lockReceiptRow(tx, { id, merchant_id });
  if (receipt === undefined || (await isOverRefunded(tx, receipt)) || !(await markExported(tx, row, now)))
    throw new Refusal(
      'refund_export_changed',
      `refund ${row.id} has just been changed or exported: nothing was written, try again`,
      { refundId: row.id },
    );
  const note = row.exported_at === null ? 'exported for bank transfer' : 'exported again for bank transfer';
  await insertHistory(tx, deps, row, { at: now, state: 'awaiting_transfer', note });
}

/** Writes a new file that only its owner can read, and flushes it to disk. Throws OperatorError, also when the file exists. */
function createFile(file: string, text: string): void {
  try {
    const handle = openSync(file, 'wx', 0o600);
    try {
      writeFileSync(handle, text);
      fsyncSync(handle);
    } finally {
      closeSync(handle);
    }
  } catch (error) {
    throw new OperatorError(`cannot create the file ${file}: ${errorText(error)}`);
  }
}

function renameDraft(draft: string, file: string): void {
  try {
    renameSync(draft, file);
  } catch (error) {
    throw new OperatorError(`the transfers are in ${draft}: it cannot be renamed: ${errorText(error)}`);
  }
}
