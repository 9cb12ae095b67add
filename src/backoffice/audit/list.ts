import type { Deps } from '../../deps.ts';
import { COMMAND_LINE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { merchantsById } from '../merchants/store.ts';
import { listMembers } from '../people/member-store.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { type AuditFilter, operatorsAmong, selectAudit } from './store.ts';

/** A page of the audit log, newest first. */
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
  return { rows, nextCursor };
}

/** Shown to merchants instead of a user of the platform. */
const PLATFORM = { actor: 'platform', userId: null, address: null };

/**
 * A page of a merchant's own entries, newest first. Hides which operator acted, and the addresses of people outside
 * the team.
 */
export async function listOwnAudit(
  deps: Pick<Deps, 'db'>,
  filter: AuditFilter & { readableBy: Id<'mer'> },
  page: PageInput,
) {
  const db = deps.db.read;
  const { rows, nextCursor } = await listAudit(deps, filter, page);
  const team = new Set((await listMembers(db, filter.readableBy)).map(({ userId }) => userId));
  const userIds = rows.flatMap((row) => row.userId ?? []);
  const operators = await operatorsAmong(db, userIds);
  return {
    rows: rows.map(withoutFindings).map((row) => {
      const { userId } = row;
      if (userId === null) return row.actor === COMMAND_LINE.name ? { ...row, ...PLATFORM } : row;
      if (operators.has(userId)) return { ...row, ...PLATFORM };
      return team.has(userId) ? row : { ...row, address: null };
    }),
    nextCursor,
  };
}

/** An operator's finding that a refund failed may hold technical details, which merchants do not see with the refund either. */
function withoutFindings<Row extends { action: string; details: Record<string, unknown> }>(row: Row): Row {
  if (row.action !== 'refund.settled' || row.details.outcome !== 'failed') return row;
  const { note: _, ...details } = row.details;
  return { ...row, details };
}
