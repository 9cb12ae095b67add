import { Refusal } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Author } from '../exceptions/exception.ts';
import { requireAllowed } from './create-refund.ts';
import { readIban } from './iban.ts';
import { isOriginalMade, isReportedMade, lockRefund, type RefundDeps, wrongState } from './move.ts';
import { placeRefund, type SeenCase } from './place-refund.ts';
import { repeatedBy } from './store.ts';

/**
 * Retries a failed refund as a new refund. Throws Refusal unless it failed, has no retry and was not made by the bank, and when the
 * receipt is no longer as the author saw it.
 */
export async function retryRefund(
  deps: RefundDeps,
  author: Author,
  refundId: string,
  { closesCase, transactionStatus }: SeenCase = {},
): Promise<Id<'ref'>> {
  return deps.db.unit(async (tx) => {
    const locked = await lockRefund(tx, refundId, author);
    await requireAllowed(tx, locked, author);
    const { refund } = locked;
    if (refund.state !== 'failed') throw wrongState(refund, 'only a failed one can be repeated');
    if ((await isReportedMade(tx, refund)) || (await isOriginalMade(tx, refund)))
      throw wrongState(refund, 'the bank made it, so it is not repeated');
    const repeated = await repeatedBy(tx, refund);
    if (repeated !== undefined) {
      throw new Refusal('refund_repeated', `refund ${refund.id} was repeated already by ${repeated}`, {
        refundId: repeated,
      });
    }
    return placeRefund(tx, deps, locked, {
      amount: refund.amount_cents,
      closesCase,
      transactionStatus,
      reason: refund.reason,
      iban: readIban(deps.box, refund),
      name: refund.name,
      retryOf: refund.id,
    });
  });
}
