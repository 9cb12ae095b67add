import type { Deps } from '../../deps.ts';
import { type LeadSearch, searchLeads } from '../../leads/search.ts';
import { type ListedLead, listedLead } from './view.ts';

/** A page of the register as the operator reads it. */
export async function listLeads(
  deps: Pick<Deps, 'db'>,
  search: LeadSearch,
  page: { limit: number; cursor?: string | undefined },
): Promise<{ rows: ListedLead[]; nextCursor: string | null }> {
  const { rows, nextCursor } = await searchLeads(deps, search, page);
  return { rows: rows.map(listedLead), nextCursor };
}
