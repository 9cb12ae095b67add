import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { RECEIPT_FLAGS, type ReceiptFlag } from '../../payments/store.ts';
import { countOpen, type OpenCount } from './store.ts';

/** Beyond this a badge says "so many and more". */
const COUNT_MAX = 1000;

/** How many cases wait for this merchant, for a badge. */
export async function countCases(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'>): Promise<OpenCount> {
  return countOpen(deps.db.read, merchantId, null, COUNT_MAX);
}

/** How many wait over all, and of each flag. */
export async function countAcross(
  deps: Pick<Deps, 'db'>,
): Promise<OpenCount & { byFlag: Record<ReceiptFlag, number> }> {
  const all = await countOpen(deps.db.read, null, null, COUNT_MAX);
  const byFlag = { late: 0, duplicate: 0, under: 0, over: 0, unmatched: 0 };
  if (all.count === 0) return { ...all, byFlag };
  for (const flag of RECEIPT_FLAGS) {
    byFlag[flag] = (await countOpen(deps.db.read, null, flag, COUNT_MAX)).count;
  }
  return { ...all, byFlag };
}
