import { describe, expect, it } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { keepAnswer, replay } from '../../src/rpc/idempotency.ts';
import { temporaryDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';

const DAY_MS = 24 * 3_600_000;
const MERCHANT: Id<'mer'> = 'mer_1';

async function setUp() {
  const db = await temporaryDatabase();
  const clock = fakeClock();
  await db.unit(async (tx) => {
    for (const id of [MERCHANT, 'mer_2'] as const) {
      await tx
        .insertInto('merchants')
        .values({
          id,
          name: id,
          active: 1,
          hold: 0,
          webhook_url: null,
          webhook_enabled: 0,
          webhook_secret: '',
          first_paid_at: null,
          created_at: 0,
        })
        .execute();
    }
  });
  return {
    db,
    clock,
    keep: (key: string, print: string, response: unknown) =>
      db.unit((tx) => keepAnswer(tx, { clock }, MERCHANT, key, print, response)),
    ask: (key: string, print: string, merchant = MERCHANT) =>
      db.unit((tx) => replay(tx, { clock }, merchant, key, print)),
    count: async () => (await db.read.selectFrom('idempotency').selectAll().execute()).length,
  };
}

describe('a kept answer', () => {
  it('is given again to the same merchant, key and input, and to no other merchant or key', async () => {
    const { keep, ask } = await setUp();
    await keep('k', 'print', { transactionId: 'tx_1', amount: 12.5 });
    expect(await ask('k', 'print')).toEqual({ transactionId: 'tx_1', amount: 12.5 });
    expect(await ask('K', 'print')).toBeNull();
    expect(await ask('k', 'print', 'mer_2')).toBeNull();
    await expect(ask('k', 'another')).rejects.toMatchObject({ code: 'IDEMPOTENCY_KEY_REUSED', status: 400 });
  });

  it('lasts 7 days; then the key is free for anything, in the same place', async () => {
    const { keep, ask, clock, count } = await setUp();
    await keep('k', 'print', 1);
    await clock.advance(7 * DAY_MS - 1);
    expect(await ask('k', 'print')).toBe(1);
    await clock.advance(1);
    expect(await ask('k', 'another')).toBeNull();
    await keep('k', 'another', 2);
    expect(await ask('k', 'another')).toBe(2);
    expect(await count()).toBe(1);
  });

  it('goes with its unit: what is rolled back was never answered', async () => {
    const { db, clock, ask } = await setUp();
    const failed = db.unit(async (tx) => {
      await keepAnswer(tx, { clock }, MERCHANT, 'k', 'print', 1);
      throw new Error('later');
    });
    await expect(failed).rejects.toThrow('later');
    expect(await ask('k', 'print')).toBeNull();
  });
});
