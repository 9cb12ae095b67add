import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { dayAfter, lisbonDay } from '../../kernel/lisbon.ts';
import { METHODS } from '../../kernel/payment-enums.ts';
import { countCases } from '../exceptions/list.ts';
import type { CaseScope } from '../exceptions/store.ts';
import { missedEvents } from '../webhook/store.ts';
import { firstSteps, methodDays, pendingNow } from './store.ts';

const CONVERSION_DAYS = 30;
/** An account counts as new for this long after its first payment. */
const NEW_MS = 14 * 24 * 3_600_000;

export interface Taken {
  cents: number;
  count: number;
}

/** A merchant's overview, from the daily totals. Amounts in cents, instants in UTC milliseconds, days in Lisbon. */
export async function showOverview(
  deps: Pick<Deps, 'db' | 'clock'>,
  merchantId: Id<'mer'>,
  cases: CaseScope = { viewer: merchantId },
) {
  const db = deps.db.read;
  const today = lisbonDay(deps.clock.now());
  const first = await firstSteps(db, merchantId);
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
    /** Periods that end today, each with the equally long period before. */
    taken: ([1, 7, 30] as const).map((days) => ({
      days,
      now: takenBetween(dayAfter(today, 1 - days), today),
      before: takenBetween(dayAfter(today, 1 - 2 * days), dayAfter(today, -days)),
    })),
    /** The share of attempts that were paid in 30 days; null without attempts. */
    conversion: METHODS.map((method) => {
      const since = dayAfter(today, 1 - CONVERSION_DAYS);
      const own = rows.filter((row) => row.method === method && row.day >= since);
      const begun = sum(own.map((row) => row.attempts_count));
      const paid = sum(own.map((row) => row.paid_count));
      // Attempts paid in the period can have begun before it.
      return { method, begun, paid, share: begun === 0 ? null : Math.min(1, paid / begun) };
    }),
    pending: await pendingNow(db, merchantId),
    // A merchant who collects by payment links alone has no shop that misses an event.
    missed: first.webhookSet || first.key ? await missedEvents(db, merchantId) : null,
    exceptions: (await countCases(deps, cases)).count,
    steps: stepsOf(first, deps.clock.now()),
  };
}
export type Overview = Awaited<ReturnType<typeof showOverview>>;

/** Null for an account whose first payment is older than two weeks. */
function stepsOf({ firstPaidAt, ...steps }: Awaited<ReturnType<typeof firstSteps>>, now: number) {
  return firstPaidAt !== null && now - firstPaidAt > NEW_MS ? null : steps;
}

/** The payments of each day, oldest first, including days without any. Amounts in cents. */
export async function showSeries(deps: Pick<Deps, 'db' | 'clock'>, merchantId: Id<'mer'>, days: number) {
  const today = lisbonDay(deps.clock.now());
  const from = dayAfter(today, 1 - days);
  const rows = await methodDays(deps.db.read, merchantId, { from, to: today });
  return Array.from({ length: days }, (_, index) => {
    const day = dayAfter(from, index);
    const [mbway, reference] = METHODS.map((method) =>
      rows.find((row) => row.day === day && row.method === method),
    );
    return {
      day,
      mbwayCents: Number(mbway?.paid_cents ?? 0),
      mbwayCount: Number(mbway?.paid_count ?? 0),
      referenceCents: Number(reference?.paid_cents ?? 0),
      referenceCount: Number(reference?.paid_count ?? 0),
    };
  });
}
export type ChartDay = Awaited<ReturnType<typeof showSeries>>[number];

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
