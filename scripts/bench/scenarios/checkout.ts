import { request } from 'undici';
import { type LoadResult, runLoad } from '../load.ts';
import { type Program, startProgram } from '../process.ts';
import type { PageLoad } from '../programs/shoppers.ts';
import { initRequests, orderJson } from '../requests.ts';
import { install, launch, type RunningService } from '../service.ts';
import { aligned, integer, median, percent, progress, quantile, range, spread } from '../statistics.ts';
import { BenchError, type Scenario, type ScenarioResult, type Workload } from '../types.ts';

const NAME = 'checkout';
const INITS_PER_SECOND = 200;
const PAGES_PER_SECOND = 2000;
const SESSIONS = 300;
const SESSIONS_SMOKE = 20;
const CONNECTIONS = 16;
/** Gives about a thousand inits at this rate, which their p99 needs. */
const TURN_SECONDS_MIN = 5;

interface Round {
  readonly alone: Float64Array;
  readonly loaded: Float64Array;
  readonly pages: Float64Array;
  readonly pagesPerSecond: number;
  readonly loadBusy: number;
}

/** The p99 of init at a fixed rate: alone, and while shoppers load payment pages and poll their status. */
export const checkout: Scenario = {
  name: NAME,
  async run(folder, options) {
    const installation = await install(folder, null);
    const running = await launch(installation);
    const authorization = `Bearer ${installation.apiKey}`;
    const paths: string[] = [];
    const sessions = options.smoke ? SESSIONS_SMOKE : SESSIONS;
    for (let n = 0; n < sessions; n++) paths.push(await openPage(running, authorization, n));
    const shoppers = await startProgram<string>(new URL('../programs/shoppers.ts', import.meta.url));
    const sites = { running, inits: initRequests({ authorization }), shoppers, paths };
    await measure(sites, options.warmUpSeconds, true);
    const rounds: Round[] = [];
    for (let round = 0; round < options.rounds; round++) {
      progress(`${NAME}: round ${round + 1} of ${options.rounds}`);
      const seconds = options.smoke ? options.seconds : Math.max(options.seconds, TURN_SECONDS_MIN);
      const loadedFirst = round % 2 === 1;
      const early = await measure(sites, seconds, loadedFirst);
      const late = await measure(sites, seconds, !loadedFirst);
      const [alone, loaded] = loadedFirst ? [late, early] : [early, late];
      if (loaded.pages === null) throw new BenchError('no page was requested');
      const { latenciesMs: pages, perSecond: pagesPerSecond, loadBusy } = loaded.pages;
      rounds.push({ alone: alone.inits, loaded: loaded.inits, pages, pagesPerSecond, loadBusy });
    }
    await shoppers.stop();
    await running.stop();
    return result(rounds);
  },
};

/** Creates a session with a live Multibanco reference, whose page polls its status. Returns the path of the page. */
async function openPage({ port }: RunningService, authorization: string, n: number): Promise<string> {
  const created = await request(`http://127.0.0.1:${port}/checkout/v1/sessions`, {
    method: 'POST',
    headers: { authorization, 'content-type': 'application/json' },
    body: orderJson(n),
  });
  const { url } = (await created.body.json()) as { url?: string };
  if (url === undefined) throw new BenchError(`a session was refused with status ${created.statusCode}`);
  const posted = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'method=REFERENCE',
  });
  await posted.body.dump();
  if (posted.statusCode !== 303) throw new BenchError(`a step was answered ${posted.statusCode}`);
  return new URL(url).pathname;
}

interface Sites {
  readonly running: RunningService;
  readonly inits: Workload;
  readonly shoppers: Program<string>;
  /** The paths of the payment pages. */
  readonly paths: readonly string[];
}

async function measure({ running, inits, shoppers, paths }: Sites, seconds: number, withPages: boolean) {
  const load = { connections: CONNECTIONS, durationMs: seconds * 1000 };
  const pages: PageLoad = { ...load, port: running.port, paths, perSecond: PAGES_PER_SECOND };
  const [init, page] = await Promise.all([
    runLoad(inits, { ...load, ports: [running.port], perSecond: INITS_PER_SECOND }),
    withPages ? shoppers.ask<LoadResult>(pages) : null,
  ]);
  return { inits: init.latenciesMs, pages: page };
}

function result(rounds: readonly Round[]): ScenarioResult {
  const p = (which: 'alone' | 'loaded' | 'pages', share: number) =>
    median(rounds.map((round) => quantile(round[which], share))).toFixed(2);
  const row = (name: string, which: 'alone' | 'loaded' | 'pages') => [name, p(which, 0.5), p(which, 0.99)];
  const rates = rounds.map(({ pagesPerSecond }) => pagesPerSecond);
  const busy = median(rounds.map(({ loadBusy }) => loadBusy));
  return {
    text: [
      `${NAME}: init at ${INITS_PER_SECOND}/s, alone and with ${integer(PAGES_PER_SECOND)} requests/s for payment pages, one page to nine status; ${rounds.length} rounds in turn`,
      ...aligned([
        ['', 'p50 ms', 'p99 ms'],
        row('init, alone', 'alone'),
        row('init, with pages', 'loaded'),
        row('page and status', 'pages'),
      ]),
      `  ${integer(median(rates))} page requests/s (${range(rates, integer)}), load busy ${percent(busy)}`,
    ].join('\n'),
    ratios: [
      {
        scenario: NAME,
        name: `p99 of init, with ${integer(PAGES_PER_SECOND)} page requests/s / alone`,
        ...spread(rounds.map((round) => quantile(round.loaded, 0.99) / quantile(round.alone, 0.99))),
        threshold: { better: 'lower', floor: 1.2, target: 1.1 },
      },
      {
        scenario: NAME,
        name: `page requests answered / ${integer(PAGES_PER_SECOND)} sent`,
        ...spread(rates.map((rate) => rate / PAGES_PER_SECOND)),
        threshold: { better: 'higher', floor: 0.95, target: 0.99 },
      },
    ],
    figures: [
      {
        scenario: NAME,
        name: 'init, p99, with payment pages',
        value: median(rounds.map((round) => quantile(round.loaded, 0.99))),
        unit: 'ms',
      },
      { scenario: NAME, name: 'payment page and status', value: median(rates), unit: 'requests/s' },
    ],
  };
}
