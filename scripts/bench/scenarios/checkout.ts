import { type LoadResult, runLoad } from '../load.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../process.ts';
import type { PageLoad } from '../programs/shoppers.ts';
import { initRequests, orderJson, type Shop } from '../requests.ts';
import { install, launch, post } from '../service.ts';
import { comparedP99, inTurn, integer, median, type Row, short, spread } from '../statistics.ts';

const INITS_PER_SECOND = 200;
const PAGES_PER_SECOND = 2000;
const SESSIONS = 300;
const CONNECTIONS = 16;
/** Gives about three thousand inits at this rate. Ten inits decide the p99 of a thousand, and one slow write to the disk delays as many. */
const TURN_SECONDS_MIN = 15;

/** The p99 of init at a fixed rate: alone, and while shoppers load payment pages and poll their status. */
export async function checkout(folder: string, options: Options): Promise<Row[]> {
  const installation = await install(folder, null);
  const running = await launch(installation);
  const paths: string[] = [];
  while (paths.length < options.scaled(SESSIONS))
    paths.push(await openPage(running.url, installation, paths.length));
  const shoppers = await startProgram('programs/shoppers.ts');
  const inits = initRequests([installation]);
  const measure = async (seconds: number, withPages: boolean) => {
    const load = { ports: [running.port], connections: CONNECTIONS, durationMs: seconds * 1000 };
    const pages: PageLoad = { ...load, paths, perSecond: PAGES_PER_SECOND };
    const [init, page] = await Promise.all([
      runLoad(inits, { ...load, perSecond: INITS_PER_SECOND }),
      withPages ? shoppers.ask<LoadResult>(pages) : null,
    ]);
    return { inits: init.latenciesMs, page };
  };
  await measure(options.warmUpSeconds, true);
  const seconds = options.smoke ? options.seconds : Math.max(options.seconds, TURN_SECONDS_MIN);
  const { alone, loaded } = await inTurn('checkout', options.rounds, {
    alone: () => measure(seconds, false),
    loaded: () => measure(seconds, true),
  });
  await shoppers.stop();
  await running.stop();
  const pages = loaded.flatMap(({ page }) => page ?? []);
  const rates = pages.map(({ perSecond }) => perSecond);
  return [
    ...comparedP99(
      `p99 of init, with ${integer(PAGES_PER_SECOND)} page requests/s / alone`,
      {
        'init, with payment pages': loaded.map(({ inits }) => inits),
        'init, alone': alone.map(({ inits }) => inits),
        'payment page and status': pages.map(({ latenciesMs }) => latenciesMs),
      },
      { better: 'lower', floor: 1.2, target: 1.1 },
    ),
    {
      name: `page requests answered / ${integer(PAGES_PER_SECOND)} sent`,
      ...spread(rates.map((rate) => rate / PAGES_PER_SECOND)),
      better: 'higher',
      floor: 0.95,
      target: 0.99,
    },
    {
      name: 'payment page and status',
      value: median(rates),
      unit: 'requests/s',
      details: `load busy % ${short(median(pages.map(({ loadBusy }) => loadBusy)) * 100)}`,
    },
  ];
}

/** Creates a session with a live Multibanco reference, whose page polls its status. Returns the path of the page. */
async function openPage(service: string, { authorization, domain }: Shop, n: number): Promise<string> {
  const order = orderJson(n, domain);
  const session = await post(`${service}/checkout/v1/sessions`, order, { authorization });
  const { url } = JSON.parse(session.text);
  await post(url, 'method=REFERENCE', { 'content-type': 'application/x-www-form-urlencoded' }, 303);
  return new URL(url).pathname;
}
