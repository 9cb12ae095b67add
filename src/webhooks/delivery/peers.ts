import type { Attendance, Neighbours } from '../../db/cluster-bus.ts';
import type { Deps } from '../../deps.ts';
import { errorText } from '../../kernel/errors.ts';
import { LEASE_MS } from './claim.ts';
import { claimMarks, releaseClaims } from './release-store.ts';

const LOOK_MS = 1500;

/**
 * The other processes that send. They hear each other, and what one that died had claimed is taken up before its lease is
 * over. Whoever is missing in two looks, one after the
 * other, is gone; a living process whose connection broke is back within that time. Should it not be, its deliveries go
 * out once more than needed, as after a crash, and are counted as such.
 */
export class Peers {
  readonly #deps: Pick<Deps, 'db' | 'clock' | 'log'>;
  readonly #neighbours: Neighbours;
  readonly #wake: () => void;
  #missing = new Set<string>();
  #attendance: Attendance | null = null;
  #unhear: (() => void) | null = null;
  #cancelTimer: (() => void) | null = null;
  #looking: Promise<void> = Promise.resolve();

  constructor(deps: Pick<Deps, 'db' | 'clock' | 'log'>, neighbours: Neighbours, wake: () => void) {
    this.#deps = deps;
    this.#neighbours = neighbours;
    this.#wake = wake;
  }

  /** What claims begin with, for the others to see whether their claimer lives; null while they cannot. */
  get mark(): string | null {
    return this.#attendance?.mark ?? null;
  }

  start(): void {
    this.#attendance = this.#neighbours.attend();
    this.#unhear = this.#neighbours.hear('deliveries', this.#wake);
    this.#setTimer();
  }

  #setTimer(): void {
    this.#cancelTimer = this.#deps.clock.after(LOOK_MS, () => {
      this.#looking = this.#look().then(() => {
        if (this.#cancelTimer) this.#setTimer();
      });
    });
  }

  /** Looks no more; claims that are held stay ours until `leave`. */
  async stop(): Promise<void> {
    this.#unhear?.();
    this.#cancelTimer?.();
    this.#cancelTimer = null;
    await this.#looking;
  }

  async leave(): Promise<void> {
    await this.#attendance?.leave();
    this.#attendance = null;
  }

  /** The first look of a start: who is missing has no second chance, since it may be ourselves before a restart. */
  async recover(): Promise<void> {
    await this.#attendance?.ready;
    await this.#release(await this.#absent());
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
    const released = await db.unit((tx) => releaseClaims(tx, clock.now(), marks));
    if (released > 0) log.warn({ cut: released }, 'deliveries of a process that is gone go out again');
    return released;
  }
}
