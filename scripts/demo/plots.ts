import type { Id } from '../../src/kernel/ids.ts';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import type { Prng } from '../sim/prng.ts';
import { inOfficeHours } from './calendar.ts';
import type { Tale } from './tale.ts';

const SECOND = 1000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const REFERENCE_DAYS = 3;
const ENTITY = '11990';

export interface Step {
  at: number;
  run: () => void;
}

/** What happens to one transaction, still as a plan: whatever lies after the end of the data is never told. */
export interface Plot {
  tale: Tale;
  prng: Prng;
  phone: string;
  accountId: Id<'acc'>;
  /** Whether a full receipt that is recorded at this instant waits for a release. */
  holdAt: (recordedAt: number) => boolean;
  steps: Step[];
  /** What the operator did to it; for the audit log. */
  acts: { at: number; action: 'transaction.released' | 'transaction.credited' }[];
}

/** Plans a transaction from its beginning: which method, and what became of it. */
export function plan(plot: Plot, references: number): void {
  const { tale, prng } = plot;
  const startedAt = tale.row.created_at + prng.int(4, 70) * SECOND;
  const first = prng.chance(0.055) ? 'none' : prng.chance(references) ? 'reference' : 'push';
  if (first === 'reference') planReference(plot, startedAt);
  else if (first === 'push') planPush(plot, startedAt);
  add(plot, tale.row.created_at + tale.rules.pendingMs + prng.int(50, 950), (at) => tale.abandon(at));
}

/** Tells what was planned, in order, up to `until`. */
export function tell(plot: Plot, until: number): void {
  // A step may plan further ones: the list is looked at anew each time.
  for (;;) {
    plot.steps.sort((a, b) => a.at - b.at);
    const step = plot.steps.shift();
    if (step === undefined || step.at > until) break;
    step.run();
  }
  plot.tale.close();
}

function add(plot: Plot, at: number, run: (at: number) => void): void {
  plot.steps.push({ at, run: () => run(at) });
}

function planPush(plot: Plot, at: number): void {
  const fate = plot.prng.weighted({
    accepted: 826,
    rejected: 58,
    lapsed: 72,
    declined: 13,
    wrongPhone: 16,
    lost: 5,
    late: 6,
    down: 2,
  });
  switch (fate) {
    case 'accepted':
      push(plot, at, (attempt, sent) => pay(plot, attempt, sent + answerMs(plot.prng)));
      return;
    case 'rejected':
    case 'declined':
      push(plot, at, (attempt, sent) =>
        add(plot, sent + plot.prng.int(6, 140) * SECOND, (end) => plot.tale.end(attempt, end, fate)),
      );
      return;
    case 'lapsed':
    case 'late':
      push(plot, at, (attempt, sent) => lapse(plot, attempt, sent, fate === 'late'));
      return;
    case 'lost':
      lostPush(plot, at);
      return;
    case 'wrongPhone':
    case 'down':
      deadPush(plot, at, fate === 'down' ? 'unreachable' : 'phone-unknown');
  }
}

/** How long people take to find their telephone. */
function answerMs(prng: Prng): number {
  return Math.round((6 + 40 * prng.fraction() ** 2 + (prng.chance(0.12) ? prng.int(30, 160) : 0)) * SECOND);
}

function push(plot: Plot, at: number, then: (attempt: AttemptRow, sent: number) => void): void {
  add(plot, at, () => {
    const attempt = plot.tale.begin(at, 'MBWAY', plot.accountId, plot.phone);
    const sent = at + plot.prng.int(260, 900);
    add(plot, sent, () => plot.tale.accept(attempt, sent));
    then(attempt, sent);
  });
}

function pay(plot: Plot, attempt: AttemptRow, paidAt: number): void {
  const { prng, tale } = plot;
  receive(plot, attempt, tale.row.amount_cents, paidAt, paidAt + prng.int(900, 3800));
}

/** Money with the bank's second; in a held account somebody of the platform looks at it later. */
function receive(plot: Plot, attempt: AttemptRow, amount: number, paidAt: number, recordedAt: number): void {
  add(plot, recordedAt, () => {
    const wasHeld = plot.tale.row.held === 1;
    const at = Math.floor(paidAt / SECOND) * SECOND;
    plot.tale.receive(attempt, amount, at, recordedAt, plot.holdAt(recordedAt));
    if (plot.tale.row.held === 1 && !wasHeld) planRelease(plot, recordedAt);
  });
}

function planRelease(plot: Plot, heldAt: number): void {
  const at = inOfficeHours(plot.prng, heldAt + plot.prng.int(3 * HOUR, 60 * HOUR));
  add(plot, at, () => {
    plot.tale.release(at);
    plot.acts.push({ at, action: 'transaction.released' });
  });
}

function lapse(plot: Plot, attempt: AttemptRow, sent: number, late: boolean): void {
  const { tale, prng } = plot;
  const over = sent + tale.rules.mbwayWindowMs + tale.rules.mbwayGraceMs;
  add(plot, over + prng.int(10, 900), (at) => tale.end(attempt, at, 'lapsed'));
  if (late) {
    const recordedAt = over + prng.int(4 * SECOND, 50 * MINUTE);
    receive(plot, attempt, tale.row.amount_cents, recordedAt - prng.int(1, 4) * SECOND, recordedAt);
  }
}

