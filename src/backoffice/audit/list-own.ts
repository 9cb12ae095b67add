import type { Deps } from '../../deps.ts';
import { COMMAND_LINE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { listMembers } from '../people/member-store.ts';
import { type AuditPage, type AuditRow, pageOf } from './list.ts';
import { type AuditFilter, operatorsAmong, selectKnownAudit } from './store.ts';

/** What a merchant reads in the place of any of the platform's people. */
const PLATFORM = { actor: 'platform', userId: null, address: null };

/**
 * A page of a merchant's own lines, newest first, as far as it may know of them. Where its team was is told; of the
 * platform's people neither who nor where.
 */
export async function listOwnAudit(
  deps: Pick<Deps, 'db'>,
  filter: AuditFilter & { merchantId: Id<'mer'> },
  page: AuditPage,
): Promise<{ rows: AuditRow[]; nextCursor: string | null }> {
  const db = deps.db.read;
  const { rows, nextCursor } = await pageOf(deps, page, (span) => selectKnownAudit(db, filter, span));
  const team = new Set((await listMembers(db, filter.merchantId)).map(({ userId }) => userId));
  const operators = await operatorsAmong(
    db,
    rows.flatMap((row) => row.userId ?? []),
  );
  return {
    rows: rows.map((row) => {
      const { userId } = row;
      if (userId === null) return row.actor === COMMAND_LINE.name ? { ...row, ...PLATFORM } : row;
      if (operators.has(userId)) return { ...row, ...PLATFORM };
      return team.has(userId) ? row : { ...row, address: null };
    }),
    nextCursor,
  };
}
