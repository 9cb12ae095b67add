import { readFileSync } from 'node:fs';
import { cpus } from 'node:os';
import { systemNow } from './system-now.ts';

/** How often it is asked: about as often as the system's counter, of hundredths of a second, moves. */
const LOOK_MS = 20;
const TICK_MS = 10;
const PROCESSORS = cpus().length;
/** For how long after a burst what waited meanwhile is still late, and before it what was sent may not have its answer yet. */
const AROUND_MS = 100;
/** A turn of which more than this was taken is taken again. */
const CALM_SHARE = 0.02;
/** Below this share of what was measured, nothing is left out: then the host is never calm, and leaving out would be choosing. */
const KEPT_MIN = 0.5;

/** When something began and ended, in milliseconds of the system's time (`systemNow`). */
export interface Span {
  readonly from: number;
  readonly until: number;
}

/** Time that the host of a virtual machine gave to others while this one had work, so far, in milliseconds; 0 where it does not say. */
function stolenMs(): number {
  try {
    // The first line is of all processors: cpu user nice system idle iowait irq softirq steal …
    const [line = ''] = readFileSync('/proc/stat', 'latin1').split('\n', 1);
    return Number(line.split(/\s+/)[8] ?? 0) * TICK_MS || 0;
  } catch {
    return 0;
  }
}

/**
 * Knows when the host took processor time away. A few hundredths of a second that a neighbour was given decide a 99th percentile,
 * and say little about what was measured. What is left out is told by when it began alone, so that a long time is as likely to be kept as a
 * short one; all peers are treated alike.
 */
export class Host {
  readonly #stolen: () => number;
  readonly #now: () => number;
  /** In order, none touching the next; each from when what began met it until nothing is late of it any more. */
  readonly #bursts: { from: number; until: number }[] = [];
  readonly #began: { at: number; stolen: number };
  #last: { at: number; stolen: number };
  #measured = 0;
  #leftOut = 0;
  #keptWhole = 0;
  #takenAgain = 0;
  #stillDisturbed = 0;

  /** `stolen` tells the time taken so far in milliseconds, `now` the time; both have their real source. */
  constructor(stolen: () => number = stolenMs, now: () => number = systemNow) {
    this.#stolen = stolen;
    this.#now = now;
    this.#began = { at: now(), stolen: stolen() };
    this.#last = this.#began;
  }

  /** Looks from now on; keeps no process alive. */
  watch(): this {
    setInterval(() => this.look(), LOOK_MS).unref();
    return this;
  }

  /** Notes what was taken since it looked last. */
  look(): void {
    const [before, at, stolen] = [this.#last, this.#now(), this.#stolen()];
    this.#last = { at, stolen };
    if (stolen <= before.stolen) return;
    const latest = this.#bursts.at(-1);
    const from = before.at - AROUND_MS;
    if (latest !== undefined && latest.until >= from) latest.until = at + AROUND_MS;
    else this.#bursts.push({ from, until: at + AROUND_MS });
  }

  /** How long these took, in milliseconds, sorted, without those that began beside a burst; all, when most of them did. */
  durations(spans: readonly Span[]): Float64Array {
    this.look();
    const calm = spans.filter(({ from }) => !this.#inBurst(from));
    const whole = calm.length < spans.length * KEPT_MIN;
    const kept = whole ? spans : calm;
    if (whole) this.#keptWhole++;
    this.#measured += spans.length;
    this.#leftOut += spans.length - kept.length;
    return Float64Array.from(kept, ({ from, until }) => until - from).sort();
  }

  /** Resolves to what `take` does, which is called again, at most `againMax` times, until little was taken meanwhile; or to its calmest. */
  async calmest<T>(take: () => Promise<T>, againMax: number): Promise<T> {
    for (let again = 0, best: { taken: T; share: number } | null = null; ; again++) {
      this.look();
      const before = this.#last;
      const taken = await take();
      this.look();
      const time = (this.#last.at - before.at) * PROCESSORS;
      const share = (this.#last.stolen - before.stolen) / time;
      if (best === null || share < best.share) best = { taken, share };
      if (best.share <= CALM_SHARE) return best.taken;
      if (again === againMax) {
        this.#stillDisturbed++;
        return best.taken;
      }
      this.#takenAgain++;
    }
  }

  /** For the page of results: what the host took, and what became of it. */
  summary(): string {
    this.look();
    const time = (this.#last.at - this.#began.at) * PROCESSORS;
    const share = percent(this.#last.stolen - this.#began.stolen, time);
    const leftOut = percent(this.#leftOut, this.#measured);
    return `the host: gave ${share} of the processors' time to others; ${leftOut} of the times measured one by one began beside that and were left out (${this.#keptWhole} series kept whole, because most of it began so), ${this.#takenAgain} turns were taken again, ${this.#stillDisturbed} stayed disturbed`;
  }

  /** Not of a time that is missing, which is no number: that must be noticed. */
  #inBurst(at: number): boolean {
    // The first burst that is not over then.
    let [low, high] = [0, this.#bursts.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#bursts[middle]?.until ?? 0) < at) low = middle + 1;
      else high = middle;
    }
    const burst = this.#bursts[low];
    return burst !== undefined && burst.from <= at;
  }
}

/** Of the machine that the run is on; `watch` it first. */
export const host = new Host();

function percent(part: number, whole: number): string {
  return `${whole === 0 ? 0 : Math.round((part / whole) * 1000) / 10} %`;
}
