import type { Options } from './options.ts';

/**
 * The words of a benchmark. A scenario is one kind of work; the peers do it, each in a process of its own, one after
 * the other in every round, so that whatever disturbs the machine disturbs them alike.
 */
export interface Peer {
  readonly name: string;
  /** What it is, for the table's legend. */
  readonly about: string;
  /** Whether it runs on packages of its own, which `peers/package.json` names. */
  readonly packaged?: boolean;
  /** Starts it with an empty database in `folder`. */
  start(folder: string, options: StartOptions): Promise<RunningPeer>;
}

export interface StartOptions {
  /** Where to leave a CPU profile of the server; null for none. */
  readonly profileFolder: string | null;
}

export interface RunningPeer {
  readonly name: string;
  readonly port: number;
  /** The Authorization header's value. */
  readonly authorization: string;
  /** The server process. */
  readonly pid: number;
  /** Ends the process without a warning (`kill -9`), unless it is being profiled. */
  stop(): Promise<void>;
  /** The ids of all stored transactions. */
  storedIds(): Set<string>;
}

/** Where a comparison passes and what is aimed at. */
export interface Bar {
  readonly better: 'higher' | 'lower';
  readonly floor: number;
  readonly target: number;
}

/** Ours beside another, as one number: the median of the rounds, and the extremes. */
export interface Ratio {
  readonly scenario: string;
  /** What is divided by what. */
  readonly name: string;
  readonly median: number;
  readonly min: number;
  readonly max: number;
  /** Null for a comparison that is only shown. */
  readonly bar: Bar | null;
}

/** A figure of this machine, which no other one need reach. */
export interface Figure {
  readonly scenario: string;
  readonly name: string;
  readonly value: number;
  readonly unit: string;
}

/** What a scenario found out. */
export interface Findings {
  /** The lines to print. */
  readonly text: string;
  readonly ratios: readonly Ratio[];
  readonly figures: readonly Figure[];
}

export interface Scenario {
  readonly name: string;
  readonly title: string;
  /** The bars of ours divided by another, by that peer's name. */
  readonly bars: Readonly<Record<string, Bar>>;
  /** Names of the peers that run, in order, when none are asked for. */
  readonly peers: readonly string[];
  /** The peer that the others are compared with. */
  readonly reference: string;
  prepare(peer: RunningPeer, options: Options): Promise<Job>;
}

/** One scenario's requests to one peer. */
export interface Job {
  /** The next request, as it goes over the wire. */
  nextRequest(): string;
  /** Looks at the body of a 200 answer; throws when it is not what the request asked for. */
  accept(body: string): void;
  /** After the last round, with the server gone: throws when something answered was not kept. */
  verify(): void;
}

/** A measurement that is no contest of peers under load: it runs by itself and tells its figures. */
export interface Experiment {
  readonly name: string;
  /** Whether it wants the packages of the peers; without them it leaves out what needs them. */
  readonly packaged?: boolean;
  /** Resolves to what it found, or to lines to print alone. */
  run(folder: string, options: Options): Promise<Findings | string>;
}

/** The benchmark itself failed: no figure of the run can be trusted. */
export class BenchError extends Error {
  override readonly name = 'BenchError';
}
