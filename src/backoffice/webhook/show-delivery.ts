import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { notFound } from '../errors.ts';
import { type DeliveryView, deliveryView } from './delivery-view.ts';
import { attemptsWithAnswers, eventNumbers, findOwnDelivery } from './store.ts';

/** One attempt as its merchant sees it. */
export interface AttemptView {
  number: number;
  startedAt: number;
  /** Null while it runs, or when a crash cut it. */
  durationMs: number | null;
  /** HTTP status of the answer, if one came. */
  status: number | null;
  error: string | null;
  /** The start of the answer's body. */
  answer: string | null;
}

/**
 * A delivery of the merchant with its attempts and what its endpoint answered; of attempts older than `attemptsKeptDays` only the
 * count is left. Throws BackofficeError when it has no such one.
 */
export async function showDelivery(
  { db, settings }: Pick<Deps, 'db' | 'settings'>,
  merchantId: Id<'mer'>,
  deliveryId: string,
): Promise<DeliveryView & { attempts: AttemptView[]; attemptsKeptDays: number }> {
  const row = await findOwnDelivery(db.read, merchantId, deliveryId as Id<'dlv'>);
  if (row === undefined) throw notFound();
  const [numbers, attempts] = await Promise.all([
    eventNumbers(db.read, [row.event_id]),
    attemptsWithAnswers(db.read, row.id),
  ]);
  return {
    ...deliveryView(row, numbers.get(row.event_id) ?? null),
    attempts: attempts.map((attempt) => ({
      number: attempt.number,
      startedAt: Number(attempt.started_at),
      durationMs: attempt.duration_ms,
      status: attempt.status,
      error: attempt.error,
      answer: attempt.response,
    })),
    attemptsKeptDays: settings.deliveryAttemptDays,
  };
}
