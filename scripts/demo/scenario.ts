import type { PushState } from '../../src/banks/port.ts';
import type { BankAttempt } from '../../src/banks/settlement-port.ts';
import type { PaymentMethod } from '../../src/db/tables/payments.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import { OperatorError, ServiceError } from '../../src/kernel/errors.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import type { InitInput } from '../../src/payments/contract.ts';
import { sweepDeadlines } from '../../src/payments/deadlines.ts';
import { initTransaction } from '../../src/payments/init.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { startMultibanco } from '../../src/payments/multibanco.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import type { Prng } from '../sim/prng.ts';
import type { ActingDeps } from './actions.ts';
import { paymentRecord, UNKNOWN_PHONES } from './bank.ts';
import type { Step } from './fill.ts';
import type { OpenShop } from './shops.ts';

const SECOND_MS = 1000;
const CALL = { origin: undefined, referer: undefined, idempotencyKey: undefined, setHeader() {} };

/** One order and what decides its course. */
export interface Course {
  deps: ActingDeps;
  prng: Prng;
  shop: OpenShop;
  at: number;
  input: InitInput;
  phone: string;
  /** Known once the order was made. */
  transactionId: string;
  steps: Step[];
}

/** Plans the steps of an order: how the customer pays, if at all. */
export function planOrder(course: Course): void {
  const { prng, shop, at, input, deps } = course;
  add(course, at, async () => {
    const merchant = { ...shop, keyId: 'key_', firstPaidAt: at, domains: [shop.domain] } as const;
    course.transactionId = (await initTransaction(deps, merchant, input, CALL)).transactionId;
  });
  const startedAt = at + prng.int(4, 70) * SECOND_MS;
  if (prng.chance(0.055)) planDeadline(course);
  else if (prng.chance(shop.references)) planReference(course, startedAt);
  else planPush(course, startedAt);
}

function add({ steps }: Course, at: number, run: () => Promise<unknown>): void {
  steps.push({ at, run });
}

/** The customer leaves without a live attempt. */
function planDeadline(course: Course): void {
  const { deps, prng } = course;
  const at = course.at + deps.settings.pendingMs + prng.int(50, 950);
  add(course, at, () => sweepDeadlines(deps));
}

function planPush(course: Course, at: number): void {
  const { prng, phone } = course;
  const outcome = prng.weighted({
    accepted: 828,
    rejected: 58,
    lapsed: 74,
    declined: 13,
    late: 6,
    unknownPhone: 21,
  });
  if (outcome === 'accepted') payPush(course, at);
  else if (outcome === 'unknownPhone') planUnknownPhone(course, at);
  else {
    push(course, at, phone);
    if (outcome === 'lapsed' || outcome === 'late') planLapse(course, at, outcome === 'late');
    else endPush(course, at + prng.int(8, 140) * SECOND_MS, { kind: outcome });
  }
}

function planLapse(course: Course, at: number, isPaid: boolean): void {
  const { prng, deps } = course;
  const { mbwayWindowMs, mbwayGraceMs } = deps.settings;
  const lapsesAt = at + mbwayWindowMs + mbwayGraceMs + prng.int(2, 5) * SECOND_MS;
  endPush(course, lapsesAt, { kind: 'waiting' });
  if (isPaid) pay(course, 'MBWAY', lapsesAt + prng.int(4 * SECOND_MS, 50 * MINUTE_MS));
}

/** The first number is unknown to MB WAY; most customers correct it. */
function planUnknownPhone(course: Course, at: number): void {
  const { prng } = course;
  push(course, at, `${UNKNOWN_PHONES}${prng.int(1_000_000, 9_999_999)}`);
  if (prng.chance(0.8)) payPush(course, at + prng.int(25, 180) * SECOND_MS);
  else planDeadline(course);
}

/** Sends a push that the customer accepts within a minute or two. */
function payPush(course: Course, at: number): void {
  push(course, at, course.phone);
  pay(course, 'MBWAY', at + 7 * SECOND_MS + Math.round(100 * SECOND_MS * course.prng.fraction() ** 3));
}

