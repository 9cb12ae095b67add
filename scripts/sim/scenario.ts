import { readConfig, type Settings } from '../../src/config.ts';
import { HOUR_MS, MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Prng } from './prng.ts';

/** The probability of each fault. */
export type Faults = Readonly<Record<keyof typeof NO_FAULTS, number>>;

export const NO_FAULTS = {
  create: 0,
  question: 0,
  unreadableRow: 0,
  misnamedRow: 0,
  callback: 0,
  endpoint: 0,
  refund: 0,
  mail: 0,
  /** No connection is made for a create or a refund. */
  connection: 0,
  /** A unit of work is refused, or the answer to its commit is lost. */
  database: 0,
  /** A call goes on minutes after its commit. */
  stall: 0,
};

/** All choices of a seed before its run starts. */
export type Scenario = ReturnType<typeof drawScenario>;

/** Where a process crashes: at its n-th step of this name, or of any. */
export interface CrashPoint {
  step: string | null;
  nth: number;
}

/** The steps at which a crash interrupts most. */
const DEADLY_STEPS = [
  ...['push leaves', 'push arrived', 'push answered', 'reference leaves', 'reference arrived'],
  ...['reference answered', 'inquiry arrived', 'inquiry answered', 'list answered', 'callback comes'],
  ...['delivery leaves', 'delivery arrived', 'delivery answered', 'delivery failed', 'init comes'],
  ...['mail leaves', 'mail arrived', 'mail answered', 'session comes', 'page step comes', 'link comes'],
  ...['mbway comes', 'multibanco comes', 'operator comes', 'unit', 'commit', 'unit', 'commit'],
];

/** The steps at which a crash interrupts a refund. */
const REFUND_STEPS = ['refund leaves', 'refund arrived', 'refund answered', 'refund inquiry answered'];

/** Draws where a process crashes; null when it does not. */
export function drawCrashPoint(prng: Prng, scenario: Scenario): CrashPoint | null {
  if (!prng.chance(scenario.crashChance)) return null;
  if (prng.chance(0.2)) return { step: null, nth: prng.int(1, scenario.crashStepsMax) };
  if (scenario.refundActions > 0 && prng.chance(0.5)) return { step: prng.pick(REFUND_STEPS), nth: 1 };
  const step = prng.pick(DEADLY_STEPS);
  const nthMax = step === 'unit' || step === 'commit' ? 30 : 2;
  return { step, nth: prng.int(1, nthMax) };
}

export const SECRET_KEY = Buffer.alloc(32, 7);

/** Midnights in Lisbon (UTC) with their weights: ordinary days, and the days around both changes of the clock. */
const MIDNIGHTS = {
  winter: [3, Date.UTC(2026, 0, 15, 24, 0, 0)],
  summer: [3, Date.UTC(2026, 5, 10, 23, 0, 0)],
  springEve: [3, Date.UTC(2026, 2, 28, 24, 0, 0)],
  springDay: [2, Date.UTC(2026, 2, 29, 23, 0, 0)],
  autumnEve: [3, Date.UTC(2026, 9, 24, 23, 0, 0)],
  autumnDay: [2, Date.UTC(2026, 9, 25, 24, 0, 0)],
  newYear: [1, Date.UTC(2026, 11, 31, 24, 0, 0)],
} as const;

