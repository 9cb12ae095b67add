import type { Selectable } from 'kysely';
import type { Queryable } from '../../db/database.ts';
import type { RecoveryTable } from '../../db/tables/events.ts';
import { isoInstant } from '../../kernel/clock.ts';
import type { Id } from '../../kernel/ids.ts';
import { countRecovered } from './store.ts';

/** One run of recovery and how far it has drained: `queued` is the sum of the four that follow it. */
export interface RecoveryView {
  recoveryId: Id<'rcv'>;
  since: string;
  latest: boolean;
  startedAt: string;
  /** False while it queues, and for good when it was interrupted: then it is to be run again. */
  complete: boolean;
  queued: number;
  due: number;
  delivered: number;
  undelivered: number;
  skipped: number;
}

/** The run with what became of its deliveries so far. */
export async function recoveryView(db: Queryable, run: Selectable<RecoveryTable>): Promise<RecoveryView> {
  const states = { due: 0, delivered: 0, undelivered: 0, skipped: 0 };
  for (const { state, count } of await countRecovered(db, run.id)) states[state] = count;
  return {
    recoveryId: run.id,
    since: isoInstant(Number(run.since_at)),
    latest: run.latest === 1,
    startedAt: isoInstant(Number(run.created_at)),
    complete: run.queued_at !== null,
    queued: Object.values(states).reduce((sum, count) => sum + count, 0),
    ...states,
  };
}
