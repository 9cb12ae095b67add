import type { Id } from '../../src/kernel/ids.ts';
import { lisbonEndOfDay } from '../../src/kernel/lisbon.ts';
import type { AttemptRow } from '../../src/payments/attempt-store.ts';
import type { Prng } from '../sim/prng.ts';
import { inOfficeHours } from './calendar.ts';
import type { History } from './history.ts';

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

/** The planned steps of one transaction; steps after the end of the data never run. */
export interface Scenario {
  history: History;
  prng: Prng;
  phone: string;
  accountId: Id<'acc'>;
  /** Whether a full receipt recorded at this instant is held. */
  holdAt: (recordedAt: number) => boolean;
  steps: Step[];
  /** The operator's actions, for the audit log. */
  actions: { at: number; action: 'transaction.released' | 'transaction.credited' }[];
}

/** Plans the method and the outcome of a transaction. */
export function planScenario(scenario: Scenario, references: number): void {
  const { history, prng } = scenario;
  const startedAt = history.row.created_at + prng.int(4, 70) * SECOND;
  const first = prng.chance(0.055) ? 'none' : prng.chance(references) ? 'reference' : 'push';
  if (first === 'reference') planReference(scenario, startedAt);
  else if (first === 'push') planPush(scenario, startedAt);
  add(scenario, history.row.created_at + history.rules.pendingMs + prng.int(50, 950), (at) =>
    history.abandon(at),
  );
}

/** Runs the planned steps in order, up to `until`. */
export function runScenario(scenario: Scenario, until: number): void {
  // A step may plan further steps.
  for (;;) {
    scenario.steps.sort((a, b) => a.at - b.at);
    const step = scenario.steps.shift();
    if (step === undefined || step.at > until) break;
    step.run();
  }
  scenario.history.close();
}

function add(scenario: Scenario, at: number, run: (at: number) => void): void {
  scenario.steps.push({ at, run: () => run(at) });
}

function planPush(scenario: Scenario, at: number): void {
  const outcome = scenario.prng.weighted({
    accepted: 826,
    rejected: 58,
    lapsed: 72,
    declined: 13,
    wrongPhone: 16,
    lost: 5,
    late: 6,
    down: 2,
  });
  switch (outcome) {
    case 'accepted':
      push(scenario, at, (attempt, sent) => pay(scenario, attempt, sent + answerMs(scenario.prng)));
      return;
    case 'rejected':
    case 'declined':
      push(scenario, at, (attempt, sent) =>
        add(scenario, sent + scenario.prng.int(6, 140) * SECOND, (end) =>
          scenario.history.end(attempt, end, outcome),
        ),
      );
      return;
    case 'lapsed':
    case 'late':
      push(scenario, at, (attempt, sent) => lapse(scenario, attempt, sent, outcome === 'late'));
      return;
    case 'lost':
      lostPush(scenario, at);
      return;
    case 'wrongPhone':
    case 'down':
      deadPush(scenario, at, outcome === 'down' ? 'unreachable' : 'phone-unknown');
  }
}

/** How long a customer takes to accept a push. */
function answerMs(prng: Prng): number {
  return Math.round((6 + 40 * prng.fraction() ** 2 + (prng.chance(0.12) ? prng.int(30, 160) : 0)) * SECOND);
}

function push(scenario: Scenario, at: number, then: (attempt: AttemptRow, sent: number) => void): void {
  add(scenario, at, () => {
    const attempt = scenario.history.begin(at, 'MBWAY', scenario.accountId, scenario.phone);
    const sent = at + scenario.prng.int(260, 900);
    add(scenario, sent, () => scenario.history.accept(attempt, sent));
    then(attempt, sent);
  });
}

function pay(scenario: Scenario, attempt: AttemptRow, paidAt: number): void {
  const { prng, history } = scenario;
  receive(scenario, attempt, history.row.amount_cents, paidAt, paidAt + prng.int(900, 3800));
}

/** Records a payment; a held one is released later. */
function receive(
  scenario: Scenario,
  attempt: AttemptRow,
  amount: number,
  paidAt: number,
  recordedAt: number,
): void {
  add(scenario, recordedAt, () => {
    const wasHeld = scenario.history.row.held === 1;
    const at = Math.floor(paidAt / SECOND) * SECOND;
    scenario.history.receive(attempt, amount, at, recordedAt, scenario.holdAt(recordedAt));
    if (scenario.history.row.held === 1 && !wasHeld) planRelease(scenario, recordedAt);
  });
}

function planRelease(scenario: Scenario, heldAt: number): void {
  const at = inOfficeHours(scenario.prng, heldAt + scenario.prng.int(3 * HOUR, 60 * HOUR));
  add(scenario, at, () => {
    scenario.history.release(at);
    scenario.actions.push({ at, action: 'transaction.released' });
  });
}

function lapse(scenario: Scenario, attempt: AttemptRow, sent: number, late: boolean): void {
  const { history, prng } = scenario;
  const over = sent + history.rules.mbwayWindowMs + history.rules.mbwayGraceMs;
  add(scenario, over + prng.int(10, 900), (at) => history.end(attempt, at, 'lapsed'));
  if (late) {
    const recordedAt = over + prng.int(4 * SECOND, 50 * MINUTE);
    receive(scenario, attempt, history.row.amount_cents, recordedAt - prng.int(1, 4) * SECOND, recordedAt);
  }
}

