import type { Queryable } from '../../db/database.ts';
import type { Deps } from '../../deps.ts';
import { COMMAND_LINE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { merchantsById } from '../merchants/store.ts';
import { listMembers } from '../people/member-store.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { type AuditFilter, operatorsAmong, selectAudit } from './store.ts';

/** A page of the audit log, newest first; as its owners see it when `filter` names a merchant in `readableBy`. */
export async function listAudit(deps: Pick<Deps, 'db'>, filter: AuditFilter, { limit, cursor }: PageInput) {
  const found = await selectAudit(deps.db.read, filter, cursor ?? null, limit + 1);
  const { page, nextCursor } = pageOf(found, limit, (row) => row.id);
  const merchantIds = page.flatMap((row) => row.merchantId ?? []);
  const merchants = await merchantsById(deps.db.read, merchantIds);
  const rows = page.map((row) => ({
    ...row,
    merchantName: row.merchantId === null ? null : (merchants.get(row.merchantId)?.name ?? null),
    details: row.details === null ? {} : (JSON.parse(row.details) as Record<string, unknown>),
  }));
  const { readableBy } = filter;
  return {
    rows: readableBy === undefined ? rows : await asOwnersSee(deps.db.read, rows, readableBy),
    nextCursor,
  };
}

/** Shown to merchants instead of a user of the platform. */
const PLATFORM = { actor: 'platform', userId: null, address: null };

interface Entry {
  action: string;
  actor: string;
  userId: Id<'usr'> | null;
  details: Record<string, unknown>;
}

/** Hides which operator acted, and the addresses of people outside the team. */
async function asOwnersSee<Row extends Entry>(db: Queryable, rows: readonly Row[], merchantId: Id<'mer'>) {
  const team = new Set((await listMembers(db, merchantId)).map(({ userId }) => userId));
  const userIds = rows.flatMap((row) => row.userId ?? []);
  const operators = await operatorsAmong(db, userIds);
  return rows.map(withoutFindings).map((row) => {
    const { userId } = row;
    if (userId === null) return row.actor === COMMAND_LINE.name ? { ...row, ...PLATFORM } : row;
    if (operators.has(userId)) return { ...row, ...PLATFORM };
    return team.has(userId) ? row : { ...row, address: null };
  });
}

/** An operator's finding that a refund failed may hold technical details, which merchants do not see with the refund either. */
function withoutFindings<Row extends Entry>(row: Row): Row {
  if (row.action !== 'refund.settled' || row.details.outcome !== 'failed') return row;
  const { note: _, ...details } = row.details;
  return { ...row, details };
}
