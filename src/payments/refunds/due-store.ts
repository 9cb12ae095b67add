import type { Queryable } from '../../db/database.ts';
import type { RefundState } from '../../db/tables/refunds.ts';
import type { Id } from '../../kernel/ids.ts';
import type { RefundRow } from './store.ts';

/** Refunds that wait to be sent, oldest first, without those of the accounts `except`. */
export async function requestedRefunds(
  db: Queryable,
  limit: number,
  except: readonly Id<'acc'>[],
): Promise<RefundRow[]> {
  return inState(db, 'requested', limit)
    .$if(except.length > 0, (query) => query.where('account_id', 'not in', except))
    .execute();
}

/** Refunds whose call has no outcome yet. */
export async function sentRefunds(db: Queryable, limit: number): Promise<RefundRow[]> {
  return inState(db, 'sent', limit).execute();
}

/** Accepted refunds whose check is due, or was planned beyond `latest` before the clock was set back. */
export async function dueAccepted(
  db: Queryable,
  now: number,
  latest: number,
  limit: number,
): Promise<RefundRow[]> {
  return inState(db, 'accepted', limit)
    .where((eb) =>
      eb.or([eb('check_at', 'is', null), eb('check_at', '<=', now), eb('check_at', '>', latest)]),
    )
    .execute();
}

function inState(db: Queryable, state: RefundState, limit: number) {
  return db.selectFrom('refunds').selectAll().where('state', '=', state).orderBy('id').limit(limit);
}
