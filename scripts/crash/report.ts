import type { CrashReport } from './crash.ts';

/** Returns the summary: what was acknowledged and what is stored. */
export function reportLines({ log, state, faults, arrivals, mails }: CrashReport): string[] {
  const { inits, sessions, linkPages, pushes, references, refunds } = log;
  const acknowledged = { inits, sessions, 'uses of links': linkPages, pushes, references, refunds };
  const acquirerOf = new Map(state.bank_accounts.map(({ id, acquirer }) => [id, acquirer]));
  const acquirers = [...state.orders.values()].map(({ attempts }) =>
    [...new Set(attempts.map(({ account_id }) => acquirerOf.get(account_id)))].join(' then '),
  );
  const rows = {
    acknowledged: Object.entries(acknowledged)
      .map(([name, calls]) => `${'size' in calls ? calls.size : calls.length} ${name}`)
      .join(', '),
    'at the bank': `${state.bank.length} payments, ${state.bankRefunds.length} refunds`,
    receipts: count(state.receipts.map(({ duplicate }) => (duplicate === 1 ? 'second' : 'first'))),
    webhooks: `${arrivals.length} requests`,
    deliveries: count(state.deliveries.map((delivery) => delivery.state)),
    'automatic recoveries': count(
      state.deliveries.flatMap((row) => (row.recovery_id === null ? [] : row.state)),
    ),
    'transactions by bank': count(acquirers.map((names) => names || 'without a bank')),
    refunds: count(state.refunds.map((refund) => refund.state)),
    'interrupted refunds': String(state.refund_history.filter(({ note }) => note === 'interrupted').length),
    mails: count(mails.map(({ kind }) => kind)),
    faults: String(faults.length),
  };
  return Object.entries(rows).map(([name, text]) => `${name.padEnd(28)}${text}`);
}

/** Counts how often each text occurs. */
function count(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => `${same.length} ${text}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}
