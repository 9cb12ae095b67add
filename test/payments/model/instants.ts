import type { Id } from '../../../src/kernel/ids.ts';
import type { TARGETS } from './steps.ts';
import { SETTINGS, type World } from './world.ts';

/** The moment that a step passes on to; those of a transaction's attempts are of the newest that has them. */
export async function instantOf(
  world: World,
  to: (typeof TARGETS)[number],
  id: Id<'tx'> | undefined,
): Promise<number> {
  const now = world.deps.clock.now();
  if (to === 'second') return now + 1000;
  if (to === 'inquiry') return now + SETTINGS.inquiryMs;
  if (to === 'sweep') return now + SETTINGS.reconcileMs;
  if (to === 'hours') return now + 7 * 3_600_000;
  if (id === undefined) return now;
  const { read } = world.deps.db;
  const transaction = await read
    .selectFrom('transactions')
    .select('created_at')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  if (to === 'day') return transaction.created_at + SETTINGS.pendingMs;
  const attempt = await read
    .selectFrom('attempts')
    .select('expires_at')
    .where('transaction_id', '=', id)
    .where('method', '=', to === 'window' || to === 'lapse' ? 'MBWAY' : 'REFERENCE')
    .where('expires_at', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst();
  const graceMs = {
    window: 0,
    lapse: SETTINGS.mbwayGraceMs,
    'last-day': 0,
    expiry: SETTINGS.multibancoGraceMs,
  };
  return (attempt?.expires_at ?? 0) + graceMs[to];
}
