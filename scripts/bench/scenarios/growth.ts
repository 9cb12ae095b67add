import { join } from 'node:path';
import { ensureSandboxAccount } from '../../../src/banks/accounts.ts';
import { systemClock } from '../../../src/kernel/clock.ts';
import { indexStep } from '../../../src/search/indexer.ts';
import { readRows } from '../database.ts';
import { fillHistory } from '../growth/history.ts';
import { runLoad } from '../load.ts';
import type { Options } from '../options.ts';
import { initRequests, reads, statusRequests } from '../requests.ts';
import { install, launch, signIn, withDeps } from '../service.ts';
import { comparedP99, inTurn, integer, progress, type Row } from '../statistics.ts';

const SMALL_ROWS = 10_000;
/** Few connections, so that latency measures the work and not the queue. */
const CONNECTIONS = 4;
const SAMPLED_IDS = 2000;
const INDEX_STEP_ROWS = 2000;
/** The search index excludes rows younger than this. */
const SETTLED_AFTER_MS = 120_000;
/** Search runs first, because inits of the measurement that are not indexed yet would slow it down. */
const KINDS = ['search', 'init', 'status', 'transaction list'] as const;

/** Measures how the p99 of common requests changes with the number of stored transactions. */
export async function growth(folder: string, { rounds, rows, scaled, seconds }: Options): Promise<Row[]> {
  const small = await openSite(join(folder, 'small'), scaled(SMALL_ROWS));
  const large = await openSite(join(folder, 'large'), rows);
  const results: Row[] = [];
  for (const kind of KINDS) {
    const sides = [large, small].map(({ size, running, workloads }) => {
      const load = { ports: [running.port], connections: CONNECTIONS, durationMs: seconds * 1000 };
      const measure = async () => (await runLoad(workloads[kind], load)).latenciesMs;
      return [`${kind}, ${size} transactions`, measure] as const;
    });
    const measure = (count: number) => inTurn(`growth: ${kind}`, count, Object.fromEntries(sides));
    // Warms up.
    await measure(1);
    const [ratio, ...figures] = comparedP99(
      `${kind}, p99, ${large.size} / ${small.size} transactions`,
      await measure(rounds),
      { better: 'lower', floor: 1.3, target: 1.1 },
    );
    // A search examines every part of the index, so its time grows with the orders of the merchant.
    results.push(...(kind === 'search' || ratio === undefined ? [] : [ratio]), ...figures);
  }
  for (const { running } of [small, large]) await running.stop();
  return results;
}

/** Starts the service on a new database with a number of transactions. */
async function openSite(folder: string, rows: number) {
  const installation = await install(folder, null);
  // Attempts need a bank account, which the first start would create.
  const accountId = await withDeps(installation.env, ensureSandboxAccount);
  fillHistory(installation, accountId, rows);
  progress(`growth: search index of ${integer(rows)} transactions`);
  await withDeps(installation.env, async ({ db }) => {
    // The service takes hours, because it indexes in the background.
    const clock = { ...systemClock, now: () => Date.now() + SETTLED_AFTER_MS };
    while (await indexStep({ db, clock }, INDEX_STEP_ROWS));
  });
  const running = await launch(installation);
  const { merchantId, url } = installation;
  const sample = await readRows(
    url,
    `select id, order_id as orderId from transactions where merchant_id = '${merchantId}'
     and rowid % max(1, (select max(rowid) from transactions) / ${SAMPLED_IDS}) in (0, 1)`,
  );
  const cookie = { Cookie: await signIn(installation, running) };
  const list = (search: object) =>
    `/backoffice/trpc/transactions.list?input=${encodeURIComponent(JSON.stringify({ merchantId, ...search }))}`;
  const workloads = {
    init: initRequests([installation]),
    status: statusRequests(
      installation,
      sample.map(({ id }) => String(id)),
    ),
    'transaction list': reads(cookie, () => list({})),
    search: reads(cookie, (n) => list({ search: sample[n % sample.length]?.orderId })),
  };
  return { size: integer(rows), running, workloads };
}
