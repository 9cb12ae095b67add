import type { Id } from '../../kernel/ids.ts';

/** The last number given to an event of a merchant. A table of its own, so that payments never wait for its rows. */
export interface EventCounterTable {
  merchant_id: Id<'mer'>;
  last_sequence: number;
}

/** One run of recovery: the missed events of a merchant since a moment, queued again. Instants in UTC milliseconds. */
export interface RecoveryTable {
  id: Id<'rcv'>;
  merchant_id: Id<'mer'>;
  since_at: number;
  /** 1 when only the latest event of each transaction was asked for. */
  latest: 0 | 1;
  created_at: number;
  /** When everything was queued; null while it runs, or when it was interrupted. */
  queued_at: number | null;
}
