export type Row = Ratio | Figure;

/** The limit that a ratio must meet, and its target. */
export interface Threshold {
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly target: number;
}

/** One comparison: the median over the rounds and the extremes. */
export interface Ratio extends Threshold {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
}

/** An absolute value, valid for this machine only. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
  readonly details?: string;
}

/** A merchant that sends orders. */
export interface Shop {
  /** The Authorization header's value. */
  readonly authorization: string;
  readonly domain: string;
}

/** The requests sent to one server. */
export interface Workload {
  /** Returns the bytes of the next HTTP request. */
  nextRequest(): string;
  /** Checks the body of a 200 answer; throws when it is wrong. */
  accept(body: string): void;
  /** Runs after the server was stopped; throws when an answered write is not stored. */
  verify?(): Promise<void>;
}
