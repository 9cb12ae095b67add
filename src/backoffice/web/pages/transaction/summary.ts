import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { type Detail, inThrees, situation } from './data.ts';
import { TEXTS } from './texts.ts';

/** Returns a sentence on the status and the next step. */
export function useSummary(detail: Detail): { says: string; todo: string | null } {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { says, newPayment } = { says: words.says, newPayment: words.says.newPayment };
  if (detail.held) return { says: says.held, todo: null };
  switch (detail.status) {
    case 'paid': {
      const how = words.methods[detail.method ?? 'MBWAY'];
      const when = format.time(detail.paidAt ?? detail.createdAt);
      // After a refund of a surplus, the price is still paid.
      const covered = detail.receivedCents - detail.refundedCents >= detail.amountCents;
      return {
        says: `${says.paid(how, when)} ${covered ? says.fulfil : says.refunds(format.euro(detail.refundedCents))}`,
        todo: null,
      };
    }
    case 'failed':
      return { says: failure(detail, says), todo: newPayment };
    case 'cancelled': {
      const tried = detail.attempts.some(({ state }) => state === 'lapsed');
      return { says: withMoney(detail, says) ?? (tried ? says.lapsed : says.abandoned), todo: newPayment };
    }
    case 'pending':
      return pending(detail, says);
  }
}

type Says = typeof TEXTS.en.says | typeof TEXTS.pt.says;

function failure(detail: Detail, says: Says): string {
  const money = withMoney(detail, says);
  if (money !== null) return money;
  const last = detail.attempts.findLast(({ state }) => ['rejected', 'declined', 'expired'].includes(state));
  switch (last?.state) {
    case 'rejected':
      return says.rejected;
    case 'declined':
      return says.declined;
    case 'expired':
      return says.expired;
    default:
      return says.failed;
  }
}

/** "Nothing was charged" would be wrong here. */
function withMoney(detail: Detail, says: Says): string | null {
  return detail.receivedCents > 0 ? says.partly : null;
}

function pending(detail: Detail, says: Says): { says: string; todo: string | null } {
  const { push, reference, unclear, last } = situation(detail);
  const money = withMoney(detail, says);
  if (unclear) return { says: says.unclear, todo: money };
  if (push !== undefined) return { says: pushSays(detail, push, says), todo: money };
  if (reference !== undefined) return { says: says.reference, todo: money };
  if (money !== null) return { says: money, todo: null };
  if (last?.state === 'initiated') return { says: says.starting, todo: null };
  return { says: last === undefined ? says.untouched : says.again, todo: null };
}

function pushSays(detail: Detail, push: Detail['attempts'][number], says: Says): string {
  if (push.state === 'initiated') return says.starting;
  if (push.expiresAt !== null && push.expiresAt <= detail.now) return says.pushOver;
  return says.pushOpen(inThrees(push.phoneNumber ?? ''));
}
