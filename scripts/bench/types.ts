import type { Options } from './options.ts';

/** One measurement, chosen by `--scenarios NAME`. */
export interface Scenario {
  readonly name: string;
  /** Measures in an empty folder. Throws when an answer is wrong or lost. */
  run(folder: string, options: Options): Promise<ScenarioResult>;
}

export interface ScenarioResult {
  /** A table of the peers. */
  readonly text?: string;
  readonly ratios: readonly Ratio[];
  readonly figures: readonly Figure[];
}

/** The limit that a ratio must meet, and its target. */
export interface Threshold {
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly target: number;
}

/** One comparison: the median over the rounds and the extremes. */
export interface Ratio {
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  readonly threshold: Threshold;
}

/** An absolute value, valid for this machine only. */
export interface Figure {
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** A server under load. */
export interface RunningPeer {
  readonly name: string;
  /** One for each process; the connections are distributed over them. */
  readonly ports: readonly number[];
  /** The Authorization header's value. */
  readonly authorization: string;
  readonly pids: readonly number[];
  /** Kills its processes. */
  stop(): Promise<void>;
  /** Returns the ids of all stored transactions. */
  storedIds(): Promise<Set<string>>;
  /** Creates merchants. */
  createShops(count: number): Promise<Shop[]>;
}

/** A merchant that sends orders. */
export interface Shop {
  /** The Authorization header's value. */
  readonly authorization: string;
  readonly domain: string;
}

export interface Peer {
  readonly name: string;
  readonly description: string;
  /** Starts the server with an empty database. `folder` is new and empty. */
  start(folder: string, options: Options): Promise<RunningPeer>;
}

/** The requests sent to one peer. */
export interface Workload {
  /** Returns the bytes of the next HTTP request. */
  nextRequest(): string;
  /** Checks the body of a 200 answer; throws when it is wrong. */
  accept(body: string): void;
  /** Runs after the peer was stopped; throws when an answered write is not stored. */
  verify?(): Promise<void>;
}
