import type { Id } from '../../kernel/ids.ts';

/** The last event number of a merchant; a separate table, so that payments never wait for its rows. */
export interface EventCounterTable {
  merchant_id: Id<'mer'>;
  last_sequence: number;
}

/** One recovery: the missed events of a merchant since an instant, queued again. Instants in UTC milliseconds. */
export interface RecoveryTable {
  id: Id<'rcv'>;
  merchant_id: Id<'mer'>;
  since_at: number;
  /** 1 when only the latest event of each transaction is sent. */
  latest: 0 | 1;
  created_at: number;
  /** When all events were queued; null while it runs or after an interruption. */
  queued_at: number | null;
}
