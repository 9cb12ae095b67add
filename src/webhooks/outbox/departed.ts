import type { Attendance, Neighbours } from '../../db/neighbours.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { LEASE_MS } from './claim.ts';
import { claimMarks, releaseMarked } from './departed-store.ts';

const LOOK_MS = 1500;

/**
 * Takes up what a process that died had claimed, before its lease is over. Whoever is missing in two looks, one after the
 * other, is gone; a living process whose connection broke is back within that time. Should it not be, its deliveries go
 * out once more than needed, as after a crash, and are counted as such.
 */
export class Departed {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #neighbours: Neighbours;
  readonly #wake: () => void;
  #missing = new Set<string>();
  #cancelTimer: (() => void) | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>, neighbours: Neighbours, wake: () => void) {
    this.#deps = deps;
    this.#neighbours = neighbours;
    this.#wake = wake;
  }

  start(): void {
    this.#cancelTimer = this.#deps.clock.after(LOOK_MS, () => {
      this.#looking = this.#look().then(() => {
        if (this.#cancelTimer) this.start();
      });
    });
  }

  async stop(): Promise<void> {
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#looking;
  }

  /** The first look of a start: who is missing has no second chance, since it may be ourselves before a restart. */
  async release(attendance: Attendance): Promise<number> {
    await attendance.ready;
    return await this.#release(await this.#absent());
  }

  /** Never rejects. */
  async #look(): Promise<void> {
    try {
      const absent = await this.#absent();
      const gone = absent.filter((mark) => this.#missing.has(mark));
      this.#missing = new Set(absent);
      if ((await this.#release(gone)) > 0) this.#wake();
    } catch (error) {
      this.#deps.log.error(
        { detail: errorText(error) },
        'claims of departed processes could not be looked for',
      );
    }
  }

  async #absent(): Promise<string[]> {
    const now = this.#deps.clock.now();
    const marks = await claimMarks(this.#deps.db.read, now, now + LEASE_MS);
    return marks.length === 0 ? [] : await this.#neighbours.departed(marks);
  }

  async #release(marks: readonly string[]): Promise<number> {
    if (marks.length === 0) return 0;
    const { db, clock, log } = this.#deps;
    const released = await db.unit((tx) => releaseMarked(tx, marks, clock.now()));
    if (released > 0) log.warn({ cut: released }, 'deliveries of a process that is gone go out again');
    return released;
  }
}
