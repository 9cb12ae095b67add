import type { AuditAction, AuditTable } from '../../db/tables/audit.ts';
import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { type AuditFilter, type AuditSpan, merchantNames, selectAudit } from './store.ts';

export interface AuditRow {
  id: Id<'aud'>;
  at: number;
  /** Who: an e-mail, `command line` or `service`; `platform` for the platform's people, where a merchant reads. */
  actor: string;
  userId: Id<'usr'> | null;
  /** From where; null from nowhere. */
  address: string | null;
  merchantId: Id<'mer'> | null;
  /** Its name now. */
  merchantName: string | null;
  action: AuditAction;
  target: string | null;
  details: Record<string, unknown>;
}

export interface AuditPage {
  limit: number;
  cursor?: string | null | undefined;
}

/** A page of the audit log, newest first. */
export async function listAudit(
  deps: Pick<Deps, 'db'>,
  filter: AuditFilter,
  page: AuditPage,
): Promise<{ rows: AuditRow[]; nextCursor: string | null }> {
  return await pageOf(deps, page, (span) => selectAudit(deps.db.read, filter, span));
}

/** A page of the lines that `select` finds. */
export async function pageOf(
  deps: Pick<Deps, 'db'>,
  page: AuditPage,
  select: (span: AuditSpan) => Promise<AuditTable[]>,
): Promise<{ rows: AuditRow[]; nextCursor: string | null }> {
  const found = await select({ before: page.cursor ?? null, limit: page.limit + 1 });
  const names = await merchantNames(
    deps.db.read,
    found.flatMap((row) => row.merchant_id ?? []),
  );
  const rows = found.slice(0, page.limit).map((row) => auditRow(row, names));
  return { rows, nextCursor: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null };
}

function auditRow(row: AuditTable, names: ReadonlyMap<Id<'mer'>, string>): AuditRow {
  return {
    id: row.id,
    at: row.at,
    actor: row.actor,
    userId: row.user_id,
    address: row.address,
    merchantId: row.merchant_id,
    merchantName: row.merchant_id === null ? null : (names.get(row.merchant_id) ?? null),
    action: row.action,
    target: row.target,
    details: row.details === null ? {} : (JSON.parse(row.details) as Record<string, unknown>),
  };
}