export function drawScenario(prng: Prng) {
  const midnight = prng.choose(MIDNIGHTS);
  const activeMs = prng.int(15 * MINUTE_MS, 90 * MINUTE_MS);
  const level = prng.pick([0, 0.2, 0.5, 0.9]);
  const refunds = prng.fork('refunds');
  const checkout = prng.fork('checkout');
  const routes = prng.fork('routes');
  const secondAcquirer = routes.chance(0.8);
  const database = prng.fork('database');
  const rate = () => (prng.chance(0.3) ? 0 : level * (0.3 + 0.7 * prng.fraction()));
  return {
    startAt: midnight - prng.int(5 * MINUTE_MS, prng.chance(0.5) ? 40 * MINUTE_MS : 3 * HOUR_MS),
    settings: drawSettings(prng, checkout),
    faults: {
      create: rate(),
      question: rate(),
      unreadableRow: rate() / 2,
      misnamedRow: rate() / 2,
      callback: rate(),
      endpoint: prng.pick([0, 0, 0.3, 0.6, 0.95]),
      refund: refunds.pick([0, 0.2, 0.5, 0.9]),
      mail: checkout.pick([0, 0.2, 0.6]),
      connection: routes.pick([0, 0.1, 0.3, 0.6]),
      database: database.pick([0, 0, 0.02, 0.1]),
      stall: database.pick([0, 0, 0.05, 0.2]),
    } satisfies Faults,
    transactions: prng.int(1, 3),
    merchants: prng.int(1, 2),
    /** The second merchant has a separate bank account. */
    ownAccount: prng.chance(0.3),
    /** How long merchants, customers and faults are active. */
    activeMs,
    /** The probability that a process crashes; see CrashPoint. */
    crashChance: prng.pick([0, 0.5, 0.9, 1]),
    crashStepsMax: prng.pick([5, 30, 150, 600]),
    jumps: prng.weighted({ 0: 5, 1: 2, 2: 2 }) === '0' ? 0 : prng.int(1, 3),
    freezes: prng.chance(0.3) ? prng.int(1, 2) : 0,
    stops: prng.chance(0.2) ? 1 : 0,
    operatorActions: prng.int(0, 15),
    refundActions: refunds.chance(0.4) ? 0 : refunds.int(5, 60),
    /** Merchants have routes to two acquirers. */
    secondAcquirer,
    routeActions: secondAcquirer && routes.chance(0.5) ? routes.int(1, 6) : 0,
    /** The share of time steps that follow every timer of the service instead of the next due row. */
    fineChance: prng.pick([0, 0, 0.02, 0.1]),
    brokenEndpoint: prng.chance(0.1),
    /** The bank takes seconds for every answer, within the timeout. */
    slowBank: prng.chance(0.15),
    /** Checkout sessions of merchants, and payment links of each. */
    sessions: checkout.int(0, 2),
    links: checkout.pick([0, 0, 1]),
    /** The probability that a merchant's endpoint is down for a while. */
    outages: checkout.pick([0, 0.5, 1]),
  };
}

function drawSettings(prng: Prng, checkout: Prng): Settings {
  const days = prng.chance(0.85) ? 0 : 1;
  // Over a day, reading the list every minute would be slow.
  const reconcileSeconds = days === 0 ? prng.pick([60, 300, 300, 600]) : prng.pick([1800, 3600]);
  return readConfig({
    SERVICE_DATABASE_URL: 'sqlite:/nowhere/service.db',
    SERVICE_SECRET_KEY: SECRET_KEY.toString('base64'),
    SERVICE_INQUIRY_SECONDS: String(prng.pick([10, 30, 60])),
    SERVICE_INQUIRIES_PER_SECOND: prng.pick(['10', '1000']),
    SERVICE_RECONCILE_SECONDS: String(reconcileSeconds),
    SERVICE_MBWAY_GRACE_SECONDS: prng.pick(['0', '30', '30']),
    SERVICE_MULTIBANCO_DAYS: String(days),
    SERVICE_MULTIBANCO_GRACE_MINUTES: prng.pick(['0', '1', '5', '30', '120']),
    SERVICE_PENDING_HOURS: prng.pick(['0.2', '0.5', '1', '3']),
    SERVICE_MBWAY_MAX_EUR: '5000',
    SERVICE_PHONE_PUSHES_PER_HOUR: checkout.pick(['3', '1000']),
    SERVICE_MAIL_REMINDER_HOURS: checkout.pick(['0', '0.1', '0.5', '2']),
    SERVICE_MAIL_ALERT_SECONDS: checkout.pick(['60', '600', '3600']),
    SERVICE_AUTO_RECOVER_SECONDS: checkout.pick(['1', '30,120', '60,300,900']),
  }).settings;
}
