import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { merchantsLike } from './member-store.ts';

/** A page of merchants for an operator who looks for one. */
export async function searchMerchants(
  deps: Pick<Deps, 'db'>,
  input: { text: string; limit: number; cursor?: string | null | undefined },
): Promise<{
  rows: { merchantId: Id<'mer'>; name: string; active: boolean; hold: boolean }[];
  nextCursor: string | null;
}> {
  const found = await merchantsLike(deps.db.read, {
    text: input.text.trim(),
    before: input.cursor ?? null,
    limit: input.limit + 1,
  });
  const rows = found.slice(0, input.limit);
  return {
    rows: rows.map(({ id, name, active, hold }) => ({
      merchantId: id,
      name,
      active: active === 1,
      hold: hold === 1,
    })),
    nextCursor: found.length > rows.length ? (rows.at(-1)?.id ?? null) : null,
  };
}
