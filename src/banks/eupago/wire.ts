import { lisbonDayStart, lisbonEndOfDay } from '../../kernel/lisbon.ts';
import { type Cents, cents, centsFromDecimal } from '../../kernel/money.ts';
import type { Answer } from '../exchange.ts';
import {
  DETAIL_LENGTH_MAX,
  describe,
  digits,
  isObject,
  member,
  parseObject,
  textIn,
  textOf,
  unknown,
  type Wire,
} from '../json.ts';
import {
  type BankRecord,
  BankUnavailable,
  type CreateFailure,
  type PushOutcome,
  type ReferenceOrder,
  type ReferenceOutcome,
} from '../port.ts';
import { instantFromText } from './times.ts';

const NOT_FOUND = '-11';
/** The statuses of a refusal that can mean an empty result; others are about the caller or a fault, and prove nothing. */
const EMPTY_STATUSES = [200, 400, 404];
/** The states of received money in the list and the reference; `transferida` after its transfer to the merchant. */
export const RECEIVED = ['paga', 'transferida'] as const;

/** Reads the outcome of a push. EuPago's inquiry takes its reference, so the reference is stored as the request id. */
export function readPushAnswer(answer: Answer): PushOutcome {
  const wire = parseObject(answer.text);
  const status = textIn(wire, 'transactionStatus')?.toLowerCase();
  if (wire === null || answer.status >= 500) return unknown(describe(answer));
  if (status === 'rejected') return refusedPush(wire);
  if (status !== 'success' || answer.status >= 300) return unknown(describe(answer));
  const reference = textIn(wire, 'reference');
  return reference === null
    ? unknown('accepted without a reference')
    : { kind: 'accepted', requestId: reference };
}

function refusedPush(wire: Wire): CreateFailure {
  const isPhone = /^CUSTOMERPHONE_/i.test(textIn(wire, 'code') ?? '');
  return { kind: 'refused', reason: isPhone ? 'phone-unknown' : 'other', detail: refusalText(wire) };
}

export function refusalText(wire: Wire): string {
  return `${textIn(wire, 'code') ?? ''} ${textIn(wire, 'text') ?? ''}`.trim().slice(0, DETAIL_LENGTH_MAX);
}

/** Reads the outcome of a reference. A refusal is HTTP 200 too. */
export function readReferenceAnswer(answer: Answer, order: ReferenceOrder, now: number): ReferenceOutcome {
  const wire = parseObject(answer.text);
  const state = textIn(wire, 'estado');
  if (answer.status >= 500 || wire === null || state === null) return unknown(describe(answer));
  if (!isSuccess(wire)) {
    const detail = `estado ${state} ${textIn(wire, 'resposta') ?? ''}`;
    return { kind: 'refused', reason: 'other', detail: detail.trim().slice(0, DETAIL_LENGTH_MAX) };
  }
  if (answer.status >= 300) return unknown(describe(answer));
  const value = member(wire, 'valor');
  const given = value !== undefined && value !== null && value !== '';
  if (given && centsFromDecimal(value) !== order.amount) return unknown('the answer names another amount');
  const entity = digits(member(wire, 'entidade'), 5);
  const reference = digits(member(wire, 'referencia'), 9);
  if (entity === null || reference === null)
    return unknown('accepted without a readable entity or reference');
  const lastDay = lisbonDayStart(textIn(wire, 'data_fim') ?? '');
  const expiresAt = lastDay === null ? lisbonEndOfDay(now, order.expiryDays) : lisbonEndOfDay(lastDay);
  return { kind: 'accepted', requestId: null, entity, reference, expiresAt };
}

function isSuccess(wire: Wire): boolean {
  const success = String(member(wire, 'sucesso') ?? true).toLowerCase();
  return textIn(wire, 'estado') === '0' && success !== 'false' && success !== '0';
}

/** A reference with its payments: EuPago's answer about one push or one Multibanco reference. */
export interface ReferenceInfo {
  /** `pendente`, `paga`, `expirada`, `erro`, `cancelada`, `reembolsada`, `devolvida` or `arquivada`. */
  state: string;
  records: BankRecord[];
  unreadable: unknown[];
}

/** Reads the answer about a reference; null when the bank does not know it. Throws BankUnavailable. */
export function readReferenceInfo(answer: Answer, asked: Named): ReferenceInfo | null {
  const wire = parseObject(answer.text);
  if (answer.status >= 300 || wire === null) throw new BankUnavailable(`inquiry: ${describe(answer)}`);
  if (textIn(wire, 'estado') === NOT_FOUND) return null;
  const state = textIn(wire, 'estado_referencia')?.toLowerCase() ?? null;
  if (!isSuccess(wire) || state === null) throw new BankUnavailable(`inquiry: ${describe(answer)}`);
  const named = textIn(wire, 'referencia');
  if (named !== null && plain(named) !== plain(asked.reference))
    throw new BankUnavailable('inquiry: the answer names another reference');
  const info: ReferenceInfo = { state, records: [], unreadable: [] };
  const payments = member(wire, 'pagamentos') ?? [];
  if (!Array.isArray(payments)) throw new BankUnavailable('inquiry: the payments are unreadable');
  const identifier = textIn(wire, 'identificador') ?? asked.identifier;
  if (asked.identifier !== null && identifier !== asked.identifier)
    throw new BankUnavailable('inquiry: the answer names another order');
  for (const row of payments) addPayment(info, row, { ...asked, identifier });
  return info;
}

