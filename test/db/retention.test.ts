import { expect, test } from 'vitest';
import { createRetention } from '../../src/retention/retention.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { until } from '../support/until.ts';
import { DAY_MS, delivery, HOUR_MS, setup } from './retention-support.ts';

test('attempts go when their delivery has been over for the days that are set, and not an hour earlier', async () => {
  const { kit, retention, shop, settle, pass, count, pruned, lines } = await setup({
    deliveryAttemptDays: 30,
  });
  const old = await delivery(kit, shop.id, 'undelivered', 4);
  await kit.clock.advance(HOUR_MS * 3);
  await delivery(kit, shop.id);
  retention.start();
  await kit.clock.jump(30 * DAY_MS - 3 * HOUR_MS);
  await settle();
  await kit.clock.advance(HOUR_MS - 20_000);
  expect(await count('delivery_attempts'), 'also with a clock that is an hour ahead of the others').toBe(6);
  await pass();
  expect(await kit.attempts(old)).toEqual([]);
  expect(await count('delivery_attempts')).toBe(2);
  expect(await kit.delivery(old)).toMatchObject({ state: 'undelivered', attempts_count: 4 });
  expect(pruned).toEqual({ delivery_attempts: 4 });
  expect(lines).toMatchObject([{ table: 'delivery_attempts', rows: 4, olderThanDays: 30 }]);
  await retention.stop();
});

test('a delivery that is still due keeps its attempts however old it is, and does not stand in the way', async () => {
  const { kit, retention, shop, pass } = await setup();
  const due = await Promise.all(Array.from({ length: 60 }, () => delivery(kit, shop.id, 'due', 1)));
  const ended = await delivery(kit, shop.id, 'skipped', 1);
  retention.start();
  await kit.clock.jump(91 * DAY_MS);
  await pass();
  expect(await kit.attempts(ended)).toEqual([]);
  for (const id of due) expect(await kit.attempts(id)).toHaveLength(1);
  await retention.stop();
});

test('a delivery whose attempts are forgotten can be sent again', async () => {
  const { kit, retention, shop, pass, count } = await setup();
  const id = await delivery(kit, shop.id, 'undelivered', 4);
  retention.start();
  await kit.clock.jump(91 * DAY_MS);
  await pass();
  expect(await count('delivery_attempts')).toBe(0);
  const again = await resendDelivery(kit.deps, id);
  expect(await kit.delivery(again.deliveryId)).toMatchObject({ state: 'due', attempts_count: 0 });
  await retention.stop();
});

test('answers under idempotency keys stay for their 7 days to the millisecond, and go within two hours after', async () => {
  const { kit, retention, shop, settle, pass, count } = await setup();
  const keep = (key: string) =>
    kit.db.unit((tx) =>
      tx
        .insertInto('idempotency')
        .values({ merchant_id: shop.id, key, fingerprint: 'f', response: '{}', created_at: kit.clock.now() })
        .execute(),
    );
  await keep('old');
  retention.start();
  await kit.clock.advance(10_000);
  await kit.clock.jump(7 * DAY_MS - 10_001);
  await settle();
  await kit.clock.advance(HOUR_MS - 20_000);
  expect(await count('idempotency'), 'also with a clock that is an hour ahead of the others').toBe(1);
  await keep('new');
  await pass();
  await pass();
  expect(await kit.db.read.selectFrom('idempotency').select('key').execute()).toEqual([{ key: 'new' }]);
  await retention.stop();
});

test('settled callbacks of the bank go; one that is waited for, or came again lately, stays', async () => {
  const { kit, retention, pass } = await setup();
  await kit.db.unit((tx) =>
    tx
      .insertInto('bank_accounts')
      .values({ id: 'acc_1', merchant_id: null, current: 1, credentials: '', created_at: 0 } as never)
      .execute(),
  );
  const { clock } = kit;
  const { ids } = kit.deps;
  const hint = async (identity: string, receivedAt: number, checkAt: number | null) => {
    const row = { bank_order_id: null, request_id: null, amount_cents: null, params: '{}' };
    await kit.db.unit((tx) =>
      tx
        .insertInto('bank_hints')
        .values({
          ...{ ...row, id: ids('hnt'), account_id: 'acc_1', identity },
          ...{ received_at: receivedAt, checks_count: 1, check_at: checkAt },
        })
        .execute(),
    );
  };
  const now = clock.now();
  await hint('settled', now, null);
  await hint('waiting', now, now + 5000);
  await hint('again', now + 80 * DAY_MS, null);
  retention.start();
  await clock.jump(91 * DAY_MS);
  await pass();
  const left = await kit.db.read.selectFrom('bank_hints').select('identity').orderBy('id').execute();
  expect(left.map(({ identity }) => identity)).toEqual(['waiting', 'again']);
  await retention.stop();
});

test('the loop outlives a database that fails, and what it forgets is never a transaction, an event or a delivery', async () => {
  const { kit, deps, shop, lines } = await setup();
  await delivery(kit, shop.id);
  const payment = await kit.payment(shop);
  await kit.announce(shop, payment);
  let broken = true;
  const unit: typeof kit.db.unit = (work) =>
    broken ? Promise.reject(new Error('disk full')) : kit.db.unit(work);
  const retention = createRetention({ ...deps, db: { ...kit.db, read: kit.db.read, unit } });
  retention.start();
  await kit.clock.jump(400 * DAY_MS);
  await until(() => lines.some(({ level }) => level === 50), 'the failure to be logged');
  broken = false;
  await until(async () => {
    await kit.clock.advance(60_000);
    return lines.some(({ level }) => level === 30);
  }, 'the loop to go on');
  for (const [table, rows] of [
    ['transactions', 1],
    ['events', 2],
    ['deliveries', 2],
    ['merchants', 1],
  ] as const) {
    const left = await kit.db.read.selectFrom(table).select('id').execute();
    expect(left, table).toHaveLength(rows);
  }
  await retention.stop();
});
