import { setTimeout as wait } from 'node:timers/promises';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { type Program, ready } from '../../test/support/program.ts';
import { until } from '../../test/support/until.ts';
import { Prng } from '../sim/prng.ts';
import { type CallLog, emptyCallLog, type Shop } from './call-log.ts';
import { createShops, LAST_ACCEPT_MS } from './crash.ts';
import { openEndpoint } from './endpoint.ts';
import { readFinalState } from './final-state.ts';
import { type Installation, install, stopProcess } from './installation.ts';
import { judge, type Verdict } from './judge.ts';
import { waitForMails } from './judge-mails.ts';
import { startLoad } from './load.ts';
import { openMailbox } from './mailbox.ts';

const DATABASE = 'service';
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
  verdict: Verdict;
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
  const endpoint = await openEndpoint(new Prng(`${seed} endpoint`));
  const mailbox = await openMailbox(new Prng(`${seed} mailbox`));
  const server = await startPostgresServer({ durable: true });
  let installation: Installation | null = null;
  try {
    await server.create(DATABASE);
    const options = { databaseUrl: server.url(DATABASE), processes: PROCESSES, smtpUrl: mailbox.url };
    installation = await install(endpoint, options);
    const shops = await createShops(installation, endpoint);
    const cluster = new Cluster(installation, shops, seed);
    await cluster.start();
    const figures = await cluster.live(() => server.restart());
    await wait(LAST_ACCEPT_MS);
    const { log } = cluster;
    const state = await readFinalState(installation, log, shops);
    await waitForMails(log, state, mailbox.mails);
    await cluster.stop();
    const verdict = judge(log, state, { arrivals: endpoint.arrivals, mails: mailbox.mails });
    const arrivals = endpoint.arrivals.length;
    return { log, verdict, arrivals, ...figures };
  } finally {
    await installation?.close();
    await server.stop();
    await Promise.all([endpoint.close(), mailbox.close()]);
  }
}

class Cluster {
  readonly log = emptyCallLog();
  readonly #installation: Installation;
  readonly #shops: readonly Shop[];
  readonly #seed: number;
  #programs: Program[] = [];
  #loads: { stop(): Promise<void> }[] = [];
  #rounds = 0;
  /** When each order was acknowledged. */
  #sold: number[] = [];

  constructor(installation: Installation, shops: readonly Shop[], seed: number) {
    this.#installation = installation;
    this.#shops = shops;
    this.#seed = seed;
  }

  async start(): Promise<void> {
    this.#programs = this.#installation.urls.map((_, place) => this.#installation.start(place));
    await Promise.all(this.#programs.map((_, place) => this.#waitUntilReady(place)));
  }

  async live(restartServer: () => Promise<void>) {
    this.#loads = this.#programs.map((_, place) => this.#load(place));
    const startedAt = Date.now();
    await this.#phase();
    const killedAt = Date.now();
    const perMs = this.#sold.length / (killedAt - startedAt);
    for (const place of VICTIMS) this.#programs[place]?.kill('SIGKILL');
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
      this.#programs[place] = this.#installation.start(place);
      await this.#waitUntilReady(place);
    }
    for (const place of VICTIMS) await this.#load(place).stop();
  }

  async stop(): Promise<void> {
    for (const program of this.#programs) await stopProcess(program, this.log);
  }

  #load(place: number) {
    const { urls, sandboxUrl, operator } = this.#installation;
    return startLoad({
      url: urls[place] ?? '',
      sandboxUrl,
      operator,
      seed: this.#seed,
      round: this.#rounds++,
      shops: this.#shops,
      log: this.log,
      callers: CALLERS,
      patient: true,
      onInit: () => this.#sold.push(Date.now()),
    });
  }

  async #waitUntilReady(place: number): Promise<void> {
    const [program, url] = [this.#programs[place], this.#installation.urls[place]];
    if (program !== undefined && url !== undefined) await ready(program, url, READY_MAX_MS);
  }
}
