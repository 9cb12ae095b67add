import { rmSync } from 'node:fs';
import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { readConfig } from '../../../src/config.ts';
import { signIn } from '../backoffice.ts';
import { startWatchedBank, type WatchedBank } from '../confirm/bank.ts';
import { confirmations } from '../confirm/ours.ts';
import { BenchError, type Experiment, type Findings, type Job } from '../contest.ts';
import { fillHistory } from '../fill/history.ts';
import { type Keeper, startKeeper } from '../fill/keep.ts';
import { diskSettled } from '../fill/settle.ts';
import { warm } from '../fill/warm.ts';
import { readJob, writeJob } from '../growth/jobs.ts';
import { largeRows } from '../growth/rows.ts';
import { runLoad } from '../load.ts';
import { forcedWritesMs } from '../machine.ts';
import { runOpenLoad } from '../open-load.ts';
import type { Options } from '../options.ts';
import { progress } from '../progress.ts';
import { type Installation, install, launch, type RunningService } from '../service.ts';
import { type Sink, startSink } from '../sink.ts';
import { median, quantile, spread } from '../statistics.ts';
import { aligned, whole } from '../text.ts';
import { NO_SWEEP } from './confirm.ts';

const NAME = 'growth';
const LARGE = 'growth-large';
const SMALL_ROWS = 10_000;
const SMALL_ROWS_SMOKE = 400;
/** Few, so that what is measured is the work and not the queue before it. */
const CONNECTIONS = 4;
/** The 99th percentile is then the fifth slowest, and not one accident. */
const DISPATCHES = 500;
const DISPATCHES_SMOKE = 3;
const DISPATCHES_PER_SECOND = 100;
/** After the database was filled other pages are in memory than in a service that has run. */
const WARM_UP_ROUNDS = 2;
/** A 99th percentile of 2.5 s differs from the next by a third, and a median of five ratios by a fifth; nine are nearer to each other. */
const MORE_ROUNDS = 4;
const BAR = { better: 'lower', floor: 1.3, target: 1.1 } as const;
/**
 * Inits are measured twice: at the same load on both databases, by independent customers who come whether the last one was served or
 * not; and flat out, with a request after the other on each connection, where every checkpoint of the large one has to write
 * leaves from all over the file within the same time.
 */
const INITS_PER_SECOND = 500;
const FLAT_OUT = 'init flat out';
const WORKS = ['init', FLAT_OUT, 'status', 'dispatch', 'transaction list', 'search'] as const;
type Work = (typeof WORKS)[number];

/** One filled installation under measurement. */
interface Site {
  readonly rows: number;
  readonly installation: Installation;
  readonly running: RunningService;
  readonly bank: WatchedBank;
  readonly keeper: Keeper;
  readonly jobs: Readonly<Record<Exclude<Work, 'dispatch' | typeof FLAT_OUT>, Job>>;
}

/** The same work on a small and on a large database: p99 of each kind, and how it grows. */
export const growth: Experiment = {
  name: NAME,
  packaged: true,
  async run(folder, options) {
    const sink = await startSink(folder);
    const sites: Site[] = [];
    const disk = forcedWritesMs(folder);
    try {
      sites.push(
        await open(join(folder, 'growth-small'), sink, options.smoke ? SMALL_ROWS_SMOKE : SMALL_ROWS),
      );
      sites.push(await open(join(folder, LARGE), sink, largeRows(options.rows, folder)));
      const [small, large] = sites;
      if (small === undefined || large === undefined) throw new BenchError('there are no two databases');
      if (!options.smoke) await diskSettled(folder, disk);
      const rounds: Map<Work, [small: number, large: number]>[] = [];
      const [warmUps, last] = options.smoke
        ? [0, options.rounds]
        : [WARM_UP_ROUNDS, options.rounds + MORE_ROUNDS];
      for (let round = -warmUps; round < last; round++) {
        progress(round < 0 ? `${NAME}: warming up` : `${NAME}: round ${round + 1} of ${last}`);
        const measured = await measure(small, large, sink, options, round % 2 === 0);
        if (round >= 0) rounds.push(measured);
      }
      return findings(rounds, { rows: small.rows, rowsAfter: rowsOf(small.installation.file) }, large.rows);
    } finally {
      for (const { running, bank, keeper } of sites) {
        await keeper.stop();
        await running.stop();
        await bank.stop();
      }
      await sink.stop();
      rmSync(join(folder, LARGE), { recursive: true, force: true });
    }
  },
};

