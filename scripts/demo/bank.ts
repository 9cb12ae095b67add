import { dirname, join } from 'node:path';
import { allAccounts } from '../../src/banks/accounts.ts';
import type { EupagoCredentials } from '../../src/banks/eupago/profile.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import type { Bank, BankAccount, BankRecord } from '../../src/banks/port.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { lisbonDay, lisbonEndOfDay, lisbonText } from '../../src/kernel/lisbon.ts';
import { cents } from '../../src/kernel/money.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import { sortable } from '../../src/sandbox/record.ts';
import { Store } from '../../src/sandbox/store.ts';
import type { Prng } from '../sim/prng.ts';
import type { DemoDeps } from './fill.ts';

const LETTERS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789';
const PAYOUT_MS = 2 * DAY_MS;
const ENTITIES: Readonly<Record<Acquirer, string>> = { ifthenpay: '11990', eupago: '81921' };
/** Numbers that begin so are unknown to MB WAY. */
export const UNKNOWN_PHONES = '90';

/** The acquirers, which accept every reference and almost every push. `answers` returns the time of an answer. */
export function createDemoBank(prng: Prng, answers: () => number): Bank {
  const bank: Pick<Bank, 'createPush' | 'createReference'> = {
    async createPush(_account, { phoneNumber }) {
      answers();
      const isUnknown = phoneNumber.startsWith(UNKNOWN_PHONES);
      if (isUnknown) return { kind: 'refused', reason: 'phone-unknown', detail: 'unknown phone' };
      return { kind: 'accepted', requestId: token(prng) };
    },
    async createReference({ acquirer }, { expiryDays }) {
      const expiresAt = lisbonEndOfDay(answers(), expiryDays);
      return { kind: 'accepted', requestId: token(prng), ...newReference(prng, acquirer), expiresAt };
    },
  };
  return bank as Bank;
}

export function newReference(prng: Prng, acquirer: Acquirer) {
  return { entity: ENTITIES[acquirer], reference: String(prng.int(100_000_000, 999_999_999)) };
}

/** Returns random capital letters and digits, as in a bank's ids. */
export function token(prng: Prng): string {
  return Array.from({ length: 20 }, () => LETTERS[prng.int(0, LETTERS.length - 1)]).join('');
}

/** What a payment is for; without an order id, for an order that is unknown. */
type Paid = Pick<AttemptRow, 'method' | 'request_id' | 'entity' | 'reference'> & { bank_order_id?: string };

/** Returns a payment as the acquirer's adapter reads it. */
export function paymentRecord(
  { method, request_id: requestId, bank_order_id: bankOrderId, entity, reference }: Paid,
  acquirer: Acquirer,
  { amount, paidAt, hasFees }: { amount: number; paidAt: number; hasFees: boolean },
): BankRecord {
  const fee = Math.min(amount, Math.round(amount * (method === 'MBWAY' ? 0.007 : 0.0095)) + 7);
  const valueDate = lisbonDay(paidAt + PAYOUT_MS);
  return {
    identity: `${acquirer}:${requestId}`,
    method,
    requestId,
    entity,
    reference,
    paidAt,
    bankOrderId: bankOrderId ?? null,
    amount: cents(amount),
    raw: { source: 'demo', requestId },
    ...(hasFees && { fees: { fee: cents(fee), net: cents(amount - fee), valueDate } }),
  };
}

/** Adds the payments by MB WAY to the sandbox's file in the folder of `file`, so that they can be refunded. */
export async function fillBank(deps: DemoDeps, file: string): Promise<void> {
  const accounts = new Map((await allAccounts(deps)).map((account) => [account.id, account]));
  const paid = await deps.db.read
    .selectFrom('receipts')
    .select(['account_id', 'request_id', 'bank_order_id', 'amount_cents', 'refund_cents', 'paid_at'])
    .where('method', '=', 'MBWAY')
    .where('request_id', 'is not', null)
    .orderBy('paid_at')
    .execute();
  const bank = new Store(join(dirname(file), 'sandbox.db'));
  bank.atomically(() => {
    for (const { account_id, bank_order_id, refund_cents, ...push } of paid) {
      const account = accounts.get(account_id);
      if (account === undefined) throw new Error(`${account_id} is no account`);
      const orderId = bank_order_id ?? '';
      const id = bank.insertPayment({
        ...push,
        request_id: push.request_id ?? '',
        order_id: orderId,
        acquirer: account.acquirer,
        entity: 'MBWAY',
        sub_entity: mbwayKeyOf(account),
        reference: orderId,
        paid_local: sortable(lisbonText(push.paid_at)),
      });
      if (!bank.refundPayment(id, refund_cents))
        throw new Error(`${push.request_id} is refunded above its amount`);
    }
  });
  bank.close();
}

function mbwayKeyOf({ acquirer, credentials }: BankAccount): string {
  return acquirer === 'eupago'
    ? (credentials as EupagoCredentials).apiKey
    : (credentials as IfthenpayCredentials).mbWayKey;
}
