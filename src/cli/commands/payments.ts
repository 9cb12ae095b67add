import { open, realpath, rename, rm, stat } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { isoInstant } from '../../kernel/clock.ts';
import { errorCode, errorText, OperatorError } from '../../kernel/errors.ts';
import { RECEIPT_FLAGS } from '../../kernel/payment-enums.ts';
import type { Command } from '../command.ts';

export const PAYMENTS: readonly Command[] = [
  {
    name: 'transaction show',
    usage: 'TX',
    summary: 'Shows a transaction with its attempts, receipts, events and deliveries.',
    async run(input, cli) {
      const { showTransaction } = await import('../../payments/show.ts');
      const { transactionEvents } = await import('../../webhooks/history.ts');
      const deps = await cli.open();
      const id = input.id('tx', 0);
      const { events, deliveries, ...shown } = await deps.db.snapshot(async (read) => ({
        ...(await showTransaction({ db: { read } }, id)),
        ...(await transactionEvents(read, id)),
      }));
      const value = {
        ...shown,
        events: events.map(withoutSequence),
        deliveries: deliveries.map(withoutSequence),
      };
      return { value };
    },
  },
  {
    name: 'transaction release',
    usage: 'TX',
    summary: 'Releases a sale on hold: it becomes paid, and payment.success is sent.',
    async run(input, cli) {
      const { releaseTransaction } = await import('../../payments/release.ts');
      return { value: await releaseTransaction(await cli.open(), input.id('tx', 0)) };
    },
  },
  {
    name: 'transaction credit',
    usage: 'TX',
    summary: 'Marks a sale as paid when its receipts together reach the amount due.',
    async run(input, cli) {
      const { creditTransaction } = await import('../../payments/exceptions/credit-transaction.ts');
      return { value: await creditTransaction(await cli.open(), input.id('tx', 0)) };
    },
  },
  {
    name: 'receipt list',
    usage: `[--flag ${RECEIPT_FLAGS.join('|')}] [--limit 100] [--after ID]`,
    summary: 'Lists receipts, at most 1000 at a time.',
    async run(input, cli) {
      const { listReceipts } = await import('../../payments/show.ts');
      const page = { flag: input.choice('flag', RECEIPT_FLAGS), ...input.page('rcp') };
      return { value: await listReceipts(await cli.open(), page) };
    },
  },
  {
    name: 'statement export',
    usage: '--merchant ID --from YYYY-MM-DD --to YYYY-MM-DD FILE',
    summary:
      'Writes the receipts, with fees, and the refunds of a merchant as CSV. Days are in Lisbon; both are included.',
    async run(input, cli) {
      const { daysBetween, statementCsv } = await import('../../payments/statement/statement.ts');
      const { requireMerchant } = await import('../../merchants/store.ts');
      const merchantId = input.requiredMerchant();
      const days = daysBetween(input.required('from'), input.required('to'));
      if (days === null) throw input.wrong('--from and --to must be days such as 2026-01-31, in this order');
      const deps = await cli.open();
      await requireMerchant(deps.db.read, merchantId);
      const file = input.word(0);
      const lines = await writeLines(file, statementCsv(deps.db.read, merchantId, days));
      return { value: { file, rows: lines - 1 } };
    },
  },
  {
    name: 'lead list',
    usage: '--merchant ID [--limit 100] [--after ID]',
    summary: 'Lists leads, at most 1000 at a time.',
    async run(input, cli) {
      const { listLeads } = await import('../../leads/list.ts');
      const { requireMerchant } = await import('../../merchants/store.ts');
      const merchantId = input.requiredMerchant();
      const page = input.page('led');
      const deps = await cli.open();
      await requireMerchant(deps.db.read, merchantId);
      return { value: await listLeads(deps, { merchantId, ...page }) };
    },
  },
  {
    name: 'lead erase',
    usage: 'LEAD|TRANSACTION',
    summary:
      'Erases a person: the lead and the personal data of all of its orders, or the order of a transaction that has no lead. Amounts and statuses are kept. Cannot be undone.',
    async run(input, cli) {
      const { eraseLead } = await import('../../erasure/erase-lead.ts');
      const id = input.id(input.word(0).startsWith('tx_') ? 'tx' : 'led', 0);
      const { startedAt, ...view } = await eraseLead(await cli.open(), id);
      return { value: { ...view, startedAt: isoInstant(startedAt) } };
    },
  },
];

/** Omits `sequence`, which belongs to `event export`: programs depend on the members of this answer. */
function withoutSequence<T extends { sequence: number | null }>({
  sequence: _,
  ...rest
}: T): Omit<T, 'sequence'> {
  return rest;
}

/**
 * Writes lines to a file that only its owner can read, and returns their number. The file gets its name once it is complete, so that
 * a failure leaves an earlier one as it was. Throws OperatorError.
 */
async function writeLines(file: string, lines: AsyncIterable<string>): Promise<number> {
  // The file that a link such as /dev/stdout points to. A device cannot be replaced.
  const target = await realpath(file).catch(() => file);
  const isDevice = await stat(target).then(
    (found) => !found.isFile(),
    () => false,
  );
  const draft = isDevice ? target : `${target}.partial`;
  const handle = await open(draft, isDevice ? 'w' : 'wx', 0o600).catch((error: unknown) => {
    throw new OperatorError(
      errorCode(error) === 'EEXIST'
        ? `${draft} already exists: another export is writing it, or one was interrupted; in that case, delete it`
        : `cannot write ${file}: ${errorText(error)}`,
    );
  });
  let count = 0;
  async function* counted() {
    for await (const line of lines) {
      count += 1;
      yield line;
    }
  }
  try {
    await pipeline(Readable.from(counted()), handle.createWriteStream());
    if (!isDevice) await rename(draft, target);
  } catch (error) {
    if (!isDevice) await rm(draft, { force: true });
    throw new OperatorError(`cannot write ${file}: ${errorText(error)}`);
  }
  return count;
}
