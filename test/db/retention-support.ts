import type { Settings } from '../../src/config.ts';
import type { DeliveryState } from '../../src/db/tables/tables.ts';
import { noMetrics } from '../../src/deps.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createRetention } from '../../src/retention/retention.ts';
import { keptLog } from '../banks/support.ts';
import { type Kit, webhookKit } from '../webhooks/kit.ts';

export const DAY_MS = 86_400_000;
export const HOUR_MS = 3_600_000;

/** A database with a shop, and retention that is not started yet. */
export async function setup(changes: Partial<Settings> = {}) {
  const kit = await webhookKit();
  const { log, lines } = keptLog();
  const pruned: Record<string, number> = {};
  const metrics = {
    ...noMetrics,
    rowsPruned: (table: string, rows: number) => {
      pruned[table] = (pruned[table] ?? 0) + rows;
    },
  };
  const deps = { ...kit.deps, log, metrics, settings: { ...kit.deps.settings, ...changes } };
  const retention = createRetention(deps);
  const shop = await kit.shop('https://shop.pt/hook');
  /** Lets the loop take the steps that are due. */
  const settle = async () => {
    for (let i = 0; i < 50; i++) await kit.clock.advance(200);
  };
  /** Lets the loop run until nothing old is left that its next pass could find. */
  const pass = async () => {
    await kit.clock.advance(HOUR_MS);
    await settle();
  };
  const count = async (table: 'delivery_attempts' | 'idempotency' | 'bank_hints') =>
    Number(
      (
        await kit.db.read
          .selectFrom(table)
          .select((eb) => eb.fn.countAll<number>().as('n'))
          .executeTakeFirstOrThrow()
      ).n,
    );
  return { kit, deps, retention, shop, settle, pass, count, pruned, lines };
}

/** A delivery made now that ended now (or is still due), with attempts of now. */
export async function delivery(
  kit: Kit,
  merchantId: Id<'mer'>,
  state: DeliveryState = 'delivered',
  attempts = 2,
) {
  const { ids, clock, db } = kit.deps;
  const [id, eventId, now] = [ids('dlv'), ids('evt'), clock.now()];
  const shared = {
    merchant_id: merchantId,
    transaction_id: null,
    kind: 'payment.success' as const,
    created_at: now,
  };
  await db.unit(async (tx) => {
    await tx
      .insertInto('events')
      .values({ ...shared, id: eventId, body: '{}', sequence: null })
      .execute();
    await tx
      .insertInto('deliveries')
      .values({
        ...shared,
        ...{ id, event_id: eventId, state, lane_position: null, blocked: 0, attempts_count: attempts },
        ...{ next_attempt_at: state === 'due' ? now : null, claim_token: null, claimed_until: null },
        finished_at: state === 'due' ? null : now,
      })
      .execute();
    for (let number = 1; number <= attempts; number++) {
      await tx
        .insertInto('delivery_attempts')
        .values({ delivery_id: id, number, started_at: now, duration_ms: 5, status: 500, error: 'no' })
        .execute();
    }
  });
  return id;
}
