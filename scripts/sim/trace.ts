import { createHash, type Hash } from 'node:crypto';

/** Every step of a run, in order. Two runs of one seed have the same lines, and so the same hash. */
export class Trace {
  readonly lines: string[] = [];
  readonly #hash: Hash = createHash('sha256');

  add(at: number, what: string, detail = ''): void {
    const line = `${new Date(at).toISOString()} ${what}${detail === '' ? '' : ` ${detail}`}`;
    this.#hash.update(line).update('\n');
    this.lines.push(line);
  }

  /** The hash of everything so far. */
  digest(): string {
    return this.#hash.copy().digest('hex').slice(0, 16);
  }
}
