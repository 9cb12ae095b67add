import type { AuditTable } from '../../db/tables/audit.ts';
import type { Deps } from '../../deps.ts';
import { COMMAND_LINE } from '../../kernel/actor.ts';
import { merchantNames } from '../merchants/store.ts';
import { listMembers } from '../people/member-store.ts';
import { boundedCount, COUNTED_MAX, pageOf } from '../rpc.ts';
import {
  type AuditFilter,
  countAudit,
  countOwnAudit,
  type OwnAuditFilter,
  operatorsAmong,
  selectAudit,
  selectOwnAudit,
} from './store.ts';

interface AuditPage {
  limit: number;
  cursor?: string | null | undefined;
}

/** A page of the audit log, newest first. */
export async function listAudit(deps: Pick<Deps, 'db'>, filter: AuditFilter, { limit, cursor }: AuditPage) {
  const span = { before: cursor ?? null, limit: limit + 1 };
  return await viewPage(deps, await selectAudit(deps.db.read, filter, span), limit);
}

/** What a merchant reads instead of a person of the platform. */
const PLATFORM = { actor: 'platform', userId: null, address: null };

/**
 * A page of a merchant's own entries, newest first. Hides which operator acted, and the addresses of people outside
 * the team.
 */
export async function listOwnAudit(
  deps: Pick<Deps, 'db'>,
  filter: OwnAuditFilter,
  { limit, cursor }: AuditPage,
) {
  const db = deps.db.read;
  const span = { before: cursor ?? null, limit: limit + 1 };
  const { rows, nextCursor } = await viewPage(deps, await selectOwnAudit(db, filter, span), limit);
  const team = new Set((await listMembers(db, filter.merchantId)).map(({ userId }) => userId));
  const userIds = rows.flatMap((row) => row.userId ?? []);
  const operators = await operatorsAmong(db, userIds);
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

/** How many entries the log shows. With `more` there are others, which were not counted. */
export async function countEntries(deps: Pick<Deps, 'db'>, filter: AuditFilter) {
  return boundedCount(await countAudit(deps.db.read, filter, COUNTED_MAX + 1));
}

/** How many entries the log of a merchant shows. */
export async function countOwnEntries(deps: Pick<Deps, 'db'>, filter: OwnAuditFilter) {
  return boundedCount(await countOwnAudit(deps.db.read, filter, COUNTED_MAX + 1));
}

async function viewPage(deps: Pick<Deps, 'db'>, found: readonly AuditTable[], limit: number) {
  const { page, nextCursor } = pageOf(found, limit, (row) => row.id);
  const merchantIds = page.flatMap((row) => row.merchant_id ?? []);
  const names = await merchantNames(deps.db.read, merchantIds);
  const rows = page.map((row) => ({
    id: row.id,
    at: row.at,
    /** An e-mail, `command line` or `service`. */
    actor: row.actor,
    userId: row.user_id,
    address: row.address,
    merchantId: row.merchant_id,
    merchantName: row.merchant_id === null ? null : (names.get(row.merchant_id) ?? null),
    action: row.action,
    target: row.target,
    details: row.details === null ? {} : (JSON.parse(row.details) as Record<string, unknown>),
  }));
  return { rows, nextCursor };
}