/** The bank's answer got lost; its list shows the payment minutes later. */
function lostPush(plot: Plot, at: number): void {
  add(plot, at, () => {
    const attempt = plot.tale.begin(at, 'MBWAY', plot.accountId, plot.phone);
    const given = at + 10 * SECOND;
    add(plot, given, () => plot.tale.lose(attempt, given));
    const recordedAt = given + plot.prng.int(2, 6) * MINUTE;
    receive(plot, attempt, plot.tale.row.amount_cents, given + plot.prng.int(5, 60) * SECOND, recordedAt);
  });
}

/** Nothing came of the first push; with another number, or a little later, it works. */
function deadPush(plot: Plot, at: number, reason: 'phone-unknown' | 'unreachable'): void {
  add(plot, at, () => {
    const other = `9${plot.prng.pick(['1', '2', '3', '6'])}${plot.prng.int(1_000_000, 9_999_999)}`;
    const phone = reason === 'phone-unknown' ? other : plot.phone;
    const attempt = plot.tale.begin(at, 'MBWAY', plot.accountId, phone);
    add(plot, at + plot.prng.int(200, 900), (end) => plot.tale.end(attempt, end, 'dead', reason));
    if (plot.prng.chance(0.8)) {
      push(plot, at + plot.prng.int(25, 180) * SECOND, (next, sent) =>
        pay(plot, next, sent + answerMs(plot.prng)),
      );
    }
  });
}

function planReference(plot: Plot, at: number): void {
  const fate = plot.prng.weighted({
    paid: 690,
    expired: 218,
    thenPush: 46,
    late: 11,
    twice: 7,
    both: 6,
    under: 9,
    over: 9,
    dead: 10,
  });
  add(plot, at, () => {
    const attempt = plot.tale.begin(at, 'REFERENCE', plot.accountId, null);
    const made = at + plot.prng.int(350, 1200);
    if (fate === 'dead') {
      add(plot, made, () => plot.tale.end(attempt, made, 'dead', 'no-answer'));
      const again = made + plot.prng.int(20, 200) * SECOND;
      push(plot, again, (next, sent) => pay(plot, next, sent + answerMs(plot.prng)));
      return;
    }
    const expiresAt = lisbonEndOfDay(made, REFERENCE_DAYS);
    add(plot, made, () =>
      plot.tale.accept(attempt, made, { entity: ENTITY, reference: referenceOf(plot.prng), expiresAt }),
    );
    const over = expiresAt + plot.tale.rules.multibancoGraceMs + plot.prng.int(1, 40) * SECOND;
    add(plot, over, () => plot.tale.end(attempt, over, 'expired'));
    settleReference(plot, attempt, fate, made, expiresAt, over);
  });
}

function referenceOf(prng: Prng): string {
  return String(prng.int(100_000_000, 999_999_999));
}

function settleReference(
  plot: Plot,
  attempt: AttemptRow,
  fate: 'paid' | 'expired' | 'thenPush' | 'both' | 'late' | 'twice' | 'under' | 'over',
  made: number,
  expiresAt: number,
  over: number,
): void {
  const { tale, prng } = plot;
  const due = tale.row.amount_cents;
  const paidAt = Math.min(made + 3 * MINUTE + Math.round(prng.fraction() ** 2.4 * 2.6 * DAY), expiresAt);
  const seen = (at: number) => at + prng.int(1500, 45_000);
  switch (fate) {
    case 'expired':
      return;
    case 'paid':
    case 'twice': {
      receive(plot, attempt, due, paidAt, seen(paidAt));
      const again = paidAt + prng.int(5, 60) * HOUR;
      if (fate === 'twice') receive(plot, attempt, due, again, seen(again));
      return;
    }
    case 'over':
      receive(plot, attempt, due + prng.pick([1, 5, 10, 50, 100, 500, 1000]), paidAt, seen(paidAt));
      return;
    case 'under':
      tooLittle(plot, attempt, made, expiresAt);
      return;
    case 'late': {
      const at = over + prng.int(1, 40) * HOUR;
      receive(plot, attempt, due, at, seen(at));
      return;
    }
    case 'both':
    case 'thenPush': {
      const at = made + prng.int(40, 400) * SECOND;
      const answered = fate === 'both' || prng.chance(0.7);
      push(plot, at, (next, sent) => {
        if (answered) pay(plot, next, sent + answerMs(prng));
        else lapse(plot, next, sent, false);
        // Whoever let the push go pays the reference; now and then somebody pays both.
        const later = Math.max(paidAt, sent + 10 * MINUTE);
        if (fate === 'both' || !answered) receive(plot, attempt, due, later, seen(later));
      });
    }
  }
}

/** Part of the sum; often the rest follows, and the operator credits both together. */
function tooLittle(plot: Plot, attempt: AttemptRow, made: number, expiresAt: number): void {
  const { tale, prng } = plot;
  const due = tale.row.amount_cents;
  const missing = Math.min(prng.pick([1, 10, 90, 395, 500]), due - 1);
  const first = made + prng.int(1, 20) * HOUR;
  receive(plot, attempt, due - missing, first, first + prng.int(1500, 45_000));
  if (!prng.chance(0.6)) return;
  const second = Math.min(first + prng.int(2, 24) * HOUR, expiresAt);
  receive(plot, attempt, missing, second, second + prng.int(1500, 45_000));
  const at = inOfficeHours(prng, second + prng.int(3, 30) * HOUR);
  add(plot, at, () => {
    if (tale.row.status === 'paid') return;
    tale.credit(at);
    plot.acts.push({ at, action: 'transaction.credited' });
  });
}
