import { sql } from 'kysely';
import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { seedDemo, welcome } from '../../src/demo.ts';
import { listMerchants } from '../../src/merchants/view.ts';
import { temporaryFolder } from '../support/database.ts';
import { api, ORDER, type Service, startService, type TestMerchant } from '../support/harness.ts';
import { endOtherConnections } from '../support/statistics.ts';

const LIMIT = 6;

/** Two instances of the service on one database and with one key. */
async function instances(env: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const one: Service = await startService({ folder, env });
  const other = await startService({ folder, env: { ...env, SERVICE_SANDBOX_URL: one.sandboxUrl } });
  return { one, other };
}

/** Two instances, and a merchant as each of them sees it. */
async function two(env: Record<string, string> = {}) {
  const { one, other } = await instances(env);
  const merchant: TestMerchant = await one.merchant();
  return { one, other, merchant, there: api(other.url, merchant.apiKey) };
}

test('all processes share the POST count of a client', async () => {
  const { merchant, there } = await two({ SERVICE_POST_RATE_LIMIT: String(LIMIT) });
  const answers = await Promise.all(
    Array.from({ length: 2 * LIMIT }, (_, call) =>
      (call % 2 === 0 ? merchant : there).post('/payments/init', ORDER),
    ),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(LIMIT);
  expect(answers.filter(({ status }) => status === 429)).toHaveLength(LIMIT);
});

/** The number of deadlocks in the database since `pg_stat_reset`. */
async function deadlocks({ read }: Database): Promise<unknown> {
  await endOtherConnections(read);
  const { rows } = await sql`select deadlocks::int from pg_stat_database
    where datname = current_database()`.execute(read);
  return rows;
}

test('two processes that get the same keys in opposite order create each order once, without a deadlock', async () => {
  const { one, merchant, there } = await two();
  // An earlier test may have caused a deadlock in this database.
  await sql`select pg_stat_reset()`.execute(one.app.deps.db.read);
  const orders = Array.from({ length: 100 }, (_, i) => `ORDER-${i}`);
  const init = ({ post }: Pick<TestMerchant, 'post'>, orderId: string) =>
    post('/payments/init', { ...ORDER, orderId }, { 'idempotency-key': orderId });
  const answers = await Promise.all([
    ...orders.map((order) => init(merchant, order)),
    ...orders.toReversed().map((order) => init(there, order)),
  ]);
  const ids = answers.map(({ body }) => body.transactionId);
  expect(ids.slice(orders.length).toReversed()).toEqual(ids.slice(0, orders.length));
  expect(new Set(ids).size).toBe(orders.length);
  expect(await deadlocks(one.app.deps.db)).toEqual([{ deadlocks: 0 }]);
});

test('processes that start together on an empty database create one demo merchant and one login', async () => {
  const { one, other } = await instances();
  const apps = [one.app, other.app];
  await Promise.all(apps.map(({ deps }) => seedDemo(deps)));
  await Promise.all(apps.map(welcome));
  expect(await listMerchants(one.app.deps, { limit: 10 })).toMatchObject([{ name: 'Demo Shop' }]);
  const texts = await Promise.all(apps.map(welcome));
  const logins = texts.map((text) => /owner@.*password (\S+)/.exec(text ?? '')?.[1]);
  expect(logins).toEqual([expect.any(String), logins[0]]);
});
