import type { Deps } from '../../deps.ts';
import type { Transport } from '../transport/transport.ts';
import type { Claimed } from './claim.ts';
import { type AttemptResult, failedUnsent } from './deliver.ts';
import { Pacer } from './pacer.ts';
import { createSecretReader } from './secrets.ts';
import { endedWithin, sendClaimed } from './send.ts';
import { hung } from './slots.ts';

/** Between two beginnings of attempts at endpoints that hung the last time: all that may be in flight begin within a quarter of a second. */
const SLOW_GAP_MS = 25;
/**
 * Between two that hung and are given back: a slot, a commit and a look at the queues each, half a millisecond. What began together ends
 * together: a hundred held up a healthy merchant's deliveries for 25 ms.
 */
const HUNG_GAP_MS = 4;

/** Hears how an attempt ended; null when this process cut it, which says nothing about the endpoint. */
export type AttemptEnded = (attempt: Claimed, result: AttemptResult | null) => void;

/** The attempts that run. Bounded by the slots, not here. */
export class InFlight {
  readonly #deps: Pick<Deps, 'clock' | 'box'>;
  readonly #ended: AttemptEnded;
  readonly #readSecret: ReturnType<typeof createSecretReader>;
  readonly #beginnings: Pacer;
  readonly #endings: Pacer;
  #transport: Transport | null = null;
  readonly #running = new Set<Promise<void>>();
  #stopping = false;
  #cutting = false;

  constructor(deps: Pick<Deps, 'clock' | 'box'>, ended: AttemptEnded) {
    this.#deps = deps;
    this.#ended = ended;
    this.#readSecret = createSecretReader(deps);
    this.#beginnings = new Pacer(deps.clock, SLOW_GAP_MS);
    this.#endings = new Pacer(deps.clock, HUNG_GAP_MS);
  }

  /** Attempts that begin from now on are sent by this transport. */
  open(transport: Transport): void {
    this.#transport = transport;
    this.#stopping = false;
    this.#cutting = false;
  }

  /** Sends a claimed attempt, at once or, `paced`, in its turn. Never throws. */
  begin(attempt: Claimed, paced: boolean): void {
    const running = this.#make(attempt, paced).then(async (result) => {
      const cut = this.#cutting && result.error !== null;
      const hanging = hung(result.durationMs, result.error === null);
      if (hanging && !this.#stopping) await this.#endings.turn();
      this.#running.delete(running);
      this.#ended(attempt, cut ? null : result);
    });
    this.#running.add(running);
  }

  /** Lets what runs end within `graceMs`, then closes the connections under the rest. Resolves when all was heard. */
  async stop(graceMs: number): Promise<void> {
    this.#stopping = true;
    this.#endings.release();
    await endedWithin(this.#deps.clock, this.#running, graceMs);
    this.#cutting = true;
    await this.#transport?.destroy();
    this.#beginnings.release();
    await Promise.all(this.#running);
  }

  async #make(attempt: Claimed, paced: boolean): Promise<AttemptResult> {
    if (paced) await this.#beginnings.turn();
    const { clock } = this.#deps;
    const transport = this.#transport;
    if (this.#cutting || transport === null) return failedUnsent(clock.now(), 'the service stopped');
    return await sendClaimed({ clock, transport, readSecret: this.#readSecret }, attempt);
  }
}
