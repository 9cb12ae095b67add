import { join } from 'node:path';
import { ensureSandboxAccount } from '../../../src/banks/accounts.ts';
import { readConfig } from '../../../src/config.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { indexStep } from '../../../src/search/indexer.ts';
import { fillHistory } from '../growth/history.ts';
import { runLoad } from '../load.ts';
import type { Options } from '../options.ts';
import type { ServerProcess } from '../process.ts';
import { initRequests, reads, statusRequests } from '../requests.ts';
import { type Installation, install, launch, readRows, signIn, withDeps } from '../service.ts';
import { inTurn, integer, latencyFigures, p99Ratio, progress } from '../statistics.ts';
import type { Scenario, ScenarioResult, Workload } from '../types.ts';

const NAME = 'growth';
const SMALL_ROWS = 10_000;
/** Few connections, so that latency measures the work and not the queue. */
const CONNECTIONS = 4;
const SAMPLED_IDS = 2000;
const INDEX_STEP_ROWS = 2000;
/** The search index excludes rows younger than this. */
const SETTLED_AFTER_MS = 120_000;
/** Search runs first, because inits of the measurement that are not indexed yet would slow it down. */
const KINDS = ['search', 'init', 'status', 'transaction list'] as const;
/** This request examines every part of the index, so that its time grows with the orders of the merchant. */
const SEARCH: Kind = 'search';
type Kind = (typeof KINDS)[number];

/** A filled installation under measurement. */
type Site = Awaited<ReturnType<typeof openSite>>;

/** The latencies of each round on the small and on the large database. */
type Latencies = readonly [small: readonly Float64Array[], large: readonly Float64Array[]];

/** Measures how the p99 of common requests changes with the number of stored transactions. */
export const growth: Scenario = {
  name: NAME,
  async run(folder, options) {
    const small = await openSite(join(folder, 'small'), options.scaled(SMALL_ROWS));
    const large = await openSite(join(folder, 'large'), options.rows);
    const measured = new Map<Kind, Latencies>();
    for (const kind of KINDS) {
      const sides = [small, large].map((site) => () => latencies(site, kind, options));
      // The first round warms up.
      await inTurn(`${NAME}: ${kind}`, 1, sides);
      const [ofSmall = [], ofLarge = []] = await inTurn(`${NAME}: ${kind}`, options.rounds, sides);
      measured.set(kind, [ofSmall, ofLarge]);
    }
    await small.running.stop();
    await large.running.stop();
    return result(measured, small, large);
  },
};

async function openSite(folder: string, rows: number) {
  const installation = await install(folder, null);
  // Attempts need a bank account, which the first start would create.
  await withDeps(installation.env, ensureSandboxAccount);
  const { file, merchantId } = installation;
  const account = readRows(file, 'select id from bank_accounts limit 1');
  const { settings: retention } = readConfig(installation.env);
  fillHistory({ file, merchantId, accountId: String(account[0]?.id), rows, retention });
  progress(`${NAME}: search index of ${integer(rows)} transactions`);
  await indexAll(file);
  const running = await launch(installation);
  return { rows, running, workloads: await workloads(installation, running) };
}

/** Indexes all rows for the search; the service takes hours, because it indexes in the background. */
async function indexAll(file: string): Promise<void> {
  const db = await openDatabase(`sqlite:${file}`);
  const clock = { ...systemClock, now: () => Date.now() + SETTLED_AFTER_MS };
  while (await indexStep({ db, clock }, INDEX_STEP_ROWS));
  await db.close();
}

async function workloads(
  installation: Installation,
  { port }: ServerProcess,
): Promise<Record<Kind, Workload>> {
  const { file, merchantId, apiKey } = installation;
  const sample = readRows(
    file,
    `select id, order_id as orderId from transactions where merchant_id = '${merchantId}'
     and rowid % max(1, (select max(rowid) from transactions) / ${SAMPLED_IDS}) in (0, 1)`,
  );
  const cookie = await signIn(installation, port);
  const authorization = `Bearer ${apiKey}`;
  const list = (search: object) =>
    `/backoffice/trpc/transactions.list?input=${encodeURIComponent(JSON.stringify({ merchantId, ...search }))}`;
  const ids = sample.map(({ id }) => String(id));
  return {
    init: initRequests({ authorization }),
    status: statusRequests({ ports: [port], authorization }, ids),
    'transaction list': reads(port, { Cookie: cookie }, () => list({})),
    search: reads(port, { Cookie: cookie }, (n) => list({ search: sample[n % sample.length]?.orderId })),
  };
}

async function latencies({ running, workloads: of }: Site, kind: Kind, { seconds }: Options) {
  const load = { ports: [running.port], connections: CONNECTIONS, durationMs: seconds * 1000 };
  return (await runLoad(of[kind], load)).latenciesMs;
}

function result(measured: ReadonlyMap<Kind, Latencies>, small: Site, large: Site): ScenarioResult {
  return {
    ratios: [...measured]
      .filter(([kind]) => kind !== SEARCH)
      .map(([kind, [ofSmall, ofLarge]]) => ({
        name: `${kind}, p99, ${integer(large.rows)} / ${integer(small.rows)} transactions`,
        ...p99Ratio(ofLarge, ofSmall),
        threshold: { better: 'lower', floor: 1.3, target: 1.1 },
      })),
    figures: [...measured].flatMap(([kind, [ofSmall, ofLarge]]) =>
      latencyFigures({
        [`${kind}, ${integer(small.rows)} transactions`]: ofSmall,
        [`${kind}, ${integer(large.rows)} transactions`]: ofLarge,
      }),
    ),
  };
}
