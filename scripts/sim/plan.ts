import { readConfig, type Settings } from '../../src/config.ts';
import type { Prng } from './prng.ts';

/** How often each thing goes wrong while a run is at its worst; 0 is never, 1 is always. */
export interface Faults {
  create: number;
  question: number;
  unreadableRow: number;
  callback: number;
  endpoint: number;
}

export const NO_FAULTS: Faults = { create: 0, question: 0, unreadableRow: 0, callback: 0, endpoint: 0 };

/** Everything that a seed decides before its run begins. */
export interface Plan {
  startAt: number;
  settings: Settings;
  faults: Faults;
  transactions: number;
  merchants: number;
  /** The second merchant has an account of its own at the bank. */
  ownAccount: boolean;
  /** How long merchants, shoppers and faults are at work; then everything becomes healthy. */
  activeMs: number;
  /** Probability that a life of the process is cut short; where, see Doom. */
  crashChance: number;
  crashStepsMax: number;
  jumps: number;
  freezes: number;
  stops: number;
  operatorActs: number;
  /** Of the stops of time, how many follow every timer of the service instead of going on to where something is due. */
  fineChance: number;
  /** An endpoint that never recovers. */
  brokenEndpoint: boolean;
  /** The bank takes seconds for every answer, and still gives it in time. */
  slowBank: boolean;
}

/** Where a life ends: at its n-th step of this name, or of any. */
export interface Doom {
  step: string | null;
  nth: number;
}

/** The steps at which a death leaves most behind. */
const DEADLY_STEPS = [
  ...['push leaves', 'push arrived', 'push answered', 'reference leaves', 'reference arrived'],
  ...['reference answered', 'inquiry arrived', 'inquiry answered', 'list answered', 'callback comes'],
  ...['delivery leaves', 'delivery arrived', 'delivery answered', 'delivery failed', 'init comes'],
  ...['mbway comes', 'multibanco comes', 'operator comes', 'unit', 'commit', 'unit', 'commit'],
];

/** The end of one life; null when it goes on. */
export function drawDoom(prng: Prng, plan: Plan): Doom | null {
  if (!prng.chance(plan.crashChance)) return null;
  if (prng.chance(0.2)) return { step: null, nth: prng.int(1, plan.crashStepsMax) };
  const step = prng.pick(DEADLY_STEPS);
  const nthMax = step === 'unit' || step === 'commit' ? 30 : 2;
  return { step, nth: prng.int(1, nthMax) };
}

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const SECRET_KEY = Buffer.alloc(32, 7);

/** Evenings (UTC) before which Lisbon has its midnight: plain days, and the eves and days of both changes of the hour. */
const MIDNIGHTS = {
  winter: Date.UTC(2026, 0, 15, 24, 0, 0),
  summer: Date.UTC(2026, 5, 10, 23, 0, 0),
  springEve: Date.UTC(2026, 2, 28, 24, 0, 0),
  springDay: Date.UTC(2026, 2, 29, 23, 0, 0),
  autumnEve: Date.UTC(2026, 9, 24, 23, 0, 0),
  autumnDay: Date.UTC(2026, 9, 25, 24, 0, 0),
  newYear: Date.UTC(2026, 11, 31, 24, 0, 0),
};

export function drawPlan(prng: Prng): Plan {
  const midnight = prng.weighted({
    ...{ winter: 3, summer: 3, springEve: 3, springDay: 2, autumnEve: 3, autumnDay: 2, newYear: 1 },
  });
  const activeMs = prng.int(15 * MINUTE_MS, 90 * MINUTE_MS);
  const level = prng.pick([0, 0.2, 0.5, 0.9]);
  const rate = () => (prng.chance(0.3) ? 0 : level * (0.3 + 0.7 * prng.fraction()));
  return {
    startAt: MIDNIGHTS[midnight] - prng.int(5 * MINUTE_MS, prng.chance(0.5) ? 40 * MINUTE_MS : 3 * HOUR_MS),
    settings: drawSettings(prng),
    faults: {
      create: rate(),
      question: rate(),
      unreadableRow: rate() / 2,
      callback: rate(),
      endpoint: prng.pick([0, 0, 0.3, 0.6, 0.95]),
    },
    transactions: prng.int(1, 4),
    merchants: prng.int(1, 2),
    ownAccount: prng.chance(0.3),
    activeMs,
    crashChance: prng.pick([0, 0.5, 0.9, 1]),
    crashStepsMax: prng.pick([5, 30, 150, 600]),
    jumps: prng.weighted({ 0: 5, 1: 2, 2: 2 }) === '0' ? 0 : prng.int(1, 3),
    freezes: prng.chance(0.3) ? prng.int(1, 2) : 0,
    stops: prng.chance(0.2) ? 1 : 0,
    operatorActs: prng.int(0, 10),
    fineChance: prng.pick([0, 0, 0.02, 0.1]),
    brokenEndpoint: prng.chance(0.1),
    slowBank: prng.chance(0.15),
  };
}

function drawSettings(prng: Prng): Settings {
  const days = prng.chance(0.85) ? 0 : 1;
  // A day of looking at the list every minute is long and teaches nothing.
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
  }).settings;
}

export { SECRET_KEY };