/** The bank's answer is lost; its list shows the payment minutes later. */
function lostPush(scenario: Scenario, at: number): void {
  add(scenario, at, () => {
    const attempt = scenario.history.begin(at, 'MBWAY', scenario.accountId, scenario.phone);
    const given = at + 10 * SECOND;
    add(scenario, given, () => scenario.history.lose(attempt, given));
    const recordedAt = given + scenario.prng.int(2, 6) * MINUTE;
    receive(
      scenario,
      attempt,
      scenario.history.row.amount_cents,
      given + scenario.prng.int(5, 60) * SECOND,
      recordedAt,
    );
  });
}

/** The first push fails; another number, or a later try, succeeds. */
function deadPush(scenario: Scenario, at: number, reason: 'phone-unknown' | 'unreachable'): void {
  add(scenario, at, () => {
    const other = `9${scenario.prng.pick(['1', '2', '3', '6'])}${scenario.prng.int(1_000_000, 9_999_999)}`;
    const phone = reason === 'phone-unknown' ? other : scenario.phone;
    const attempt = scenario.history.begin(at, 'MBWAY', scenario.accountId, phone);
    add(scenario, at + scenario.prng.int(200, 900), (end) =>
      scenario.history.end(attempt, end, 'dead', reason),
    );
    if (scenario.prng.chance(0.8)) {
      push(scenario, at + scenario.prng.int(25, 180) * SECOND, (next, sent) =>
        pay(scenario, next, sent + answerMs(scenario.prng)),
      );
    }
  });
}

function planReference(scenario: Scenario, at: number): void {
  const outcome = scenario.prng.weighted({
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
  add(scenario, at, () => {
    const attempt = scenario.history.begin(at, 'REFERENCE', scenario.accountId, null);
    const made = at + scenario.prng.int(350, 1200);
    if (outcome === 'dead') {
      add(scenario, made, () => scenario.history.end(attempt, made, 'dead', 'no-answer'));
      const again = made + scenario.prng.int(20, 200) * SECOND;
      push(scenario, again, (next, sent) => pay(scenario, next, sent + answerMs(scenario.prng)));
      return;
    }
    const expiresAt = lisbonEndOfDay(made, REFERENCE_DAYS);
    add(scenario, made, () =>
      scenario.history.accept(attempt, made, {
        entity: ENTITY,
        reference: referenceOf(scenario.prng),
        expiresAt,
      }),
    );
    const over = expiresAt + scenario.history.rules.multibancoGraceMs + scenario.prng.int(1, 40) * SECOND;
    add(scenario, over, () => scenario.history.end(attempt, over, 'expired'));
    settleReference(scenario, attempt, outcome, made, expiresAt, over);
  });
}

function referenceOf(prng: Prng): string {
  return String(prng.int(100_000_000, 999_999_999));
}

function settleReference(
  scenario: Scenario,
  attempt: AttemptRow,
  outcome: 'paid' | 'expired' | 'thenPush' | 'both' | 'late' | 'twice' | 'under' | 'over',
  made: number,
  expiresAt: number,
  over: number,
): void {
  const { history, prng } = scenario;
  const due = history.row.amount_cents;
  const paidAt = Math.min(made + 3 * MINUTE + Math.round(prng.fraction() ** 2.4 * 2.6 * DAY), expiresAt);
  const seen = (at: number) => at + prng.int(1500, 45_000);
  switch (outcome) {
    case 'expired':
      return;
    case 'paid':
    case 'twice': {
      receive(scenario, attempt, due, paidAt, seen(paidAt));
      const again = paidAt + prng.int(5, 60) * HOUR;
      if (outcome === 'twice') receive(scenario, attempt, due, again, seen(again));
      return;
    }
    case 'over':
      receive(scenario, attempt, due + prng.pick([1, 5, 10, 50, 100, 500, 1000]), paidAt, seen(paidAt));
      return;
    case 'under':
      tooLittle(scenario, attempt, made, expiresAt);
      return;
    case 'late': {
      const at = over + prng.int(1, 40) * HOUR;
      receive(scenario, attempt, due, at, seen(at));
      return;
    }
    case 'both':
    case 'thenPush': {
      const at = made + prng.int(40, 400) * SECOND;
      const answered = outcome === 'both' || prng.chance(0.7);
      push(scenario, at, (next, sent) => {
        if (answered) pay(scenario, next, sent + answerMs(prng));
        else lapse(scenario, next, sent, false);
        // A customer who ignores the push pays the reference; some pay both.
        const later = Math.max(paidAt, sent + 10 * MINUTE);
        if (outcome === 'both' || !answered) receive(scenario, attempt, due, later, seen(later));
      });
    }
  }
}

/** Pays a part; often the rest follows, and the operator credits both. */
function tooLittle(scenario: Scenario, attempt: AttemptRow, made: number, expiresAt: number): void {
  const { history, prng } = scenario;
  const due = history.row.amount_cents;
  const missing = Math.min(prng.pick([1, 10, 90, 395, 500]), due - 1);
  const first = made + prng.int(1, 20) * HOUR;
  receive(scenario, attempt, due - missing, first, first + prng.int(1500, 45_000));
  if (!prng.chance(0.6)) return;
  const second = Math.min(first + prng.int(2, 24) * HOUR, expiresAt);
  receive(scenario, attempt, missing, second, second + prng.int(1500, 45_000));
  const at = inOfficeHours(prng, second + prng.int(3, 30) * HOUR);
  add(scenario, at, () => {
    if (history.row.status === 'paid') return;
    history.credit(at);
    scenario.actions.push({ at, action: 'transaction.credited' });
  });
}
