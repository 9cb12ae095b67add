import type { Scenario } from './contest.ts';
import type { Options } from './options.ts';
import type { PeerResult } from './runner.ts';
import { median, quantile } from './statistics.ts';

const COLUMNS = [
  'peer',
  'requests/s',
  'lowest … highest',
  'p50 ms',
  'p99 ms',
  'load busy',
  'server µs',
  'share',
  'lowest … highest',
  'target',
];

/** The table of one scenario: medians over the rounds, the spread, and each peer's share of the reference;
 * `server µs` is the processor time of an answer, which a busy machine disturbs least. */
export function scenarioTable(scenario: Scenario, results: readonly PeerResult[], options: Options): string {
  const reference = results.find(({ peer }) => peer.name === scenario.reference);
  const rows = results.map((result) => peerRow(scenario, result, reference));
  const title = `${scenario.title}: ${options.connections} keep-alive connections, ${options.rounds} rounds of ${options.seconds} s each, in turn`;
  const legend = results.map(({ peer }) => `  ${peer.name}: ${peer.about}`);
  return [title, ...aligned([COLUMNS, ...rows]), ...legend].join('\n');
}

function peerRow(
  scenario: Scenario,
  { peer, rounds }: PeerResult,
  reference: PeerResult | undefined,
): string[] {
  const rates = rounds.map((round) => round.perSecond);
  const p50 = median(rounds.map((round) => quantile(round.latenciesMs, 0.5)));
  const p99 = median(rounds.map((round) => quantile(round.latenciesMs, 0.99)));
  const busy = median(rounds.map((round) => round.loadBusy));
  // Shares are taken within a round: what slowed the machine then slowed both.
  const shares = rates.flatMap((rate, i) => {
    const other = reference?.rounds[i];
    return other === undefined ? [] : [rate / other.perSecond];
  });
  const cpu = rounds.flatMap((round) => round.serverCpuUs ?? []);
  const target = scenario.targets[peer.name];
  return [
    peer.name,
    whole(median(rates)),
    `${whole(Math.min(...rates))} … ${whole(Math.max(...rates))}`,
    p50.toFixed(2),
    p99.toFixed(2),
    `${(busy * 100).toFixed(0)} %`,
    cpu.length === 0 ? '' : median(cpu).toFixed(0),
    ...(shares.length === 0
      ? ['', '']
      : [median(shares).toFixed(2), `${Math.min(...shares).toFixed(2)} … ${Math.max(...shares).toFixed(2)}`]),
    target === undefined ? '' : target.toFixed(2),
  ];
}

function whole(value: number): string {
  return Math.round(value).toLocaleString('en');
}

function aligned(rows: readonly (readonly string[])[]): string[] {
  const widths = COLUMNS.map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  return rows.map((row) =>
    `  ${row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))).join('  ')}`.trimEnd(),
  );
}