/** A reference without leading zeros, as in a JSON number. */
function plain(reference: string): string {
  return reference.replaceAll(' ', '').replace(/^0+/, '');
}

/** The data of a payment that its row does not repeat. */
export interface Named {
  identifier: string | null;
  entity: string | null;
  reference: string;
}

function addPayment({ records, unreadable }: Omit<ReferenceInfo, 'state'>, row: unknown, named: Named): void {
  if (!isObject(row)) {
    unreadable.push(row);
    return;
  }
  if (!isReceived(textIn(row, 'estado'), member(row, 'valor'))) return;
  const time = [textIn(row, 'data_pagamento'), textIn(row, 'hora_pagamento')];
  const record = recordOf(row, {
    ...named,
    amount: centsFromDecimal(member(row, 'valor')),
    paidAt: instantFromText(time.filter((part) => part !== null).join(' ')),
    // The commission is without its tax, so the net amount is not known.
    fee: roundedCents(member(row, 'comissao')),
    valueDate: dayOf(member(row, 'data_previsao_transferencia')),
  });
  if (record === null) unreadable.push(row);
  else records.push(record);
}

/** Whether the answer reports money but no readable payment. */
export function lacksPayment({ state, records, unreadable }: ReferenceInfo): boolean {
  return records.length === 0 && (isPaid(state) || unreadable.length > 0);
}

function isPaid(state: string): boolean {
  return RECEIVED.some((name) => name === state.toLowerCase());
}

/** Rows in other states or without a positive amount are not new payments: a refund can add or change a row. */
function isReceived(state: string | null, amount: unknown): boolean {
  if (/^(-\s?\d|0+(\.0+)?$)/.test(textOf(amount) ?? '')) return false;
  return state === null || isPaid(state);
}

/** The nearest cents of an amount with up to five decimals; null when it is unreadable. */
function roundedCents(value: unknown): Cents | null {
  const match = /^(\d{1,9})(?:\.(\d{1,5}))?$/.exec(textOf(value) ?? '');
  if (match === null) return null;
  return cents(Math.round((Number(match[1]) * 100_000 + Number((match[2] ?? '').padEnd(5, '0'))) / 1000));
}

function dayOf(value: unknown): string | null {
  const day = textOf(value)?.slice(0, 10) ?? '';
  return lisbonDayStart(day) === null ? null : day;
}

/** A row of the payment list; null without a readable amount or id, undefined when it is not a new payment. */
export function readListRow(row: unknown): BankRecord | null | undefined {
  if (!isObject(row)) return null;
  if (!isReceived(textIn(row, 'status'), member(row, 'amount'))) return undefined;
  return recordOf(row, {
    identifier: textIn(row, 'identifier'),
    entity: textIn(row, 'entity'),
    reference: textIn(row, 'reference') ?? '',
    amount: centsFromDecimal(member(row, 'amount')),
    paidAt: instantFromText(textIn(row, 'datePayment')),
    fee: null,
    valueDate: dayOf(member(row, 'dateTransfer')),
  });
}

interface Paid extends Named {
  amount: Cents | null;
  paidAt: number | null;
  fee: Cents | null;
  valueDate: string | null;
}

function recordOf(row: Wire, paid: Paid): BankRecord | null {
  const trid = textIn(row, 'trid');
  const { identifier, amount, paidAt, fee, valueDate } = paid;
  if (trid === null || amount === null) return null;
  const entity = digits(paid.entity, 5);
  const reference = digits(paid.reference, 9);
  const isMultibanco = entity !== null && reference !== null;
  return {
    identity: `eupago:${trid}`,
    method: isMultibanco ? 'REFERENCE' : null,
    amount,
    paidAt,
    requestId: isMultibanco || paid.reference === '' ? null : paid.reference,
    paymentId: trid,
    bankOrderId: identifier,
    entity: isMultibanco ? entity : null,
    reference: isMultibanco ? reference : null,
    raw: row,
    fees: { fee, net: null, valueDate },
  };
}

/** Reads the rows of `name` from an answer of the management API. Throws BankUnavailable when it is not one. */
export function readRows(answer: Answer, name: string): unknown[] {
  const wire = parseObject(answer.text);
  const status = textIn(wire, 'transactionStatus')?.toLowerCase();
  const rows = wire === null ? undefined : member(wire, name);
  if (answer.status < 300 && status === 'success' && Array.isArray(rows)) return rows;
  // EuPago does not document whether an empty result is an empty list or a refusal.
  const isRefusal = status !== 'success' && EMPTY_STATUSES.includes(answer.status);
  if (isRefusal && /NOT_?FOUND/i.test(textIn(wire, 'code') ?? '')) return [];
  throw new BankUnavailable(`list: ${describe(answer)}`);
}

/** Reads a token and its lifetime in milliseconds. Throws BankUnavailable. */
export function readToken(answer: Answer): { token: string; lifeMs: number } {
  const wire = parseObject(answer.text);
  const token = textIn(wire, 'access_token');
  const seconds = wire === null ? Number.NaN : Number(member(wire, 'expires_in'));
  if (answer.status >= 300 || token === null)
    throw new BankUnavailable(`token: HTTP ${answer.status}, no token`);
  return { token, lifeMs: Number.isFinite(seconds) && seconds > 0 ? seconds * 1000 : 0 };
}
