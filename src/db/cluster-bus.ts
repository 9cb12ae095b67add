/** What a process publishes to the others: deliveries are due, the bank workers have work, or mail is due. */
export type Topic = 'deliveries' | 'bank' | 'mail';

/** The visible sign that a process is running. */
export interface Presence {
  /** The seven-character prefix of the process's claims; null while other processes cannot see it. */
  readonly instanceId: string | null;
  /** Resolves after the first attempt to become visible; failed attempts are repeated. */
  readonly ready: Promise<void>;
  leave(): Promise<void>;
}

/**
 * Connects the processes that share one database. It only reduces latency: polling covers a lost message, and the claims of an
 * invisible process end with their leases.
 */
export interface ClusterBus {
  join(): Presence;
  /** Calls `wake` when another process publishes `topic`. Returns the function that unsubscribes. */
  subscribe(topic: Topic, wake: () => void): () => void;
  /** Publishes `topic` to all other processes. Calls within a few milliseconds become one message. */
  publish(topic: Topic): void;
  running(): Promise<ReadonlySet<string>>;
}
