import { resolve } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { ShownRefund } from '../../payments/refunds/view.ts';
import type { Command } from '../command.ts';
import type { Input } from '../input.ts';
import type { CliDeps } from '../open.ts';

const POLL_MS = 50;
/** How long writing the outcome of a timed-out call may take. */
const OUTCOME_SLACK_MS = 1500;
const TWICE =
  'if the bank has executed that file, it pays them twice. Make sure that it has not, or remove them (same EndToEndId).';
const OPERATOR = { merchantId: null, operator: true } as const;

export const REFUNDS: readonly Command[] = [
  {
    name: 'refund create',
    usage: '(--transaction TX | --receipt RCP) [--amount 5.00] [--reason TEXT] [--iban PT50…] [--name N]',
    summary:
      'Refunds the rest of a receipt, or a part of it. The service sends the refund; if it is not running, it sends the refund at its next start. Multibanco payments are refunded by bank transfer to --iban.',
    async run(input, cli) {
      const { createRefund } = await import('../../payments/refunds/create-refund.ts');
      const of = refundedOf(input);
      const amount = input.cents('amount');
      if (amount === 0) throw input.wrong('--amount must be above 0');
      const texts = { reason: input.text('reason'), iban: input.text('iban'), name: input.text('name') };
      const deps = await cli.open();
      const id = await createRefund(deps, OPERATOR, { of, amount, ...texts });
      const { refundId, receiptId, transactionId, amount: euros, state } = await settled(deps, id);
      return { value: { refundId, receiptId, transactionId, amount: euros, state } };
    },
  },
  {
    name: 'refund show',
    usage: 'REF',
    summary: 'Shows a refund with its history.',
    async run(input, cli) {
      return { value: await shown(await cli.open(), input.id('ref', 0)) };
    },
  },
  {
    name: 'refund list',
    usage: '[--merchant ID] [--state S] [--limit 100] [--after REF]',
    summary: 'Lists refunds, at most 1000 at a time.',
    async run(input, cli) {
      const { requireMerchant } = await import('../../merchants/store.ts');
      const { listRefunds } = await import('../../payments/refunds/view.ts');
      const { REFUND_STATES } = await import('../../db/tables/refunds.ts');
      const merchantId = input.idOption('mer', 'merchant');
      const page = { merchantId, state: input.choice('state', REFUND_STATES), ...input.page('ref') };
      const deps = await cli.open();
      if (merchantId !== undefined) await requireMerchant(deps.db.read, merchantId);
      return { value: await listRefunds(deps, page) };
    },
  },
  {
    name: 'refund set',
    usage: 'REF --iban I [--name N]',
    summary: 'Sets the account that a refund is transferred to, until it is exported.',
    async run(input, cli) {
      const { setRefund } = await import('../../payments/refunds/set-refund.ts');
      const order = { refundId: input.id('ref', 0), iban: input.required('iban'), name: input.text('name') };
      const deps = await cli.open();
      await setRefund(deps, OPERATOR, order);
      return { value: await shown(deps, order.refundId) };
    },
  },
  {
    name: 'refund settle',
    usage: 'REF --outcome done|failed --note TEXT',
    summary:
      'Records the outcome of a refund that is unknown or made by bank transfer, once you have verified it.',
    async run(input, cli) {
      const { settleRefund } = await import('../../payments/refunds/settle-refund.ts');
      const refundId = input.id('ref', 0);
      const outcome = input.requiredChoice('outcome', ['done', 'failed']);
      const note = input.required('note');
      const deps = await cli.open();
      await settleRefund(deps, { refundId, outcome, note });
      return { value: await shown(deps, refundId) };
    },
  },
  {
    name: 'refund retry',
    usage: 'REF',
    summary: 'Repeats a failed refund as a new one, once.',
    async run(input, cli) {
      const { retryRefund } = await import('../../payments/refunds/retry-refund.ts');
      const deps = await cli.open();
      const { history: _, ...value } = await settled(
        deps,
        await retryRefund(deps, OPERATOR, input.id('ref', 0)),
      );
      return { value };
    },
  },
  {
    name: 'refund export',
    usage: 'FILE [--again]',
    summary:
      'Writes a SEPA credit transfer file (pain.001.001.09) of the refunds that await their transfer and have an IBAN and a name. Exported refunds are left out next time, unless you give --again.',
    async run(input, cli) {
      const { exportRefunds } = await import('../../payments/refunds/export-refunds.ts');
      const order = { file: resolve(input.word(0)), again: input.on('again') };
      const { repeated, ...value } = await exportRefunds(await cli.open(), order);
      if (repeated === 0 || cli.json) return { value };
      return { value, note: `WARNING: ${repeated} of these transfers are in an earlier file too: ${TWICE}` };
    },
  },
];

function refundedOf(input: Input): { receiptId: `rcp_${string}` } | { transactionId: `tx_${string}` } {
  const receiptId = input.idOption('rcp', 'receipt');
  const transactionId = input.idOption('tx', 'transaction');
  if (receiptId !== undefined && transactionId === undefined) return { receiptId };
  if (transactionId !== undefined && receiptId === undefined) return { transactionId };
  throw input.wrong('give either --transaction or --receipt');
}

async function shown(deps: CliDeps, id: string): Promise<ShownRefund> {
  const { showRefund } = await import('../../payments/refunds/view.ts');
  return showRefund(deps, id);
}

/** Waits for the outcome of a refund, at most for the bank's timeout. */
async function settled(deps: CliDeps, id: string): Promise<ShownRefund> {
  const end = performance.now() + deps.settings.bankTimeoutMs + OUTCOME_SLACK_MS;
  for (;;) {
    const refund = await shown(deps, id);
    if (!['requested', 'sent'].includes(refund.state) || performance.now() >= end) return refund;
    await wait(POLL_MS);
  }
}
