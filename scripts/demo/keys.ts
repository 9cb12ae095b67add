import { touchKey } from '../../src/rpc/store.ts';
import type { Books } from './books.ts';
import type { DemoDeps } from './fill.ts';

/** Notes of every API key when its shop last called with it: the newest call while it was the shop's. */
export async function noteKeyUse(deps: DemoDeps, books: Books): Promise<void> {
  const keys = await deps.db.read
    .selectFrom('api_keys')
    .select(['id', 'merchant_id', 'created_at', 'expires_at'])
    .execute();
  const calls = [...books.transactions, ...books.attempts];
  for (const { id, merchant_id, created_at, expires_at } of keys) {
    const until = expires_at ?? Number.POSITIVE_INFINITY;
    let last: number | null = null;
    for (const { merchant_id: caller, created_at: at } of calls) {
      if (caller === merchant_id && at >= created_at && at < until && at > (last ?? 0)) last = at;
    }
    const usedAt = last;
    if (usedAt !== null) await deps.db.unit((tx) => touchKey(tx, id, usedAt, usedAt));
  }
}
