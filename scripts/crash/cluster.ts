import { setTimeout as wait } from 'node:timers/promises';
import { type Program, ready } from '../../test/support/program.ts';
import { until } from '../../test/support/until.ts';
import { onSite, type Site, settle } from './crash.ts';
import { startLoad } from './load.ts';

const PROCESSES = 4;
/** The killed processes; the bank calls the first process, which survives. */
const VICTIMS = [1, 3];
const CALLERS = 3;
/** The minimum duration and orders of the load before and after the kill. */
const PHASE_MS = 4000;
const PHASE_ORDERS = 60;
const PHASE_MAX_MS = 90_000;
/** The service counts as recovered when half the previous rate of orders is acknowledged within a window. */
const WINDOW_MS = 500;
const RECOVERED_SHARE = 1 / 2;
const READY_MAX_MS = 60_000;
const RECOVERED_MAX_MS = 60_000;

/**
 * Runs four processes on one PostgreSQL server under load, kills two of them and crashes the server at the same moment,
 * restarts the server, later the two processes, and judges the final state. Times count from the kill.
 */
export async function runCluster(seed: number) {
  return await onSite({ seed, engine: 'postgres', processes: PROCESSES }, async (site) => {
    /** When each order was acknowledged. */
    const sold: number[] = [];
    const start = (place: number) => startProcess(site, place);
    const load = createLoads(site, sold);
    const phase = async () => {
      const before = sold.length;
      await wait(PHASE_MS);
      await until(() => sold.length - before >= PHASE_ORDERS, 'enough orders', PHASE_MAX_MS);
    };
    const places = [...site.installation.urls.keys()];
    const programs = await Promise.all(places.map(start));
    const loads = places.map(load);
    const startedAt = Date.now();
    await phase();
    const killedAt = Date.now();
    const perMs = sold.length / (killedAt - startedAt);
    for (const place of VICTIMS) programs[place]?.kill('SIGKILL');
    const victimLoads = Promise.all(VICTIMS.map((place) => loads[place]?.stop()));
    await site.server?.restart();
    const databaseBackMs = Date.now() - killedAt;
    const recoveredAt = await recovered(sold, killedAt, perMs);
    await victimLoads;
    await phase();
    await Promise.all(loads.map(({ stop }) => stop()));
    for (const place of VICTIMS) programs[place] = await start(place);
    // Repeats the calls that were not answered.
    for (const place of VICTIMS) await load(place).stop();
    const { faults, arrivals } = await settle(site, programs);
    const figures = { perSecondBefore: perMs * 1000, databaseBackMs, recoveredMs: recoveredAt - killedAt };
    return { log: site.log, faults, arrivals: arrivals.length, ...figures };
  });
}

async function startProcess({ installation }: Site, place: number): Promise<Program> {
  const program = installation.start(place);
  await ready(program, installation.urls[place] ?? '', READY_MAX_MS);
  return program;
}

function createLoads(site: Site, sold: number[]) {
  let round = 0;
  return (place: number) =>
    startLoad({
      ...site.installation,
      ...site,
      url: site.installation.urls[place] ?? '',
      round: round++,
      callers: CALLERS,
      patient: true,
      onInit: () => sold.push(Date.now()),
    });
}

/** Waits until half as many orders as before are acknowledged, and returns when they were. */
async function recovered(sold: readonly number[], killedAt: number, perMs: number): Promise<number> {
  const perWindow = perMs * WINDOW_MS * RECOVERED_SHARE;
  const isRecovered = (at: number) =>
    sold.filter((other) => other > at - WINDOW_MS && other <= at).length >= perWindow;
  return await until(
    () => sold.findLast((at) => at - WINDOW_MS > killedAt && isRecovered(at)),
    'as many orders as before',
    RECOVERED_MAX_MS,
  );
}
