import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { ReceiptFlag } from '../../payments/store.ts';
import { caseRows } from './store.ts';
import { type CaseLine, caseLine, unheld } from './view.ts';

const DAY_MS = 86_400_000;

export interface CaseListQuery {
  state: 'open' | 'settled';
  flag?: ReceiptFlag | undefined;
  ofMerchant?: Id<'mer'> | undefined;
  olderThanDays?: number | undefined;
  limit: number;
  cursor?: string | null | undefined;
}

/** A page of receipts that wait for somebody, the oldest first, or that are settled. `viewer` null is the operator's, over all. */
export async function listCases(
  deps: Pick<Deps, 'db' | 'clock'>,
  viewer: Id<'mer'> | null,
  query: CaseListQuery,
): Promise<{ rows: CaseLine[]; nextCursor: string | null }> {
  const { olderThanDays, limit } = query;
  const rows = await caseRows(deps.db.read, {
    viewer,
    merchantId: query.ofMerchant ?? null,
    flag: query.flag ?? null,
    settled: query.state === 'settled',
    recordedBefore: olderThanDays === undefined ? null : deps.clock.now() - olderThanDays * DAY_MS,
    after: (query.cursor ?? null) as Id<'rcp'> | null,
    limit: limit + 1,
  });
  const page = rows.slice(0, limit);
  return {
    rows: page.map((row) => caseLine(viewer === null ? row : unheld(row))),
    nextCursor: rows.length > limit ? (page.at(-1)?.id ?? null) : null,
  };
}
