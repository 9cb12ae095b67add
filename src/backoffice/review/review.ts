import type { Deps } from '../../deps.ts';
import { errorText, Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { releaseTransaction } from '../../payments/release.ts';
import type { EndDeps } from '../../payments/transitions.ts';
import { type PageInput, pageOf } from '../rpc.ts';
import { heldRows, heldTotals } from './store.ts';

const TOTALS_ROWS_MAX = 10_000;
export const RELEASED_AT_ONCE_MAX = 100;

/** A page of held transactions, oldest first. */
export async function listHeld(
  deps: Pick<Deps, 'db'>,
  query: PageInput & { ofMerchant?: Id<'mer'> | undefined },
) {
  const found = await heldRows(deps.db.read, {
    merchantId: query.ofMerchant ?? null,
    after: (query.cursor ?? null) as Id<'tx'> | null,
    limit: query.limit + 1,
  });
  const { page, nextCursor } = pageOf(found, query.limit, (row) => row.transactionId);
  const rows = page.map(({ merchant_id, name, paid_at, created_at, ...row }) => ({
    ...row,
    merchant: { id: merchant_id, name },
    /** The time of payment according to the bank. */
    paidAt: paid_at ?? created_at,
  }));
  return { rows, nextCursor };
}

/** The held transactions of each merchant, largest sum first; `complete` is false when not all were counted. */
export async function totalHeld(deps: Pick<Deps, 'db'>) {
  const merchants = await heldTotals(deps.db.read, TOTALS_ROWS_MAX);
  const count = merchants.reduce((sum, merchant) => sum + merchant.count, 0);
  const amountCents = merchants.reduce((sum, merchant) => sum + merchant.amountCents, 0);
  return { count, amountCents, merchants, complete: count < TOTALS_ROWS_MAX };
}

interface Released {
  transactionId: string;
  outcome: 'released' | 'paid' | 'not_held' | 'failed';
}

/** Releases transactions independently of each other. */
export async function releaseHeld(
  deps: EndDeps & Pick<Deps, 'db' | 'log' | 'actor'>,
  transactionIds: readonly string[],
): Promise<Released[]> {
  const release = async (transactionId: string): Promise<Released> => {
    try {
      await releaseTransaction(deps, transactionId);
      return { transactionId, outcome: 'released' };
    } catch (error) {
      const reason = error instanceof Refusal ? error.reason : null;
      if (reason === 'case_paid') return { transactionId, outcome: 'paid' };
      if (reason === 'case_not_held') return { transactionId, outcome: 'not_held' };
      deps.log.error({ transactionId, detail: errorText(error) }, 'cannot release a held transaction');
      return { transactionId, outcome: 'failed' };
    }
  };
  return await Promise.all([...new Set(transactionIds)].map(release));
}