async function open(folder: string, sink: Sink, rows: number): Promise<Site> {
  const bank = await startWatchedBank(join(folder, 'bank'));
  const installation = await install(folder, sink, { SERVICE_SANDBOX_URL: bank.url, ...NO_SWEEP });
  // A first start makes the bank account that attempts need.
  await (await launch(installation)).stop();
  const { file, merchantId } = installation;
  const { settings: kept } = readConfig(installation.env);
  fillHistory({ file, merchantId, accountId: accountOf(file), rows, kept });
  const ids = someIds(file, merchantId);
  // After everything else that reads the file from end to end.
  const keeper = await startKeeper(file);
  await warm(file, keeper);
  const running = await launch(installation);
  const cookie = await signIn(installation, running.port);
  const peer = { port: running.port, authorization: `Bearer ${installation.apiKey}` };
  const list = (input: object) =>
    `/backoffice/trpc/transactions.list?input=${encodeURIComponent(JSON.stringify({ merchantId, ...input }))}`;
  const jobs = {
    init: writeJob(peer),
    status: readJob(peer, { Authorization: peer.authorization }, (n) => {
      return `/api/v1/payments/status?transactionId=${ids[n % ids.length]?.id}`;
    }),
    'transaction list': readJob(peer, { Cookie: cookie }, () => list({})),
    search: readJob(peer, { Cookie: cookie }, (n) => list({ search: ids[n % ids.length]?.order })),
  };
  return { rows, installation, running, bank, keeper, jobs };
}

function accountOf(file: string): string {
  return read(file, (handle) => String(handle.prepare('select id from bank_accounts').pluck().get()));
}

/** How many there are after the inits of the run. */
function rowsOf(file: string): number {
  return read(file, (handle) => Number(handle.prepare('select count(*) from transactions').pluck().get()));
}

/** Transactions from all over the merchant's history. */
function someIds(file: string, merchantId: string): { id: string; order: string }[] {
  return read(file, (handle) => {
    const places = handle
      .prepare<[string], { id: string; order: string }>(
        `select id, order_id as "order" from transactions where merchant_id = ? and rowid % max(1, (select max(rowid) from transactions) / 2000) in (0, 1)`,
      )
      .all(merchantId);
    return places;
  });
}

function read<T>(file: string, look: (handle: Sqlite.Database) => T): T {
  const handle = new Sqlite(file, { readonly: true });
  try {
    return look(handle);
  } finally {
    handle.close();
  }
}

async function measure(
  small: Site,
  large: Site,
  sink: Sink,
  options: Options,
  smallFirst: boolean,
): Promise<Map<Work, [number, number]>> {
  const measured = new Map<Work, [number, number]>();
  for (const work of WORKS) {
    // The order turns with the rounds, so that neither always follows the other.
    const [first, second] = smallFirst ? [small, large] : [large, small];
    const early = await p99(work, first, sink, options);
    const late = await p99(work, second, sink, options);
    measured.set(work, smallFirst ? [early, late] : [late, early]);
    for (const { keeper } of [small, large]) await keeper.keep();
  }
  return measured;
}

async function p99(work: Work, site: Site, sink: Sink, { seconds, smoke }: Options): Promise<number> {
  const { installation, running, bank, jobs } = site;
  if (work === 'dispatch') {
    const count = smoke ? DISPATCHES_SMOKE : DISPATCHES;
    return quantile(
      await confirmations({ installation, running, bank, sink }, count, DISPATCHES_PER_SECOND),
      0.99,
    );
  }
  const load = { port: running.port, connections: CONNECTIONS, durationMs: seconds * 1000 };
  if (work === 'init') return quantile(await openInits(jobs.init, load), 0.99);
  const { latenciesMs } = await runLoad(jobs[work === FLAT_OUT ? 'init' : work], load);
  return quantile(latenciesMs, 0.99);
}

/** For twice as long, because fewer are sent. Resolves to latencies in milliseconds, sorted. */
async function openInits(
  job: Job,
  { port, connections, durationMs }: { port: number; connections: number; durationMs: number },
): Promise<Float64Array> {
  const next = () => ({ kind: 'init', text: job.nextRequest(), accept: (body: string) => job.accept(body) });
  const load = { port, connections: 8 * connections, perSecond: INITS_PER_SECOND, next };
  const latencies = (await runOpenLoad({ ...load, durationMs: 2 * durationMs })).get('init');
  if (latencies === undefined) throw new BenchError('no init was sent');
  return latencies;
}

function findings(
  rounds: readonly Map<Work, [small: number, large: number]>[],
  { rows: smallRows, rowsAfter: smallRowsAfter }: { rows: number; rowsAfter: number },
  largeRows: number,
): Findings {
  const of = (work: Work, which: 0 | 1) =>
    median(rounds.map((round) => round.get(work)?.[which] ?? Number.NaN));
  const rows = WORKS.map((work) => [work, of(work, 0).toFixed(2), of(work, 1).toFixed(2)]);
  const title = `growth: p99 in ms with ${whole(smallRows)} and ${whole(largeRows)} transactions, ${CONNECTIONS} connections; ${INITS_PER_SECOND} inits a second, ${rounds.length} rounds`;
  return {
    text: [
      title,
      ...aligned([['', whole(smallRows), whole(largeRows)], ...rows]),
      `  (the small one grew to ${whole(smallRowsAfter)} by the inits of the run)`,
    ].join('\n'),
    ratios: WORKS.map((work) => ({
      scenario: NAME,
      name: `${work}, p99, ${whole(largeRows)} / ${whole(smallRows)} rows`,
      ...spread(
        rounds.map((round) => {
          const [small, large] = round.get(work) ?? [Number.NaN, Number.NaN];
          return large / small;
        }),
      ),
      bar: BAR,
    })),
    figures: [],
  };
}
