import { readCommandLine, wholeNumber } from '../command-line.ts';
import { type CrashReport, runCrash } from './crash.ts';

/**
 * `npm run crash -- --rounds 20 --seed N`: kills the service with SIGKILL at random moments while shops and customers
 * are active, restarts it, and compares the final state with what it acknowledged, the
 * bank's record and the webhooks received. Exits with 1 when anything disagrees.
 */
const FAULTS_SHOWN_MAX = 50;
const USAGE =
  'usage: npm run crash -- [--rounds 20] [--seed N] [--engine sqlite|postgres], whole numbers from 1';

const print = (line: string) => process.stdout.write(`${line}\n`);

const values = readCommandLine(
  { rounds: { type: 'string' }, seed: { type: 'string' }, engine: { type: 'string', default: 'sqlite' } },
  USAGE,
);
const { engine } = values;
if (engine !== 'sqlite' && engine !== 'postgres') {
  process.stderr.write(`--engine must be sqlite or postgres\n${USAGE}\n`);
  process.exit(1);
}
const rounds = wholeNumber('rounds', values.rounds ?? '20', USAGE);
const seed = wholeNumber('seed', values.seed ?? String(1 + (Date.now() % 2 ** 31)), USAGE);

// An exit ends all started processes.
process.once('SIGINT', () => process.exit(130));
process.once('SIGTERM', () => process.exit(143));

print(`seed ${seed}, ${rounds} rounds, ${engine}`);
const report = await runCrash({ rounds, seed, engine, print });
print('');
for (const line of reportLines(report)) print(line);
print(`${rounds} rounds; again with: npm run crash -- --rounds ${rounds} --seed ${seed} --engine ${engine}`);
const { faults } = report;
for (const fault of faults.slice(0, FAULTS_SHOWN_MAX)) print(`FAULT  ${fault}`);
process.exitCode = faults.length === 0 ? 0 : 1;

function reportLines({ log, state, faults, arrivals, mails }: CrashReport): string[] {
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

function count(texts: readonly string[]): string {
  const counts = [...Map.groupBy(texts, (text) => text)].map(([text, same]) => `${same.length} ${text}`);
  return counts.length === 0 ? 'none' : counts.join(', ');
}
