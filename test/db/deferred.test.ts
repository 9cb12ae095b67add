import { Kysely, sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { beforeCommit, type Database, type Tx, UnclearCommit } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { unitsDialect } from '../../src/db/postgres/dialect.ts';
import { DISCONNECTED_MAX_MS } from '../../src/db/postgres/failures.ts';
import { createPool } from '../../src/db/postgres/pool.ts';
import { statementsFor } from '../../src/db/postgres/statement.ts';
import { BEGIN_UNIT, Units } from '../../src/db/postgres/units.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { rowsIn, temporaryDatabase } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { holdTransaction, isAnyWaiting } from '../support/lock-waits.ts';
import { fatalError, startTlsProxy } from '../support/tls-proxy.ts';
import { until } from '../support/until.ts';
import { ask, openedDatabase, proxiedServer, serverOfTest } from './outage-kit.ts';

/** A connection without an answer for so long is checked before a statement is sent. */
const UNCHECKED_MS = 1000;

async function write(tx: Tx, keys: readonly string[]): Promise<void> {
  await sql`insert into meta (key, value) select unnest(${keys}::text[]), pg_current_xact_id()::text`.execute(
    tx,
  );
}

const put = (db: Database, key: string, whenRun = () => {}) =>
  db.unit(
    async (tx) => {
      whenRun();
      beforeCommit(tx, write, key);
    },
    { shared: true, deferred: true },
  );

async function stored({ read }: Database): Promise<Map<string, string>> {
  const rows = await read.selectFrom('meta').select(['key', 'value']).where('key', 'like', 'k%').execute();
  return new Map(rows.map(({ key, value }) => [key, value]));
}

test('deferred units that wait together become one statement, without BEGIN', async () => {
  const db = await temporaryDatabase();
  await Promise.all(['k1', 'k2', 'k3'].map((key) => put(db, key)));
  expect(new Set((await stored(db)).values()).size).toBe(1);
  const both = await Promise.allSettled([put(db, 'k4'), put(db, 'k1'), put(db, 'k5')]);
  expect(both.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect([...(await stored(db)).keys()].toSorted()).toEqual(['k1', 'k2', 'k3', 'k4', 'k5']);
});

test('a deferred unit that runs a statement itself runs in a separate transaction', async () => {
  const db = await temporaryDatabase();
  const unit = db.unit(
    async (tx) => {
      await sql`insert into meta (key, value) values ('k1', '1')`.execute(tx);
      beforeCommit(tx, write, 'k1');
    },
    { shared: true, deferred: true },
  );
  await expect(unit).rejects.toThrow('duplicate key');
  expect(await stored(db)).toEqual(new Map());
});

test.each([
  ['bytes that are no TLS', null],
  ["a pooler's report of a lost server", fatalError('58000')],
])('an answer that was replaced by %s is lost: the units are not repeated', async (_name, answer) => {
  const direct = (await serverOfTest()).url('pcs');
  const proxy = await startTlsProxy(Number(new URL(direct).port));
  const url = Object.assign(new URL(direct), { port: String(proxy.port), search: 'sslmode=no-verify' });
  await (await openDatabase(direct)).close();
  const db = await openedDatabase(url.href);
  await put(db, 'k1');
  let runs = 0;
  const lost = put(db, 'k2', () => {
    runs++;
    proxy.arm('insert into', answer);
  });
  await expect(lost).rejects.toThrow('may have been saved: check before you repeat it');
  expect([runs, [...(await stored(db)).keys()]]).toEqual([1, ['k1', 'k2']]);
});

test('a unit that was not run when another lost its answer does not say that it may have been saved', async () => {
  const { server, proxy, url } = await proxiedServer();
  const pool = createPool(url, 'units');
  const db = new Kysely<Tables>({ dialect: unitsDialect(pool, BEGIN_UNIT, statementsFor('')) });
  onTestFinished(() => db.destroy());
  const units = new Units(db, 1);
  const sleep = async (tx: Tx) => void (await sql`select pg_sleep(60)`.execute(tx));
  const running = Promise.withResolvers<void>();
  const lost = units.runShared(
    async (tx) => {
      beforeCommit(tx, sleep, null);
      running.resolve();
    },
    { deferred: true },
  );
  await running.promise;
  const waitingSince = performance.now();
  // The first one takes the turn of the lost unit.
  const waiting = [units.run(async () => {}), units.run(async () => {})];
  await until(() => performance.now() - waitingSince > DISCONNECTED_MAX_MS);
  proxy.point(Number(new URL(server.url('pcs')).port));
  const ends = await Promise.allSettled([lost, ...waiting]);
  const [reason, , reasonOfLast] = ends.map((end) => end.status === 'rejected' && end.reason);
  expect(reason).toBeInstanceOf(UnclearCommit);
  expect(reasonOfLast).toMatchObject({ message: expect.stringMatching(/^Connection terminated/) });
});

test('a database that ran only deferred units ends its connections when it is closed', async () => {
  const server = await serverOfTest();
  const db = await openDatabase(server.url('pcs'));
  await put(db, 'k1');
  await db.close();
  const open = "select pid from pg_stat_activity where application_name like 'payment-collection-service %'";
  await until(async () => (await ask(server, open)).length === 0, 'the connections to end');
});

test('a connection that broke while idle is found before a unit is sent, so the unit succeeds on another', async () => {
  const { proxy, url } = await proxiedServer();
  const db = await openedDatabase(url);
  await put(db, 'k1');
  const usedAt = performance.now();
  await until(() => performance.now() - usedAt > UNCHECKED_MS);
  proxy.freezeOpen();
  await put(db, 'k2');
  expect((await stored(db)).size).toBe(2);
});

test('an order whose connection the server ends is created once, and the call succeeds', async () => {
  const { app, merchant: create } = await startService();
  const { db } = app.deps;
  const merchant = await create();
  await merchant.init();
  const release = await holdTransaction(db, (tx) => sql`select id from leads for update`.execute(tx));
  const orders = [merchant.init(), merchant.init()];
  await until(() => isAnyWaiting(db), 'the orders to wait for the lock');
  const end = sql`select pg_terminate_backend(pid) from pg_stat_activity
    where wait_event_type = 'Lock' and datname = current_database()`;
  expect((await end.execute(db.read)).rows).not.toEqual([]);
  await release();
  await Promise.all(orders);
  expect(await rowsIn(db, 'transactions')).toBe(3);
});