function planReference(course: Course, at: number): void {
  const { prng, deps, shop } = course;
  const { multibancoDays, multibancoGraceMs } = deps.settings;
  add(course, at, () => startMultibanco(deps, shop, { transactionId: course.transactionId }));
  const expiresAt = lisbonEndOfDay(at, multibancoDays);
  const endsAt = expiresAt + multibancoGraceMs + prng.int(1, 40) * SECOND_MS;
  add(course, endsAt, async () =>
    deps.settlement.expireReference(await sentAttempt(course, 'REFERENCE'), endsAt),
  );
  const due = dueOf(course);
  const soonAt = Math.min(at + 20 * MINUTE_MS + Math.round(prng.fraction() ** 2.4 * 2.6 * DAY_MS), expiresAt);
  const outcome = prng.weighted({ paid: 740, expired: 218, duplicate: 13, late: 11, under: 9, over: 9 });
  if (outcome === 'expired') return;
  if (outcome === 'duplicate') payPush(course, at + prng.int(40, 400) * SECOND_MS);
  const others: Readonly<Record<string, number>> = {
    under: due - Math.min(prng.pick([1, 10, 90, 395, 500]), due - 1),
    over: due + prng.pick([1, 5, 10, 50, 100, 500, 1000]),
  };
  const paidAt = outcome === 'late' ? endsAt + prng.int(1, 40) * HOUR_MS : soonAt;
  pay(course, 'REFERENCE', paidAt, others[outcome]);
}

function dueOf({ input }: Course): number {
  return Math.round(input.amount * 100);
}

function push(course: Course, at: number, phoneNumber: string): void {
  const { deps, shop } = course;
  add(course, at, () =>
    startMbway(deps, shop, { transactionId: course.transactionId, phoneNumber }).catch(ignoreRefusal),
  );
}

function endPush(course: Course, at: number, state: PushState): void {
  add(course, at, async () =>
    course.deps.settlement.applyPushState(await sentAttempt(course, 'MBWAY'), state, at),
  );
}

/** Records a payment by the newest attempt of a method, and releases it if the merchant is on hold. */
function pay(course: Course, method: PaymentMethod, at: number, amount = dueOf(course)): void {
  const { prng, deps, shop } = course;
  const recordedAt = at + prng.int(900, 20_000);
  const hasFees = recordedAt < deps.until - DAY_MS && prng.chance(0.96);
  add(course, recordedAt, async () => {
    const attempt = await newestAttempt(course, method);
    const paidAt = Math.floor(at / SECOND_MS) * SECOND_MS;
    const record = paymentRecord(attempt, shop.acquirer, { amount, paidAt, hasFees });
    await deps.settlement.recordPayments(shop.accountId, [record]);
  });
  if (recordedAt < deps.until - shop.heldDays * DAY_MS) return;
  add(course, recordedAt + prng.int(3 * HOUR_MS, 60 * HOUR_MS), () =>
    releaseTransaction(deps, course.transactionId).catch(ignoreRefusal),
  );
}

function ignoreRefusal(error: unknown): void {
  if (!(error instanceof ServiceError || error instanceof OperatorError)) throw error;
}

function newestAttempt({ deps, transactionId }: Course, method: PaymentMethod): Promise<AttemptRow> {
  return deps.db.read
    .selectFrom('attempts')
    .selectAll()
    .where('transaction_id', '=', transactionId as Id<'tx'>)
    .where('method', '=', method)
    .orderBy('id', 'desc')
    .executeTakeFirstOrThrow();
}

async function sentAttempt(course: Course, method: PaymentMethod): Promise<BankAttempt> {
  const { bank_order_id } = await newestAttempt(course, method);
  const found = await course.deps.settlement.findAttempt(bank_order_id);
  if (found === null) throw new Error(`the attempt ${bank_order_id} does not exist`);
  return found;
}
