import { instantFromBankText, lisbonEndOfDay } from '../../kernel/lisbon.ts';
import { type Cents, centsFromDecimal } from '../../kernel/money.ts';
import type { Answer } from '../exchange.ts';
import {
  DETAIL_LENGTH_MAX,
  describe,
  digits,
  member,
  parseObject,
  textIn,
  unknown,
  type Wire,
} from '../json.ts';
import {
  BankUnavailable,
  type CreateFailure,
  type PushOrder,
  type PushOutcome,
  type PushState,
  type ReferenceOrder,
  type ReferenceOutcome,
  type RefundOutcome,
} from '../port.ts';

const PHONE_UNKNOWN = '113';
/** The status "pending" of a push. As the answer to a create it is not a refusal. */
const PUSH_PENDING = '123';
const REFUND_DONE = '1';
const REFUND_REFUSED = '0';
const REFUND_NO_FUNDS = '-1';
/** After a timeout or a conflict with another request, the bank may have executed the request. */
const UNCLEAR_STATUSES = [408, 409];

/** Reads the outcome of a push from the answer to its create. */
export function readPushAnswer(answer: Answer, order: PushOrder): PushOutcome {
  const read = readCreateAnswer(answer, order);
  if ('kind' in read) return read;
  const requestId = textIn(read.wire, 'RequestId');
  if (requestId === null) return unknown('accepted without a request id');
  return { kind: 'accepted', requestId };
}

/** Reads the outcome of a reference from the answer to its create. Without a readable expiry day, it is counted from `now`. */
export function readReferenceAnswer(answer: Answer, order: ReferenceOrder, now: number): ReferenceOutcome {
  const read = readCreateAnswer(answer, order);
  if ('kind' in read) return read;
  const entity = digits(member(read.wire, 'Entity'), 5);
  const reference = digits(member(read.wire, 'Reference'), 9);
  if (entity === null || reference === null)
    return unknown('accepted without a readable entity or reference');
  const expiryDay = instantFromBankText(textIn(read.wire, 'ExpiryDate') ?? '');
  return {
    kind: 'accepted',
    requestId: textIn(read.wire, 'RequestId'),
    entity,
    reference,
    expiresAt: expiryDay === null ? lisbonEndOfDay(now, order.expiryDays) : lisbonEndOfDay(expiryDay),
  };
}

/** Reads the state of a push. Throws BankUnavailable on an answer without one. */
export function readPushState(answer: Answer, requestId: string, now: number): PushState {
  const wire = parseObject(answer.text);
  if (answer.status !== 200 || wire === null) throw new BankUnavailable(`inquiry: ${describe(answer)}`);
  const named = textIn(wire, 'RequestId');
  if (named !== null && named !== requestId)
    throw new BankUnavailable('inquiry: the answer names another request');
  const status = textIn(wire, 'Status');
  switch (status) {
    case '000': {
      const paidAt = instantFromBankText(textIn(wire, 'UpdateAt') ?? '') ?? now;
      return { kind: 'paid', paidAt: Math.min(paidAt, now), identity: pushIdentity(requestId) };
    }
    case '020':
      return { kind: 'rejected' };
    case '122':
      return { kind: 'declined' };
  }
  if (status === null || !/^\d{3}$/.test(status))
    throw new BankUnavailable('inquiry: the answer has no status');
  return { kind: 'waiting' };
}

/** Reads the outcome of a refund. The codes are numbers or text. */
export function readRefundAnswer(answer: Answer): RefundOutcome {
  const wire = parseObject(answer.text);
  const code = textIn(wire, 'Code');
  const message = textIn(wire, 'Message')?.slice(0, DETAIL_LENGTH_MAX);
  const isRefusal = answer.status >= 400 && answer.status < 500 && !UNCLEAR_STATUSES.includes(answer.status);
  if (code === REFUND_NO_FUNDS && (answer.status < 300 || isRefusal))
    return { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' };
  if (answer.status >= 200 && answer.status < 300) {
    if (code === REFUND_DONE) return { kind: 'done' };
    if (code === REFUND_REFUSED) return { kind: 'refused', reason: message ?? 'refused without a reason' };
  }
  // There is no refund call at this address.
  const isAbsent = answer.status === 404 || answer.status === 405;
  if (isAbsent || (isRefusal && message != null && code !== REFUND_DONE))
    return { kind: 'refused', reason: message ?? `HTTP ${answer.status}` };
  return unknown(describe(answer));
}

/** The identity of a push's payment, the same whether an inquiry or the bank's list reports it first. */
export function pushIdentity(requestId: string): string {
  return `ifthenpay:${requestId}`;
}

/** The rows of one answer of the list. Throws BankUnavailable when it is not one. */
export function readListPage(answer: Answer): unknown[] {
  const wire = parseObject(answer.text);
  const payments = wire === null ? null : member(wire, 'payments');
  const status = textIn(wire, 'status');
  if (answer.status !== 200 || status !== '200' || !Array.isArray(payments)) {
    throw new BankUnavailable(`list: ${describe(answer)}`);
  }
  return payments;
}

/** The common part of both creates. An answer about another order or another amount means an unknown outcome. */
function readCreateAnswer(
  answer: Answer,
  order: { bankOrderId: string; amount: Cents },
): { wire: Wire } | CreateFailure {
  const wire = parseObject(answer.text);
  const status = readCreateStatus(wire);
  const isUnclear = answer.status >= 500 || UNCLEAR_STATUSES.includes(answer.status);
  if (isUnclear || wire === null || status === null) return unknown(describe(answer));
  const orderId = textIn(wire, 'OrderId');
  if (orderId !== null && orderId !== order.bankOrderId) return unknown('the answer names another order');
  if (!/^0+$/.test(status)) {
    if (status === PUSH_PENDING) return unknown(`status ${status} in the answer to a create`);
    const message = textIn(wire, 'Message') ?? '';
    return {
      kind: 'refused',
      reason: status === PHONE_UNKNOWN ? 'phone-unknown' : 'other',
      detail: `status ${status} ${message}`.trim().slice(0, DETAIL_LENGTH_MAX),
    };
  }
  if (answer.status >= 300) return unknown(describe(answer));
  const amount = member(wire, 'Amount');
  const given = amount !== undefined && amount !== null && amount !== '';
  if (given && centsFromDecimal(amount) !== order.amount) return unknown('the answer names another amount');
  return { wire };
}

/** The bank's status; null without one. A gateway names its HTTP status, a number, like the bank's, which is text. */
function readCreateStatus(wire: Wire | null): string | null {
  const status = textIn(wire, 'Status');
  if (wire === null || status === null || !/^-?\d{1,3}$/.test(status)) return null;
  const isHttpStatus = typeof member(wire, 'Status') === 'number' && /^[45]\d\d$/.test(status);
  return isHttpStatus ? null : status;
}
