import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { type Outcome, type Recorded, recordOutcomes } from './record.ts';

/** What one unit writes at most. */
const BATCH_MAX = 256;
/** How long a claim waits at most for outcomes that keep arriving: about as long as a commit takes. */
const GATHER_MS_MAX = 2;
/** After so many turns of the event loop without another outcome it waits no longer. */
const QUIET_TURNS = 4;
/** Before outcomes that the database refused are written again. */
const AGAIN_MS = 500;
/** How long an outcome that the database refuses is kept; the heartbeat keeps its claim meanwhile. */
const KEPT_MS = 300_000;

/**
 * Writes outcomes, those that have ended by the time the unit begins in one: to take them when it is queued made two units of
 * what had come in one turn, the first of them with a single outcome. What the database refuses is written again for
 * some minutes; then it is given up, and the delivery falls due when its lease is over. Whoever adds bounds what is held.
 */
export class Recorder {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #onRecorded: (batch: readonly Outcome[], recorded: Recorded | null) => void;
  #waiting: Outcome[] = [];
  #refused: Outcome[] = [];
  #draining: Promise<void> | null = null;

  /** `onRecorded` is told each batch that is done with: with what became of it, or null when it was given up. */
  constructor(
    deps: Pick<Deps, 'db' | 'clock' | 'log'>,
    onRecorded: (batch: readonly Outcome[], recorded: Recorded | null) => void,
  ) {
    this.#deps = deps;
    this.#onRecorded = onRecorded;
  }

  /** Outcomes that are neither written nor being written. */
  get held(): number {
    return this.#waiting.length + this.#refused.length;
  }

  /** Keeps an outcome until `write`. */
  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
  }

  /**
   * Resolves when some turns of the event loop brought no further outcome; at once where none waits. Whoever claims waits for
   * it: without, 32 attempts that ended together were claimed anew in two parts, 18 and 14, with a commit each. One quiet turn
   * gave 7,100 deliveries/s, two 9,500, four 9,500 and eight 10,100.
   */
  async gathered(): Promise<void> {
    const end = performance.now() + GATHER_MS_MAX;
    let quietTurns = this.#waiting.length === 0 ? QUIET_TURNS : 0;
    while (quietTurns < QUIET_TURNS && performance.now() < end) {
      const before = this.#waiting.length;
      await new Promise((resolve) => setImmediate(resolve));
      quietTurns = this.#waiting.length > before ? 0 : quietTurns + 1;
    }
  }

  /** Queues the unit that writes what was added by its beginning. */
  write(): void {
    if (this.#waiting.length > 0) this.#draining ??= this.#drain();
  }

  /** Resolves when everything added so far has been written or refused. */
  async settled(): Promise<void> {
    this.write();
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#recordWaiting();
    this.#draining = null;
    if (this.#refused.length > 0) this.#deps.clock.after(AGAIN_MS, () => this.#tryAgain());
  }

  #tryAgain(): void {
    this.#waiting.push(...this.#refused.splice(0));
    this.write();
  }

  async #recordWaiting(): Promise<void> {
    let taken: Outcome[] | null = null;
    const take = () => {
      taken ??= this.#waiting.splice(0, BATCH_MAX);
      return taken;
    };
    let recorded: Recorded;
    try {
      recorded = await recordOutcomes(this.#deps, take);
    } catch {
      // Each for itself, in one shared commit: what fails does not take the others along.
      await Promise.all(take().map((outcome) => this.#recordAlone(outcome)));
      return;
    }
    this.#onRecorded(take(), recorded);
  }

  async #recordAlone(outcome: Outcome): Promise<void> {
    try {
      this.#onRecorded([outcome], await recordOutcomes(this.#deps, () => [outcome]));
    } catch (error) {
      this.#deps.log.error(
        { detail: errorText(error) },
        'the outcome of a delivery attempt could not be written',
      );
      if (this.#deps.clock.now() < outcome.result.endedAt + KEPT_MS) this.#refused.push(outcome);
      else this.#onRecorded([outcome], null);
    }
  }
}
