import { setTimeout as wait } from 'node:timers/promises';
import { type Program, ready } from '../../test/support/program.ts';
import { Prng } from '../sim/prng.ts';
import { type CallLog, emptyCallLog, type Shop } from './call-log.ts';
import { type Endpoint, openEndpoint } from './endpoint.ts';
import { type FinalState, readFinalState } from './final-state.ts';
import { GRACE_MS, type Installation, install, noteEnded, stopProcess, WINDOW_MS } from './installation.ts';
import { judge, type Verdict } from './judge.ts';
import { startLoad } from './load.ts';

/** Every fourth round is killed during its start, the others under load. */
const IN_START_EVERY = 4;
const IN_START_MS = [50, 900] as const;
const UNDER_LOAD_MS = [50, 3000] as const;
/** The phone that accepts last does so five seconds after window and grace. */
export const LAST_ACCEPT_MS = WINDOW_MS + GRACE_MS + 5000 + 1000;

export interface CrashOptions {
  rounds: number;
  seed: number;
  /** Prints one line per round. */
  print(line: string): void;
}

export interface CrashReport {
  log: CallLog;
  state: FinalState;
  verdict: Verdict;
  arrivals: Endpoint['arrivals'];
  /** From the start of the process until it was ready. */
  readyMs: number[];
  seconds: number;
}

/** Kills the service `rounds` times at random moments, starts it once more, and judges the final state. */
export async function runCrash({ rounds, seed, print }: CrashOptions): Promise<CrashReport> {
  const startedAt = Date.now();
  const endpoint = await openEndpoint(new Prng(`${seed} endpoint`));
  let installation: Installation | null = null;
  try {
    installation = await install(endpoint);
    const shops = await createShops(installation, endpoint);
    const run = new CrashRun(installation, endpoint, shops, seed);
    for (let round = 1; round <= rounds; round++)
      print(`round ${round}/${rounds}  ${await run.round(round)}`);
    print('the last start; waiting until everything is settled');
    const state = await run.settle(startedAt);
    const verdict = judge(run.log, state, endpoint.arrivals);
    const { log, readyMs } = run;
    const seconds = (Date.now() - startedAt) / 1000;
    return { log, state, verdict, arrivals: endpoint.arrivals, readyMs, seconds };
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
  readonly log = emptyCallLog();
  readonly readyMs: number[] = [];
  readonly #installation: Installation;
  readonly #endpoint: Endpoint;
  readonly #shops: [Shop, Shop];
  readonly #seed: number;

  constructor(installation: Installation, endpoint: Endpoint, shops: [Shop, Shop], seed: number) {
    this.#installation = installation;
    this.#endpoint = endpoint;
    this.#shops = shops;
    this.#seed = seed;
  }

  /** Runs the service and kills it. Returns a summary of the round. */
  async round(round: number): Promise<string> {
    const moments = new Prng(`${this.#seed} moment ${round}`);
    const before = { inits: this.log.inits.size, arrivals: this.#endpoint.arrivals.length };
    const startedAt = Date.now();
    const service = this.#installation.start();
    const inStart = round % IN_START_EVERY === 0;
    const [minMs, maxMs] = inStart ? IN_START_MS : UNDER_LOAD_MS;
    const afterMs = moments.int(minMs, maxMs);
    if (inStart) await wait(afterMs);
    else {
      await this.#waitUntilReady(service, startedAt);
      const load = this.#load(round);
      await wait(afterMs);
      this.#kill(service);
      await load.stop();
    }
    this.#kill(service);
    await service.ended;
    return [
      `killed ${afterMs} ms ${inStart ? 'into its start' : 'into the load'}`,
      `acknowledged ${this.log.inits.size - before.inits}`,
      `webhooks ${this.#endpoint.arrivals.length - before.arrivals}`,
    ].join('  ');
  }

  /** Kills the service; records a fault when it had already ended. */
  #kill(service: Program): void {
    if (service.child.killed) return;
    noteEnded(service, this.log);
    service.kill('SIGKILL');
  }

  #load(round: number) {
    const { url, sandboxUrl } = this.#installation;
    return startLoad({ url, sandboxUrl, seed: this.#seed, round, shops: this.#shops, log: this.log });
  }

  async #waitUntilReady(service: Program, startedAt: number): Promise<void> {
    await ready(service, this.#installation.url);
    this.readyMs.push(Date.now() - startedAt);
  }

  /** Starts the service a last time, repeats unanswered calls and waits until everything is settled. */
  async settle(runStartedAt: number): Promise<FinalState> {
    const startedAt = Date.now();
    const service = this.#installation.start();
    await this.#waitUntilReady(service, startedAt);
    await this.#load(0).stop();
    await wait(LAST_ACCEPT_MS);
    const state = await readFinalState(this.#installation, this.log, runStartedAt);
    await stopProcess(service, this.log);
    return state;
  }
}
