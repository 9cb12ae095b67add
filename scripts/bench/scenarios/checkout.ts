import { request } from 'undici';
import { type LoadResult, runLoad } from '../load.ts';
import { type Program, type ServerProcess, startProgram } from '../process.ts';
import type { PageLoad } from '../programs/shoppers.ts';
import { initRequests, orderJson } from '../requests.ts';
import { install, launch, post } from '../service.ts';
import { inTurn, integer, latencyFigures, median, p99Ratio, spread } from '../statistics.ts';
import type { Scenario, ScenarioResult, Workload } from '../types.ts';

const NAME = 'checkout';
const INITS_PER_SECOND = 200;
const PAGES_PER_SECOND = 2000;
const SESSIONS = 300;
const CONNECTIONS = 16;
/** Gives about a thousand inits at this rate, which their p99 needs. */
const TURN_SECONDS_MIN = 5;

/** The p99 of init at a fixed rate: alone, and while shoppers load payment pages and poll their status. */
export const checkout: Scenario = {
  name: NAME,
  async run(folder, options) {
    const installation = await install(folder, null);
    const running = await launch(installation);
    const authorization = `Bearer ${installation.apiKey}`;
    const paths: string[] = [];
    for (let n = 0; n < options.scaled(SESSIONS); n++) paths.push(await openPage(running, authorization, n));
    const shoppers = await startProgram<string>('programs/shoppers.ts');
    const sites = { running, inits: initRequests({ authorization }), shoppers, paths };
    await measure(sites, options.warmUpSeconds, true);
    const seconds = options.smoke ? options.seconds : Math.max(options.seconds, TURN_SECONDS_MIN);
    const sides = [false, true].map((withPages) => () => measure(sites, seconds, withPages));
    const [alone = [], loaded = []] = await inTurn(NAME, options.rounds, sides);
    await shoppers.stop();
    await running.stop();
    return result(alone, loaded);
  },
};

/** Creates a session with a live Multibanco reference, whose page polls its status. Returns the path of the page. */
async function openPage({ port }: ServerProcess, authorization: string, n: number): Promise<string> {
  const sessions = `http://127.0.0.1:${port}/checkout/v1/sessions`;
  const { url } = (await post(sessions, orderJson(n), { authorization })).json;
  const posted = await request(url, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: 'method=REFERENCE',
  });
  await posted.body.dump();
  if (posted.statusCode !== 303) throw new Error(`a step was answered ${posted.statusCode}`);
  return new URL(url).pathname;
}

interface Sites {
  readonly running: ServerProcess;
  readonly inits: Workload;
  readonly shoppers: Program<string>;
  /** The paths of the payment pages. */
  readonly paths: readonly string[];
}

/** The latencies of init, and the load of the pages. */
interface Round {
  readonly inits: Float64Array;
  readonly pages: LoadResult | null;
}

async function measure(
  { running, inits, shoppers, paths }: Sites,
  seconds: number,
  withPages: boolean,
): Promise<Round> {
  const load = { connections: CONNECTIONS, durationMs: seconds * 1000 };
  const pages: PageLoad = { ...load, port: running.port, paths, perSecond: PAGES_PER_SECOND };
  const [init, page] = await Promise.all([
    runLoad(inits, { ...load, ports: [running.port], perSecond: INITS_PER_SECOND }),
    withPages ? shoppers.ask<LoadResult>(pages) : null,
  ]);
  return { inits: init.latenciesMs, pages: page };
}

function result(roundsAlone: readonly Round[], roundsLoaded: readonly Round[]): ScenarioResult {
  const [alone = [], loaded = []] = [roundsAlone, roundsLoaded].map((side) => side.map(({ inits }) => inits));
  const pages = roundsLoaded.flatMap((round) => round.pages ?? []);
  const rates = pages.map(({ perSecond }) => perSecond);
  const busy = median(pages.map(({ loadBusy }) => loadBusy));
  return {
    ratios: [
      {
        name: `p99 of init, with ${integer(PAGES_PER_SECOND)} page requests/s / alone`,
        ...p99Ratio(loaded, alone),
        threshold: { better: 'lower', floor: 1.2, target: 1.1 },
      },
      {
        name: `page requests answered / ${integer(PAGES_PER_SECOND)} sent`,
        ...spread(rates.map((rate) => rate / PAGES_PER_SECOND)),
        threshold: { better: 'higher', floor: 0.95, target: 0.99 },
      },
    ],
    figures: [
      ...latencyFigures({
        'init, alone': alone,
        'init, with payment pages': loaded,
        'payment page and status': pages.map(({ latenciesMs }) => latenciesMs),
      }),
      { name: 'payment page and status', value: median(rates), unit: 'requests/s' },
      { name: 'payment pages, load busy', value: busy * 100, unit: '%' },
    ],
  };
}
