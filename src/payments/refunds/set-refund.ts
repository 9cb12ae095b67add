import { recordAudit } from '../../audit/store.ts';
import { Refusal } from '../../kernel/errors.ts';
import type { Author } from '../exceptions/exception.ts';
import { requireAllowed } from './create-refund.ts';
import { checkedIban, checkedName } from './iban.ts';
import { lockRefund, type RefundDeps, wrongState } from './move.ts';
import { changeRefund, insertHistory } from './store.ts';

/** Sets the account that a refund is transferred to. Throws Refusal unless it awaits its transfer and was not exported. */
export async function setRefund(
  deps: RefundDeps,
  author: Author,
  order: { refundId: string; iban: string; name?: string | undefined },
): Promise<void> {
  const iban = checkedIban(order.iban);
  const name = order.name === undefined ? undefined : checkedName(order.name);
  await deps.db.unit(async (tx) => {
    const locked = await lockRefund(tx, order.refundId, author);
    await requireAllowed(tx, locked, author);
    const { refund, receipt } = locked;
    if (refund.state !== 'awaiting_transfer')
      throw wrongState(refund, 'only a refund that awaits its transfer takes an IBAN');
    if (refund.exported_at !== null)
      throw new Refusal('refund_exported', `refund ${refund.id} was exported: its IBAN cannot be changed`);
    await changeRefund(tx, refund, {
      iban: deps.box.encrypt(iban, `refunds.iban:${refund.id}`),
      ...(name !== undefined && { name }),
    });
    await insertHistory(tx, deps, refund, { at: deps.clock.now(), state: refund.state, note: 'IBAN set' });
    const { merchant_id: merchantId } = receipt;
    await recordAudit(tx, deps, { action: 'refund.changed', merchantId, target: refund.id });
  });
}
