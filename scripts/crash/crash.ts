import { setTimeout as wait } from 'node:timers/promises';
import { endProgram, hasEnded, type Program, ready } from '../../test/support/program.ts';
import { type Books, readBooks } from './books.ts';
import { type Diary, emptyDiary, type Shop } from './diary.ts';
import { createDice } from './dice.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import { GRACE_MS, type Installation, install, WINDOW_MS } from './installation.ts';
import { judge, type Verdict } from './judge.ts';
import { startLoad } from './load.ts';

/** Every fourth round dies while it starts, the others under load. */
const IN_START_EVERY = 4;
const IN_START_MS = [50, 900] as const;
const UNDER_LOAD_MS = [50, 3000] as const;
/** The phone that accepts last does so five seconds after window and grace. */
export const LAST_ACCEPT_MS = WINDOW_MS + GRACE_MS + 5000 + 1000;

export interface CrashOptions {
  rounds: number;
  seed: number;
  /** Gets a line for each round. */
  print(line: string): void;
}

export interface CrashReport {
  diary: Diary;
  books: Books;
  verdict: Verdict;
  arrivals: Endpoint['arrivals'];
  /** From the start of the process until it answered, for each start that came so far. */
  readyMs: number[];
  /** From the start of the process until a delivery that the kill had cut was at its endpoint again. */
  redeliveryMs: number[];
  seconds: number;
}

/** Kills the service `rounds` times at moments out of the seed, starts it a last time, and judges what is left. */
export async function runCrash({ rounds, seed, print }: CrashOptions): Promise<CrashReport> {
  const startedAt = Date.now();
  const endpoint = await openEndpoint(createDice(seed, 'endpoint'));
  let installation: Installation | null = null;
  try {
    installation = await install(endpoint);
    const shops = await createShops(installation, endpoint);
    const run = new CrashRun(installation, endpoint, shops, seed);
    for (let round = 1; round <= rounds; round++)
      print(`round ${round}/${rounds}  ${await run.round(round)}`);
    print('the last start; waiting until everything is settled');
    const books = await run.settle(startedAt);
    const verdict = judge(run.diary, books, endpoint.arrivals);
    const { diary, readyMs, redeliveryMs } = run;
    const seconds = (Date.now() - startedAt) / 1000;
    return { diary, books, verdict, arrivals: endpoint.arrivals, readyMs, redeliveryMs, seconds };
  } finally {
    await installation?.close();
    await endpoint.close();
  }
}

/** A shop with an endpoint and one without. */
export async function createShops(installation: Installation, endpoint: Endpoint): Promise<[Shop, Shop]> {
  const create = async (more: readonly string[]): Promise<Shop> => {
    const made = await installation.operator<{ apiKey: string }>([
      ...['merchant', 'create', '--name', 'Shop', '--domain', 'shop.pt'],
      ...more,
    ]);
    return { apiKey: made.apiKey, hasEndpoint: more.length > 0 };
  };
  return [await create(['--webhook-url', endpoint.url]), await create([])];
}

class CrashRun {
  readonly diary = emptyDiary();
  readonly readyMs: number[] = [];
  readonly redeliveryMs: number[] = [];
  readonly #installation: Installation;
  readonly #endpoint: Endpoint;
  readonly #shops: [Shop, Shop];
  readonly #seed: number;
  /** Deliveries that the last kill cut and that have not come again since. */
  #cut: ReadonlySet<string> = new Set();

  constructor(installation: Installation, endpoint: Endpoint, shops: [Shop, Shop], seed: number) {
    this.#installation = installation;
    this.#endpoint = endpoint;
    this.#shops = shops;
    this.#seed = seed;
  }

  /** One life and its end; resolves to what is to be said about it. */
  async round(round: number): Promise<string> {
    const moments = createDice(this.#seed, `moment ${round}`);
    const before = { inits: this.diary.inits.size, arrivals: this.#endpoint.arrivals.length };
    const bornAt = Date.now();
    const service = this.#installation.start();
    const inStart = round % IN_START_EVERY === 0;
    const [minMs, maxMs] = inStart ? IN_START_MS : UNDER_LOAD_MS;
    const afterMs = moments.between(minMs, maxMs);
    if (inStart) await wait(afterMs);
    else {
      await this.#born(service, bornAt);
      const load = this.#load(round);
      await wait(afterMs);
      this.#kill(service);
      await load.stop();
    }
    this.#kill(service);
    const redeliveryMs = this.#noteRedelivery(bornAt, before.arrivals);
    this.#cut = new Set([...this.#cut, ...this.#inFlightAtDeath]);
    await service.ended;
    return [
      `killed ${afterMs} ms ${inStart ? 'into its start' : 'into the load'}`,
      `acknowledged ${this.diary.inits.size - before.inits}`,
      `webhooks ${this.#endpoint.arrivals.length - before.arrivals}`,
      `first redelivery ${redeliveryMs === null ? '-' : `after ${redeliveryMs} ms`}`,
    ].join('  ');
  }

  #inFlightAtDeath: ReadonlySet<string> = new Set();

  /** A service that ends by itself is a finding of its own. */
  #kill(service: Program): void {
    if (service.child.killed) return;
    if (hasEnded(service)) this.diary.faults.push(`the service ended by itself: ${service.err().trim()}`);
    this.#inFlightAtDeath = this.#endpoint.inFlight();
    service.kill('SIGKILL');
  }

  #load(round: number) {
    const { url, sandboxUrl } = this.#installation;
    return startLoad({ url, sandboxUrl, seed: this.#seed, round, shops: this.#shops, diary: this.diary });
  }

  async #born(service: Program, bornAt: number): Promise<void> {
    await ready(service, this.#installation.url);
    this.readyMs.push(Date.now() - bornAt);
  }

  /** How long after `bornAt` the first of the cut deliveries came again; null when none did, or none was cut. */
  #noteRedelivery(bornAt: number, arrivalsBefore: number): number | null {
    const since = this.#endpoint.arrivals.slice(arrivalsBefore);
    const first = since.find(({ deliveryId }) => this.#cut.has(deliveryId));
    if (first === undefined) return null;
    const again = new Set(since.map(({ deliveryId }) => deliveryId));
    this.#cut = new Set([...this.#cut].filter((id) => !again.has(id)));
    this.redeliveryMs.push(first.at - bornAt);
    return first.at - bornAt;
  }

  /** The last life: what was cut is repeated, what is open comes to its end. */
  async settle(startedAt: number): Promise<Books> {
    const before = this.#endpoint.arrivals.length;
    const bornAt = Date.now();
    const service = this.#installation.start();
    await this.#born(service, bornAt);
    const load = this.#load(0);
    await load.stop();
    await wait(LAST_ACCEPT_MS);
    const books = await readBooks(this.#installation, this.diary, startedAt);
    this.#noteRedelivery(bornAt, before);
    if (hasEnded(service)) this.diary.faults.push(`the service ended by itself: ${service.err().trim()}`);
    service.kill('SIGTERM');
    const ended = await service.ended;
    if (ended !== 0) this.diary.faults.push(`the stop ended with ${ended}: ${service.err().trim()}`);
    await endProgram(service);
    return books;
  }
}
