import { setTimeout as wait } from 'node:timers/promises';
import { type Program, ready } from '../../test/support/program.ts';
import { until } from '../../test/support/until.ts';
import { CallLog } from './call-log.ts';
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

export interface ClusterReport {
  log: CallLog;
  faults: readonly string[];
  /** Webhooks received. */
  arrivals: number;
  /** Orders acknowledged per second before the kill, by all processes. */
  perSecondBefore: number;
  /** From the kill until the database accepted connections. */
  databaseBackMs: number;
  /** From the kill until half as many orders as before were acknowledged. */
  recoveredMs: number;
}

/**
 * Runs four processes on one PostgreSQL server under load, kills two of them and crashes the server at the same moment,
 * restarts the server, later the two processes, and judges the final state.
 */
export async function runCluster(seed: number): Promise<ClusterReport> {
  return await onSite({ seed, engine: 'postgres', processes: PROCESSES }, async (site) => {
    const cluster = new Cluster(site);
    await cluster.start();
    const figures = await cluster.live(async () => site.server?.restart());
    const { log, faults, arrivals } = await settle(site, cluster.log, cluster.programs);
    return { log, faults, arrivals: arrivals.length, ...figures };
  });
}

class Cluster {
  readonly log = new CallLog();
  programs: Program[] = [];
  readonly #site: Site;
  #loads: { stop(): Promise<void> }[] = [];
  #rounds = 0;
  /** When each order was acknowledged. */
  #sold: number[] = [];

  constructor(site: Site) {
    this.#site = site;
  }

  async start(): Promise<void> {
    this.programs = this.#site.installation.urls.map((_, place) => this.#site.installation.start(place));
    await Promise.all(this.programs.map((_, place) => this.#waitUntilReady(place)));
  }

  async live(restartServer: () => Promise<void>) {
    this.#loads = this.programs.map((_, place) => this.#load(place));
    const startedAt = Date.now();
    await this.#phase();
    const killedAt = Date.now();
    const perMs = this.#sold.length / (killedAt - startedAt);
    for (const place of VICTIMS) this.programs[place]?.kill('SIGKILL');
    const victimLoads = Promise.all(VICTIMS.map((place) => this.#loads[place]?.stop()));
    await restartServer();
    const databaseBackMs = Date.now() - killedAt;
    const perWindow = perMs * WINDOW_MS * RECOVERED_SHARE;
    const isRecovered = (at: number) =>
      this.#sold.filter((sold) => sold > at - WINDOW_MS && sold <= at).length >= perWindow;
    const recoveredAt = await until(
      () => this.#sold.findLast((at) => at - WINDOW_MS > killedAt && isRecovered(at)),
      'as many orders as before',
      RECOVERED_MAX_MS,
    );
    await victimLoads;
    await this.#phase();
    await Promise.all(this.#loads.map((load) => load.stop()));
    await this.#restartVictims();
    return {
      perSecondBefore: perMs * 1000,
      databaseBackMs,
      recoveredMs: recoveredAt - killedAt,
    };
  }

  async #phase(): Promise<void> {
    const before = this.#sold.length;
    await wait(PHASE_MS);
    await until(() => this.#sold.length - before >= PHASE_ORDERS, 'enough orders', PHASE_MAX_MS);
  }

  /** Restarts the killed processes and repeats the calls that were not answered. */
  async #restartVictims(): Promise<void> {
    for (const place of VICTIMS) {
      this.programs[place] = this.#site.installation.start(place);
      await this.#waitUntilReady(place);
    }
    for (const place of VICTIMS) await this.#load(place).stop();
  }

  #load(place: number) {
    const { installation, seed, shops } = this.#site;
    return startLoad({
      ...installation,
      url: installation.urls[place] ?? '',
      seed,
      round: this.#rounds++,
      shops,
      log: this.log,
      callers: CALLERS,
      patient: true,
      onInit: () => this.#sold.push(Date.now()),
    });
  }

  async #waitUntilReady(place: number): Promise<void> {
    const [program, url] = [this.programs[place], this.#site.installation.urls[place]];
    if (program !== undefined && url !== undefined) await ready(program, url, READY_MAX_MS);
  }
}
