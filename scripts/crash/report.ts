import type { CrashReport } from './crash.ts';

/** Returns the summary: what was acknowledged, what is stored, how fast the service recovered. */
export function reportLines(report: CrashReport): string[] {
  const { log, state, faults, arrivals, mails, readyMs } = report;
  const { inits, pushes, references } = log;
  const cents = state.bank.reduce((sum, row) => sum + row.amountCents, 0);
  const { deliveries } = state;
  const inState = (state: string) => deliveries.filter((delivery) => delivery.state === state).length;
  const duplicates = state.receipts.filter(({ duplicate }) => duplicate === 1).length;
  const webhooks = new Set(arrivals.map(({ deliveryId }) => deliveryId)).size;
  const acquirerOf = new Map(state.bank_accounts.map(({ id, acquirer }) => [id, acquirer]));
  const acquirers = [...state.orders.values()].map(
    ({ attempts }) =>
      [...new Set(attempts.map(({ account_id }) => acquirerOf.get(account_id)))].join(' then ') ||
      'without a bank',
  );
  const refundStates = state.refunds.map((refund) => refund.state);
  const interrupted = state.refund_history.filter(({ note }) => note === 'interrupted').length;
  const rows: [string, string][] = [
    [
      'acknowledged',
      `${inits.size} inits, ${log.sessions.size} sessions, ${log.linkPages.length} uses of links, ${pushes.length} pushes, ${references.length} references, ${log.refunds.length} refunds`,
    ],
    ['at the bank', `${state.bank.length} payments, ${(cents / 100).toFixed(2)} EUR`],
    ['receipts', `${state.receipts.length}, of which ${duplicates} are second payments by the customer`],
    ['webhooks', `${arrivals.length} requests for ${webhooks} deliveries`],
    [
      'deliveries',
      `${inState('delivered')} delivered, ${inState('undelivered')} undelivered, ${inState('skipped')} skipped, ${inState('due')} stuck`,
    ],
    [
      'recovered by itself',
      `${deliveries.filter(({ recovery_id }) => recovery_id !== null).length} deliveries`,
    ],
    ['transactions by bank', count(acquirers)],
    [
      'refunds',
      `${count(refundStates)}; ${interrupted} interrupted, ${state.bankRefunds.length} at the bank`,
    ],
    ['mails', count(mails.map(({ kind }) => kind))],
    ['restart to ready', `${readyMs.length} times, at most ${Math.max(0, ...readyMs)} ms`],
    ['faults', String(faults.length)],
  ];
  return rows.map(([name, text]) => `${name.padEnd(28)}${text}`);
}

/** Counts how often each text occurs. */
function count(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => `${same.length} ${text}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}
