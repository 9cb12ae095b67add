import { centsFromDecimal, eurosFromCents } from '../../kernel/money.ts';
import type { Answer, Question } from '../exchange.ts';
import {
  DETAIL_LENGTH_MAX,
  describe,
  isObject,
  member,
  parseObject,
  textIn,
  unknown,
  type Wire,
} from '../json.ts';
import {
  type AcceptedRefundState,
  type BankRefundOrder,
  BankUnavailable,
  type RefundOutcome,
} from '../port.ts';
import { refusalText } from './wire.ts';

const DONE = /^(reembolsad|devolvid|refunded)/i;
const FAILED = /^(erro|error|recusad|rejeitad|rejected|cancel)/i;
const NO_FUNDS = /INSUFFICIENT|NO_?FUNDS|BALANCE/i;

/** The request of a refund. The request id of the order is the payment's trid. */
export function refundQuestion(managementUrl: string, token: string, order: BankRefundOrder): Question {
  const { requestId, amount, reason } = order;
  return {
    method: 'POST',
    url: `${managementUrl}/refund/${encodeURIComponent(requestId)}`,
    headers: { authorization: `Bearer ${token}` },
    json: { amount: eurosFromCents(amount), ...(reason === null ? {} : { reason }) },
  };
}

/** Reads the outcome of a refund. An answer about another amount means an unknown outcome. */
export function readRefundAnswer(answer: Answer, { amount }: BankRefundOrder): RefundOutcome {
  const wire = parseObject(answer.text);
  const status = textIn(wire, 'transactionStatus')?.toLowerCase();
  if (wire !== null && status === 'rejected' && answer.status < 500) return refused(wire);
  // There is no such payment, or no refund call at this address.
  if (answer.status === 404 || answer.status === 405)
    return { kind: 'refused', reason: `HTTP ${answer.status}` };
  if (wire === null || status !== 'success' || answer.status >= 300) return unknown(describe(answer));
  const answered = member(wire, 'amount');
  if (answered !== undefined && answered !== null && centsFromDecimal(answered) !== amount)
    return unknown('the answer names another amount');
  if (DONE.test(textIn(wire, 'status') ?? '')) return { kind: 'done' };
  const refundId = textIn(wire, 'refundId');
  return refundId === null ? unknown('accepted without a refund id') : { kind: 'accepted', refundId };
}

function refused(wire: Wire): RefundOutcome {
  if (NO_FUNDS.test(textIn(wire, 'code') ?? '')) return { kind: 'refused', reason: 'INSUFFICIENT_FUNDS' };
  return { kind: 'refused', reason: refusalText(wire) || 'refused without a reason' };
}

/** Reads the state of an accepted refund. Throws BankUnavailable. */
export function readRefundState(answer: Answer): AcceptedRefundState {
  const wire = parseObject(answer.text);
  const list = wire === null ? undefined : member(wire, 'refundList');
  const rows: unknown[] = Array.isArray(list) ? list : [list];
  const states = rows.flatMap((row) => (isObject(row) ? (textIn(row, 'status') ?? []) : []));
  const [state] = states;
  if (answer.status >= 300 || state === undefined || states.length < rows.length)
    throw new BankUnavailable(`refund: ${describe(answer)}`);
  // The rows do not name their refund, so several rows determine the state only when they agree.
  if (states.every((one) => DONE.test(one))) return { kind: 'done' };
  return states.every((one) => FAILED.test(one))
    ? { kind: 'refused', reason: state.slice(0, DETAIL_LENGTH_MAX) }
    : { kind: 'waiting' };
}
