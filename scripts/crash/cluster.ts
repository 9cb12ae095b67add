import { setTimeout as wait } from 'node:timers/promises';
import { startPostgresServer } from '../../test/support/postgres-server.ts';
import { endProgram, hasEnded, type Program, ready } from '../../test/support/program.ts';
import { until } from '../../test/support/until.ts';
import { readBooks } from './books.ts';
import { createShops, LAST_ACCEPT_MS } from './crash.ts';
import { type Diary, emptyDiary, type Shop } from './diary.ts';
import { createDice } from './dice.ts';
import { openEndpoint } from './endpoint.ts';
import { type Installation, install } from './installation.ts';
import { judge, type Verdict } from './judge.ts';
import { startLoad } from './load.ts';

const DATABASE = 'service';
const PROCESSES = 4;
/** Who dies; the bank calls back at the first process, which lives. */
const VICTIMS = [1, 3];
const CALLERS = 3;
/** Before the deaths and after them each: at least so long, and at least so many orders. */
const PHASE_MS = 4000;
const PHASE_ORDERS = 60;
const PHASE_MAX_MS = 90_000;
/** A window in which the survivors sell half of what all of them sold before counts as recovered. */
const WINDOW_MS = 500;
const RECOVERED_SHARE = 1 / 2;
const READY_MAX_MS = 60_000;
const RECOVERED_MAX_MS = 60_000;

export interface ClusterReport {
  diary: Diary;
  verdict: Verdict;
  /** Webhooks that arrived. */
  arrivals: number;
  /** Orders acknowledged in a second before the deaths, by all processes together. */
  perSecondBefore: number;
  /** From the deaths until the database took connections again. */
  databaseBackMs: number;
  /** From the deaths until half as many orders as before were acknowledged. */
  recoveredMs: number;
}

/**
 * Four processes on one PostgreSQL under load. At one moment two of them die by SIGKILL and the server crashes and is started
 * again; the others go on, the dead ones come back later, and in the end everything is judged as after a crash.
 */
export async function runCluster(seed: number): Promise<ClusterReport> {
  const startedAt = Date.now();
  const endpoint = await openEndpoint(createDice(seed, 'endpoint'));
  const server = await startPostgresServer({ durable: true });
  let installation: Installation | null = null;
  try {
    await server.create(DATABASE);
    installation = await install(endpoint, { databaseUrl: server.url(DATABASE), processes: PROCESSES });
    const shops = await createShops(installation, endpoint);
    const cluster = new Cluster(installation, shops, seed);
    await cluster.start();
    const figures = await cluster.live(() => server.restart());
    await wait(LAST_ACCEPT_MS);
    const { diary } = cluster;
    const books = await readBooks(installation, diary, startedAt);
    await cluster.stop();
    const verdict = judge(diary, books, endpoint.arrivals);
    const arrivals = endpoint.arrivals.length;
    return { diary, verdict, arrivals, ...figures };
  } finally {
    await installation?.close();
    await server.stop();
    await endpoint.close();
  }
}

class Cluster {
  readonly diary = emptyDiary();
  readonly #installation: Installation;
  readonly #shops: [Shop, Shop];
  readonly #seed: number;
  #programs: Program[] = [];
  #loads: { stop(): Promise<void> }[] = [];
  #rounds = 0;
  /** When an order was acknowledged. */
  #sold: number[] = [];

  constructor(installation: Installation, shops: [Shop, Shop], seed: number) {
    this.#installation = installation;
    this.#shops = shops;
    this.#seed = seed;
  }

  async start(): Promise<void> {
    this.#programs = this.#installation.urls.map((_, place) => this.#installation.start(place));
    await Promise.all(this.#programs.map((_, place) => this.#born(place)));
  }

  async live(restartServer: () => Promise<void>) {
    this.#loads = this.#programs.map((_, place) => this.#load(place));
    const bornAt = Date.now();
    await this.#phase();
    const diedAt = Date.now();
    const perMs = this.#sold.length / (diedAt - bornAt);
    for (const place of VICTIMS) this.#programs[place]?.kill('SIGKILL');
    const mourned = Promise.all(VICTIMS.map((place) => this.#loads[place]?.stop()));
    await restartServer();
    const databaseBackMs = Date.now() - diedAt;
    const perWindow = perMs * WINDOW_MS * RECOVERED_SHARE;
    const isRecovered = (at: number) =>
      this.#sold.filter((sold) => sold > at - WINDOW_MS && sold <= at).length >= perWindow;
    const recoveredAt = await until(
      () => this.#sold.findLast((at) => at - WINDOW_MS > diedAt && isRecovered(at)),
      'as many orders as before',
      RECOVERED_MAX_MS,
    );
    await mourned;
    await this.#phase();
    await Promise.all(this.#loads.map((load) => load.stop()));
    await this.#revive();
    return {
      perSecondBefore: perMs * 1000,
      databaseBackMs,
      recoveredMs: recoveredAt - diedAt,
    };
  }

  async #phase(): Promise<void> {
    const before = this.#sold.length;
    await wait(PHASE_MS);
    await until(() => this.#sold.length - before >= PHASE_ORDERS, 'enough orders', PHASE_MAX_MS);
  }

  /** The dead ones come back, and take up what nobody answered, whichever process was asked before. */
  async #revive(): Promise<void> {
    for (const place of VICTIMS) {
      this.#programs[place] = this.#installation.start(place);
      await this.#born(place);
    }
    for (const place of VICTIMS) await this.#load(place).stop();
  }

  async stop(): Promise<void> {
    for (const program of this.#programs) {
      this.#note(program);
      program.kill('SIGTERM');
      const ended = await program.ended;
      if (ended !== 0) this.diary.faults.push(`the stop ended with ${ended}: ${program.err().trim()}`);
      await endProgram(program);
    }
  }

  /** A process that ends by itself is a finding of its own. */
  #note(program: Program): void {
    if (hasEnded(program)) this.diary.faults.push(`a process ended by itself: ${program.err().trim()}`);
  }

  #load(place: number) {
    const { urls, sandboxUrl } = this.#installation;
    return startLoad({
      ...{ url: urls[place] ?? '', sandboxUrl, seed: this.#seed, round: this.#rounds++ },
      ...{ shops: this.#shops, diary: this.diary, callers: CALLERS, patient: true },
      sold: () => this.#sold.push(Date.now()),
    });
  }

  async #born(place: number): Promise<void> {
    const [program, url] = [this.#programs[place], this.#installation.urls[place]];
    if (program !== undefined && url !== undefined) await ready(program, url, READY_MAX_MS);
  }
}
