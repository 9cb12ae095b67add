import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { BenchError, type Experiment, type Findings } from '../contest.ts';
import { Mixture } from '../mixed.ts';
import { runClosedLoad, runOpenLoad } from '../open-load.ts';
import type { Options } from '../options.ts';
import { progress } from '../progress.ts';
import { type Installation, install, launch } from '../service.ts';
import { type Sink, startSink } from '../sink.ts';
import { median, quantile } from '../statistics.ts';
import { storedIds } from '../stored-ids.ts';
import { aligned, whole } from '../text.ts';

const NAME = 'mixed';
/** Of the capacity. */
const SHARE = 0.5;
const OPEN_CONNECTIONS = 128;
const DRAIN_MS_MAX = 180_000;
const KINDS = ['init', 'status', 'mbway'] as const;

interface Measured {
  /** Requests per second, everything that they caused included. */
  readonly capacity: number;
  readonly rounds: readonly Map<string, Float64Array>[];
}

/** Half of what the service can do, by customers who do not wait for each other: how long each of them waits. */
export const mixed: Experiment = {
  name: NAME,
  async run(folder, options) {
    const sink = await startSink(folder);
    const installation = await install(join(folder, NAME), sink);
    const profileFolder = options.profile === null ? null : join(options.profile, NAME);
    const running = await launch(installation, { profileFolder });
    const mixture = new Mixture({ port: running.port, authorization: `Bearer ${installation.apiKey}` });
    try {
      const measured = await measure(running.port, mixture, installation, sink, options);
      await running.stop();
      verifyStored(installation, mixture);
      return findings(measured, options);
    } finally {
      await sink.stop();
    }
  },
};

async function measure(
  port: number,
  mixture: Mixture,
  installation: Installation,
  sink: Sink,
  options: Options,
): Promise<Measured> {
  const { connections, seconds, rounds: count } = options;
  const next = () => mixture.next();
  const close = async (durationMs: number) => {
    const startedAt = performance.now();
    const answers = await runClosedLoad({ port, connections, durationMs, next });
    await allTold(mixture, installation, sink);
    // Pushes that are answered and not told yet are work left over: it counts.
    return (answers * 1000) / (performance.now() - startedAt);
  };
  progress(`${NAME}: measuring its capacity`);
  await close(options.warmUpSeconds * 1000);
  const capacity = await close(seconds * 1000);
  const rounds: Map<string, Float64Array>[] = [];
  for (let round = 0; round < count; round++) {
    progress(`${NAME}: round ${round + 1} of ${count}`);
    const load = { port, connections: OPEN_CONNECTIONS, durationMs: seconds * 1000, next };
    rounds.push(await runOpenLoad({ ...load, perSecond: capacity * SHARE }));
    await allTold(mixture, installation, sink);
  }
  return { capacity, rounds };
}

/** Waits until every accepted push was told to the merchant. Throws BenchError unless each was told exactly once. */
async function allTold(mixture: Mixture, { webhookSecret }: Installation, sink: Sink): Promise<void> {
  await sink.waitFor(mixture.pushed.size, DRAIN_MS_MAX);
  const { transactionIds } = await sink.take(webhookSecret);
  const told = new Set(transactionIds);
  const lost = [...mixture.pushed].filter((id) => !told.has(id)).length;
  if (lost > 0 || transactionIds.length !== mixture.pushed.size)
    throw new BenchError(
      `of ${mixture.pushed.size} accepted pushes ${lost} were not told, by ${transactionIds.length} deliveries`,
    );
  mixture.pushed.clear();
}

function verifyStored({ file }: Installation, { created }: Mixture): void {
  const stored = storedIds(file, 'transactions');
  const lost = [...created].filter((id) => !stored.has(id)).length;
  if (lost > 0)
    throw new BenchError(`${lost} of ${created.size} created transactions are not in the database`);
}

function findings({ capacity, rounds }: Measured, options: Options): Findings {
  const of = (kind: string, share: number) =>
    median(rounds.flatMap((round) => round.get(kind) ?? []).map((latencies) => quantile(latencies, share)));
  const kinds = KINDS.filter((kind) => rounds.some((round) => round.has(kind)));
  const rows = kinds.map((kind) => [kind, ...[0.5, 0.99, 0.999].map((share) => of(kind, share).toFixed(2))]);
  const title = `mixed: ${whole(capacity * SHARE)} requests/s, half of the ${whole(capacity)}/s that it can do, ${options.rounds} rounds of ${options.seconds} s; from the intended start`;
  return {
    text: [
      title,
      ...aligned([['', 'p50 ms', 'p99 ms', 'p99.9 ms'], ...rows]),
      '  40 % init, 50 % status, 10 % MB WAY pushes that are accepted, confirmed by the bank and told to the merchant over TLS',
    ].join('\n'),
    ratios: [],
    figures: [
      { scenario: NAME, name: 'mixed load, capacity', value: capacity, unit: 'requests/s' },
      ...kinds.map((kind) => ({
        scenario: NAME,
        name: `mixed load at half of capacity, ${kind}, p99`,
        value: of(kind, 0.99),
        unit: 'ms',
      })),
    ],
  };
}
