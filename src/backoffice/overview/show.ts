import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { dayAfter, lisbonDay } from '../../kernel/lisbon.ts';
import { type Missed, missedEvents } from '../webhook/missed.ts';
import { firstSteps, methodDays, openExceptions, pendingNow } from './store.ts';

const METHODS = ['MBWAY', 'REFERENCE'] as const;
const CONVERSION_DAYS = 30;
/** How long after its first payment an account counts as new. */
const NEW_MS = 14 * 24 * 3_600_000;

/** Money of a span of days, in cents, and its number of payments. */
export interface Taken {
  cents: number;
  count: number;
}

/** What the overview shows. Amounts in cents, instants in UTC milliseconds, days `YYYY-MM-DD` in Lisbon. */
export interface Overview {
  today: string;
  /** Spans that end today, each with the same number of days before it. */
  taken: { days: 1 | 7 | 30; now: Taken; before: Taken }[];
  /** Of the pushes or references begun in the last 30 days, how many were paid. `share` is null without any. */
  conversion: { method: 'MBWAY' | 'REFERENCE'; begun: number; paid: number; share: number | null }[];
  pending: Taken;
  /** The same as the webhook page says. */
  missed: Missed | null;
  /** Receipts that wait for people, at most 1000. */
  exceptions: number;
  /** How far a new account has come; null for one that has been paid for two weeks. */
  steps: Omit<Awaited<ReturnType<typeof firstSteps>>, 'firstPaidAt'> | null;
}

/** A merchant's overview, from the daily totals: as quick on a million transactions as on ten. */
export async function showOverview(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: Id<'mer'>,
): Promise<Overview> {
  const db = deps.db.read;
  const today = lisbonDay(deps.clock.now());
  const rows = await methodDays(db, merchantId, { from: dayAfter(today, -59), to: today });
  const takenBetween = (from: string, to: string): Taken => {
    const within = rows.filter(({ day }) => day >= from && day <= to);
    return {
      cents: sum(within.map((row) => row.paid_cents)),
      count: sum(within.map((row) => row.paid_count)),
    };
  };
  return {
    today,
    taken: ([1, 7, 30] as const).map((days) => ({
      days,
      now: takenBetween(dayAfter(today, 1 - days), today),
      before: takenBetween(dayAfter(today, 1 - 2 * days), dayAfter(today, -days)),
    })),
    conversion: METHODS.map((method) => {
      const since = dayAfter(today, 1 - CONVERSION_DAYS);
      const own = rows.filter((row) => row.method === method && row.day >= since);
      const begun = sum(own.map((row) => row.attempts_count));
      const paid = sum(own.map((row) => row.paid_count));
      // Paid in the span, perhaps begun before it: at the edge there may be more of these.
      return { method, begun, paid, share: begun === 0 ? null : Math.min(1, paid / begun) };
    }),
    pending: await pendingNow(db, merchantId),
    missed: await missedEvents(db, merchantId),
    exceptions: await openExceptions(db, merchantId),
    steps: stepsOf(await firstSteps(db, merchantId), deps.clock.now()),
  };
}

function stepsOf(
  { firstPaidAt, ...steps }: Awaited<ReturnType<typeof firstSteps>>,
  now: number,
): Overview['steps'] {
  return firstPaidAt !== null && now - firstPaidAt > NEW_MS ? null : steps;
}

/** One day of the chart; amounts in cents. */
export interface ChartDay {
  day: string;
  mbwayCents: number;
  mbwayCount: number;
  referenceCents: number;
  referenceCount: number;
}

/** What was taken day by day, oldest first, today last; every day is there. */
export async function showSeries(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: Id<'mer'>,
  days: number,
): Promise<ChartDay[]> {
  const today = lisbonDay(deps.clock.now());
  const from = dayAfter(today, 1 - days);
  const rows = await methodDays(deps.db.read, merchantId, { from, to: today });
  return Array.from({ length: days }, (_, index) => {
    const day = dayAfter(from, index);
    const of = (method: 'MBWAY' | 'REFERENCE') =>
      rows.find((row) => row.day === day && row.method === method);
    return {
      day,
      ...{ mbwayCents: of('MBWAY')?.paid_cents ?? 0, mbwayCount: of('MBWAY')?.paid_count ?? 0 },
      ...{
        referenceCents: of('REFERENCE')?.paid_cents ?? 0,
        referenceCount: of('REFERENCE')?.paid_count ?? 0,
      },
    };
  });
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
