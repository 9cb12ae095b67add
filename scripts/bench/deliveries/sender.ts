/** Somebody who sends deliveries to the sink. */
export interface Sender {
  readonly name: string;
  readonly about: string;
  /** The process whose time is counted. */
  readonly pid: number;
  /** What its deliveries are signed with. */
  readonly secret: string;
  /** Readies the next deliveries, numbered from the one after `after`. */
  fill(after: number, count: number): Promise<void>;
  /** Lets them go. */
  go(after: number, count: number): Promise<void>;
  /** Waits until its own books say that all `total` so far were delivered. Throws BenchError when they do not. */
  settled(total: number): Promise<void>;
  stop(): Promise<void>;
}
