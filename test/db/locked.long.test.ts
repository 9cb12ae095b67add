import { join } from 'node:path';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { writeMeta } from '../../src/db/meta.ts';
import { rowsIn, temporaryFolder } from '../support/database.ts';
import { ORDER, startService } from '../support/harness.ts';
import { run } from '../support/process.ts';
import { until } from '../support/until.ts';
import { ask, serverOfTest, serviceOn } from './outage-kit.ts';

/** The bound is 6 s; the rest is for a busy machine. */
const WAITED_MS_MAX = 15_000;

/** Takes the write lock of a file, prints `held`, and releases it at a line of input. */
const HOLDER = `
const Sqlite = require('better-sqlite3');
const db = new Sqlite(process.argv[1]);
db.exec('BEGIN IMMEDIATE');
process.stdout.write('held\\n');
const release = () => { db.exec('ROLLBACK'); process.stdout.write('released\\n', () => process.exit(0)); };
process.stdin.once('data', release);
`;

async function lockedService() {
  const folder = temporaryFolder();
  const service = await startService({ folder, env: { SERVICE_MBWAY_WINDOW_SECONDS: '240' } });
  const merchant = await service.merchant();
  const known = await merchant.push('931112302');
  const holder = run('-e', [HOLDER, join(folder, 'service.db')], {});
  await until(() => holder.out().includes('held'), 'the lock');
  const count = () => rowsIn(service.app.deps.db, 'transactions');
  return { service, merchant, known, holder, count };
}

test('while the database stays locked every call ends with 500 and writes nothing; after release all works and no payment is missed', async () => {
  const { service, merchant, known, holder, count } = await lockedService();
  const attempt = async () => {
    const startedAt = performance.now();
    const { status, body } = await merchant.post('/payments/init', ORDER);
    return { outcome: [status, body.code], waitedMs: performance.now() - startedAt };
  };
  const first = Array.from({ length: 20 }, attempt);
  // Four times what one commit carries: the last transaction must not wait for the lock once for each commit.
  const startedAt = performance.now();
  const { db } = service.app.deps;
  const transactions = Promise.allSettled(
    Array.from({ length: 1024 }, () => db.unit((tx) => writeMeta(tx, 'demo_merchant', 'none'))),
  );
  await service.control('/mbway', { phoneNumber: '931112302', outcome: 'accept' });
  const refused = await Promise.all(first);
  expect((await transactions).map(({ status }) => status)).toEqual(Array(1024).fill('rejected'));
  expect(performance.now() - startedAt).toBeLessThan(WAITED_MS_MAX);
  refused.push(await attempt());
  expect(holder.out()).not.toContain('released');
  for (const { outcome, waitedMs } of refused) {
    expect(outcome).toEqual([500, 'INTERNAL_ERROR']);
    expect(waitedMs).toBeLessThan(WAITED_MS_MAX);
  }
  expect(await count()).toBe(1);
  expect((await merchant.status(known)).status).toBe('pending');

  holder.child.stdin?.write('release\n');
  await holder.ended;
  expect((await attempt()).outcome).toEqual([200, undefined]);
  await merchant.reaches(known, 'paid');
  expect(await count()).toBe(2);
});

const LOCKS = [
  // Twice the limit of 6 s: once with the others, once alone.
  ['the row of the customer', 'select id from leads for update', 15_000],
  // The client gives up after 20 s, because only a statement that has begun has a limit for locks.
  ['the table', 'lock table transactions', 25_000],
] as const;

test.each(LOCKS)(
  'while another session of PostgreSQL locks %s, an order ends with 500 within seconds and is not stored',
  async (_what, lock, maxMs) => {
    const server = await serverOfTest();
    const { merchant } = await serviceOn(server.url('pcs'));
    await merchant.init();
    const locker = new pg.Client({ connectionString: server.url('pcs') });
    await locker.connect();
    onTestFinished(() => locker.end());
    await locker.query('begin');
    await locker.query(lock);
    const startedAt = performance.now();
    expect(await merchant.post('/payments/init', ORDER)).toMatchObject({ status: 500 });
    expect(performance.now() - startedAt).toBeLessThan(maxMs);
    // The service ends the statement on another connection. Its periodic reads continue to wait.
    const waiting =
      "select pid from pg_stat_activity where wait_event_type = 'Lock' and query like 'with lead %'";
    await until(async () => (await ask(server, waiting)).length === 0, 'the statement to be ended');
    await locker.query('commit');
    await merchant.init();
    expect(await ask(server, 'select count(*)::int as n from transactions')).toEqual([{ n: 2 }]);
  },
);
