import type { Figure, Findings, Ratio, Scenario } from './contest.ts';
import type { Options } from './options.ts';
import { contestRounds, type PeerResult } from './runner.ts';
import { median, quantile, spread } from './statistics.ts';
import { aligned, range, whole } from './text.ts';

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
];
const OURS = 'ours';

/** What a contest showed: medians over the rounds, the spread, each peer's share of the reference, ours beside each. */
export function contestFindings(
  scenario: Scenario,
  results: readonly PeerResult[],
  options: Options,
): Findings {
  return {
    text: table(scenario, results, options),
    ratios: ratios(scenario, results),
    figures: results.map((result) => rate(scenario, result)),
  };
}

function ratios(scenario: Scenario, results: readonly PeerResult[]): Ratio[] {
  const ours = results.find(({ peer }) => peer.name === OURS);
  if (ours === undefined) return [];
  return results
    .filter(({ peer }) => !peer.name.startsWith(OURS))
    .map((other) => ({
      scenario: scenario.name,
      name: `${scenario.title}, ours / ${other.peer.name}`,
      ...spread(shares(ours, other)),
      bar: scenario.bars[other.peer.name] ?? null,
    }));
}

function rate(scenario: Scenario, { peer, rounds }: PeerResult): Figure {
  const value = median(rounds.map((round) => round.perSecond));
  return { scenario: scenario.name, name: `${scenario.title}, ${peer.name}`, value, unit: 'requests/s' };
}

/** Taken within a round: what slowed the machine then slowed both. */
function shares(of: PeerResult, other: PeerResult): number[] {
  return of.rounds.flatMap(({ perSecond }, i) => {
    const beside = other.rounds[i];
    return beside === undefined ? [] : [perSecond / beside.perSecond];
  });
}

/** `server µs` is the processor time of an answer, which a busy machine disturbs least. */
function table(scenario: Scenario, results: readonly PeerResult[], options: Options): string {
  const reference = results.find(({ peer }) => peer.name === scenario.reference);
  const rows = results.map((result) => peerRow(result, reference));
  const { rounds, seconds } = contestRounds(options);
  const title = `${scenario.title}: ${options.connections} keep-alive connections, ${rounds} rounds of ${seconds} s each, in turn; share of ${scenario.reference}`;
  const legend = results.map(({ peer }) => `  ${peer.name}: ${peer.about}`);
  return [title, ...aligned([COLUMNS, ...rows]), ...legend].join('\n');
}

function peerRow(result: PeerResult, reference: PeerResult | undefined): string[] {
  const { peer, rounds } = result;
  const rates = rounds.map((round) => round.perSecond);
  const p50 = median(rounds.map((round) => quantile(round.latenciesMs, 0.5)));
  const p99 = median(rounds.map((round) => quantile(round.latenciesMs, 0.99)));
  const busy = median(rounds.map((round) => round.loadBusy));
  const share = reference === undefined ? [] : shares(result, reference);
  const cpu = rounds.flatMap((round) => round.serverCpuUs ?? []);
  return [
    peer.name,
    whole(median(rates)),
    range(rates, whole),
    p50.toFixed(2),
    p99.toFixed(2),
    `${(busy * 100).toFixed(0)} %`,
    cpu.length === 0 ? '' : median(cpu).toFixed(0),
    ...(share.length === 0
      ? ['', '']
      : [median(share).toFixed(2), range(share, (value) => value.toFixed(2))]),
  ];
}
