import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { type Outcome, type Recorded, recordOutcomes } from './record.ts';

/** What one unit writes at most. */
const BATCH_MAX = 256;
/** Before outcomes that the database refused are written again. */
const AGAIN_MS = 500;
/** How long an outcome that the database refuses is kept; the heartbeat keeps its claim meanwhile. */
const KEPT_MS = 300_000;

/**
 * Writes outcomes, those that end together in one unit. What the database refuses is written again for some
 * minutes; then it is given up, and the delivery falls due when its lease is over. Bounded by the attempts in flight, whose
 * slots stay taken.
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

  add(outcome: Outcome): void {
    this.#waiting.push(outcome);
    this.#draining ??= this.#drain();
  }

  /** Resolves when everything added so far has been written or refused. */
  async settled(): Promise<void> {
    while (this.#draining) await this.#draining;
  }

  async #drain(): Promise<void> {
    while (this.#waiting.length > 0) await this.#record(this.#waiting.splice(0, BATCH_MAX));
    this.#draining = null;
    if (this.#refused.length > 0) this.#deps.clock.after(AGAIN_MS, () => this.#tryAgain());
  }

  #tryAgain(): void {
    this.#waiting.push(...this.#refused.splice(0));
    if (this.#waiting.length > 0) this.#draining ??= this.#drain();
  }

  async #record(batch: readonly Outcome[]): Promise<void> {
    try {
      this.#onRecorded(batch, await recordOutcomes(this.#deps, batch));
    } catch (error) {
      if (batch.length > 1) {
        // Each for itself, in one shared commit: what fails does not take the others along.
        await Promise.all(batch.map((outcome) => this.#record([outcome])));
        return;
      }
      this.#deps.log.error(
        { detail: errorText(error) },
        'the outcome of a delivery attempt could not be written',
      );
      for (const outcome of batch) {
        if (this.#deps.clock.now() < outcome.result.endedAt + KEPT_MS) this.#refused.push(outcome);
        else this.#onRecorded([outcome], null);
      }
    }
  }
}
