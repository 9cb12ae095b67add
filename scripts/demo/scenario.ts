import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import type { Prng } from '../sim/prng.ts';
import { type History, newAttempt } from './history.ts';
import { mobileNumber } from './ids.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REFERENCE_DAYS = 3;
/** The entity of the references of each acquirer. */
export const ENTITIES: Readonly<Record<Acquirer, string>> = { ifthenpay: '11990', eupago: '81921' };

/** One transaction and the inputs that decide its course. */
export interface Scenario {
  history: History;
  prng: Prng;
  phone: string;
  accountId: Id<'acc'>;
  acquirer: Acquirer;
  /** The share of customers who choose a reference. */
  references: number;
  /** The merchant's payments are held from this instant on. */
  holdFrom: number;
}

interface Step {
  at: number;
  run: () => void;
}

type Plan = Scenario & { steps: Step[] };

/** Plans how the customer pays and runs the steps up to `until`. */
export function runScenario(scenario: Scenario, until: number): void {
  const { history, prng } = scenario;
  const plan = { ...scenario, steps: [] };
  const startedAt = history.row.created_at + prng.int(4, 70) * SECOND;
  if (!prng.chance(0.055)) {
    if (prng.chance(scenario.references)) planReference(plan, startedAt);
    else planPush(plan, startedAt);
  }
  const deadline = history.row.created_at + history.rules.pendingMs + prng.int(50, 950);
  add(plan, deadline, () => history.abandon(deadline));
  const due = plan.steps.filter(({ at }) => at <= until) as Step[];
  for (const step of due.sort((a, b) => a.at - b.at)) step.run();
}

function add(plan: Plan, at: number, run: () => void): void {
  plan.steps.push({ at, run });
}

function planPush(plan: Plan, at: number): void {
  const outcomes = { accepted: 828, rejected: 58, lapsed: 74, declined: 13, late: 6, unknownPhone: 21 };
  const outcome = plan.prng.weighted(outcomes);
  switch (outcome) {
    case 'accepted':
      payPush(plan, at);
      break;
    case 'rejected':
    case 'declined':
      refusePush(plan, at, outcome);
      break;
    case 'lapsed':
      lapsePush(plan, at);
      break;
    case 'late': {
      const { attempt, lapsedAt } = lapsePush(plan, at);
      const paidAt = lapsedAt + plan.prng.int(4 * SECOND, 50 * MINUTE);
      addReceipt(plan, attempt, plan.history.row.amount_cents, paidAt);
      break;
    }
    case 'unknownPhone':
      planUnknownPhone(plan, at);
  }
}

function refusePush(plan: Plan, at: number, ending: 'rejected' | 'declined'): void {
  const { attempt, acceptedAt } = addPush(plan, at);
  const endedAt = acceptedAt + plan.prng.int(6, 140) * SECOND;
  add(plan, endedAt, () => plan.history.end(attempt, endedAt, ending));
}

function lapsePush(plan: Plan, at: number): { attempt: AttemptRow; lapsedAt: number } {
  const { history, prng } = plan;
  const { attempt, acceptedAt } = addPush(plan, at);
  const lapsedAt = acceptedAt + history.rules.mbwayWindowMs + history.rules.mbwayGraceMs + prng.int(10, 900);
  add(plan, lapsedAt, () => history.end(attempt, lapsedAt, 'lapsed'));
  return { attempt, lapsedAt };
}

/** The first number is unknown to MB WAY; most customers correct it. */
function planUnknownPhone(plan: Plan, at: number): void {
  const { history, prng } = plan;
  const attempt = addAttempt(plan, at, 'MBWAY', mobileNumber(prng));
  const endedAt = at + prng.int(200, 900);
  add(plan, endedAt, () => history.end(attempt, endedAt, 'dead', 'phone-unknown'));
  if (prng.chance(0.8)) payPush(plan, at + prng.int(25, 180) * SECOND);
}

function planReference(plan: Plan, at: number): void {
  const { history, prng } = plan;
  const attempt = addAttempt(plan, at, 'REFERENCE', null);
  const madeAt = at + prng.int(350, 1200);
  const expiresAt = lisbonEndOfDay(madeAt, REFERENCE_DAYS);
  const reference = String(prng.int(100_000_000, 999_999_999));
  add(plan, madeAt, () =>
    history.accept(attempt, madeAt, { entity: ENTITIES[plan.acquirer], reference, expiresAt }),
  );
  const endedAt = expiresAt + history.rules.multibancoGraceMs + prng.int(1, 40) * SECOND;
  add(plan, endedAt, () => history.end(attempt, endedAt, 'expired'));
  const due = history.row.amount_cents;
  const paidAt = Math.min(madeAt + 20 * MINUTE + Math.round(prng.fraction() ** 2.4 * 2.6 * DAY), expiresAt);
  const outcome = prng.weighted({ paid: 740, expired: 218, duplicate: 13, late: 11, under: 9, over: 9 });
  if (outcome === 'expired') return;
  if (outcome === 'duplicate') payPush(plan, madeAt + prng.int(40, 400) * SECOND);
  const amounts = {
    under: due - Math.min(prng.pick([1, 10, 90, 395, 500]), due - 1),
    over: due + prng.pick([1, 5, 10, 50, 100, 500, 1000]),
    paid: due,
    duplicate: due,
    late: due,
  };
  const lateAt = endedAt + prng.int(1, 40) * HOUR;
  addReceipt(plan, attempt, amounts[outcome], outcome === 'late' ? lateAt : paidAt);
}

function addAttempt(plan: Plan, at: number, method: AttemptRow['method'], phone: string | null): AttemptRow {
  const attempt = newAttempt(plan.prng, plan.history.row, plan.accountId, { at, method, phone });
  add(plan, at, () => plan.history.attempts.push(attempt));
  return attempt;
}

function addPush(plan: Plan, at: number): { attempt: AttemptRow; acceptedAt: number } {
  const attempt = addAttempt(plan, at, 'MBWAY', plan.phone);
  const acceptedAt = at + plan.prng.int(260, 900);
  add(plan, acceptedAt, () => plan.history.accept(attempt, acceptedAt, null));
  return { attempt, acceptedAt };
}

/** Sends a push that the customer accepts within a minute or two. */
function payPush(plan: Plan, at: number): void {
  const { attempt, acceptedAt } = addPush(plan, at);
  const answerMs = 6 * SECOND + Math.round(100 * SECOND * plan.prng.fraction() ** 3);
  addReceipt(plan, attempt, plan.history.row.amount_cents, acceptedAt + answerMs);
}

/** Adds a payment and, when the merchant is on hold, its release. */
function addReceipt(plan: Plan, attempt: AttemptRow, amount: number, paidAt: number): void {
  const { history, prng } = plan;
  const recordedAt = paidAt + prng.int(900, 20_000);
  const hold = recordedAt >= plan.holdFrom;
  const second = Math.floor(paidAt / SECOND) * SECOND;
  add(plan, recordedAt, () => history.receive(attempt, amount, second, recordedAt, hold));
  if (!hold) return;
  const releasedAt = recordedAt + prng.int(3 * HOUR, 60 * HOUR);
  add(plan, releasedAt, () => history.release(releasedAt));
}
