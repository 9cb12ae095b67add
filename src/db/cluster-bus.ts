/** What a process may tell the others: deliveries are due, or the bank desk has work. */
export type Topic = 'deliveries' | 'desk';

/** A process that shows that it lives. */
export interface Attendance {
  /** Seven characters that its claims begin with; null while the others cannot see whether it lives. */
  readonly mark: string | null;
  /** Resolves when it is seen, or when that was tried in vain; it is then tried again. */
  readonly ready: Promise<void>;
  leave(): Promise<void>;
}

/**
 * The other processes that use the same database. All of this only hastens: a message that is lost is made up for by
 * looking every half second, and a claim whose process cannot be seen ends with its lease.
 */
export interface Neighbours {
  attend(): Attendance;
  /** Calls `wake` when another process tells of `topic`, until the returned function is called. */
  hear(topic: Topic, wake: () => void): () => void;
  /** Tells all others. Cheap; calls that come together are one message. */
  tell(topic: Topic): void;
  /** Those of `marks` whose processes are gone. */
  departed(marks: readonly string[]): Promise<string[]>;
}
