import { Kysely, sql } from 'kysely';
import { expect, inject, onTestFinished, test } from 'vitest';
import type { Database, Tx } from '../../src/db/database.ts';
import { afterCommit, beforeCommit } from '../../src/db/database.ts';
import { openDatabase } from '../../src/db/open.ts';
import { unitsDialect } from '../../src/db/postgres/dialect.ts';
import { createPool } from '../../src/db/postgres/pool.ts';
import { statementsFor } from '../../src/db/postgres/statement.ts';
import { BEGIN_UNIT, Units } from '../../src/db/postgres/units.ts';
import { SerializationConflict } from '../../src/db/row-locks.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { findKey } from '../../src/rpc/store.ts';
import { databaseUrl, temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { holdTransaction } from '../support/lock-waits.ts';
import { freePort } from '../support/process.ts';
import { startTlsProxy } from '../support/tls-proxy.ts';
import { openedDatabase, proxiedServer, serverOfTest } from './outage-kit.ts';

const DEADLOCK = '40P01';

const put = (tx: Tx, key: string, value: string) =>
  tx
    .insertInto('meta')
    .values({ key, value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute();

async function valuesOf(db: Pick<Database, 'read'>): Promise<string[]> {
  const rows = await db.read
    .selectFrom('meta')
    .select(['key', 'value'])
    .where('key', 'not like', 'schema%')
    .orderBy('key')
    .execute();
  return rows.map(({ key, value }) => `${key}=${value}`);
}

/** A gate that opens when so many have come to it. */
function gate(wanted: number): () => Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  let come = 0;
  return async () => {
    come++;
    if (come >= wanted) resolve();
    await promise;
  };
}

test('of two transactions in a deadlock both commit: one is retried, and only its last run counts', async () => {
  const db = await temporaryDatabase();
  await db.unit(async (tx) => void (await Promise.all([put(tx, 'a', '0'), put(tx, 'b', '0')])));
  const both = gate(2);
  const woken: string[] = [];
  const cuts: unknown[] = [];
  let runs = 0;
  const cross = (first: string, second: string) =>
    db.unit(async (tx) => {
      runs++;
      afterCommit(tx, () => woken.push(first));
      try {
        await put(tx, first, first);
        await both();
        await put(tx, second, first);
      } catch (error) {
        cuts.push((error as { code?: unknown }).code);
        throw error;
      }
    });
  await Promise.all([cross('a', 'b'), cross('b', 'a')]);
  // A retried transaction can deadlock again: one more run for each deadlock.
  expect(new Set(cuts)).toEqual(new Set([DEADLOCK]));
  expect(runs).toBe(2 + cuts.length);
  expect(woken.toSorted()).toEqual(['a', 'b']);
  expect(['a=a,b=a', 'a=b,b=b']).toContain((await valuesOf(db)).join());
});

test('a transaction with a serialization conflict is retried on the new data; after repeated conflicts it fails', async () => {
  const db = await temporaryDatabase();
  const seen: number[] = [];
  await db.unit(async (tx) => {
    seen.push((await tx.selectFrom('meta').select('key').where('key', '=', 'k').execute()).length);
    if (seen.length > 1) return;
    await db.unit((other) => put(other, 'k', '1'));
    throw new SerializationConflict('another was faster');
  });
  expect(seen).toEqual([0, 1]);
  let runs = 0;
  const losing = db.unit(async () => {
    runs++;
    throw new SerializationConflict('always');
  });
  await expect(losing).rejects.toThrow('always');
  expect(runs).toBe(9);
});

test('a transaction that catches a failed statement is rejected, not reported as committed', async () => {
  const db = await temporaryDatabase();
  const unit = db.unit(async (tx) => {
    await put(tx, 'k', '1');
    await sql`select 1 / 0`.execute(tx).catch(() => {});
  });
  await expect(unit).rejects.toThrow();
  expect(await valuesOf(db)).toEqual([]);
});

test('hot statements are prepared, unless the address turns that off', async () => {
  const url = await databaseUrl(temporaryFolder(), onTestFinished);
  for (const [address, prepared] of [
    [url, 1],
    [`${url}?prepared_statements=false`, 0],
  ] as const) {
    const db = await openDatabase(address);
    const count = await db.unit(async (tx) => {
      await findKey(tx, 'none', 0);
      const { rows } = await sql<{ n: number }>`select count(*) as n from pg_prepared_statements`.execute(tx);
      return rows[0]?.n;
    });
    await db.close();
    expect(count).toBe(prepared);
  }
});

test('shared units of work that wait together share one transaction; only a failing one is rolled back', async () => {
  const db = await temporaryDatabase();
  const deferred = async (tx: Tx, keys: readonly string[]) => {
    for (const key of keys) await put(tx, key, 'deferred');
  };
  const unit = (key: string) =>
    db.unit(
      async (tx) => {
        beforeCommit(tx, deferred, key);
        if (key === 'bad') throw new Error('refused');
        const { rows } = await sql<{ id: string }>`select pg_current_xact_id()::text as id`.execute(tx);
        return rows[0]?.id;
      },
      { shared: true },
    );
  const together = await Promise.all(['a', 'b', 'c'].map(unit));
  expect(new Set(together).size).toBe(1);
  const apart = await Promise.allSettled(['d', 'bad', 'e'].map(unit));
  expect(apart.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
  expect(await valuesOf(db)).toEqual(['a', 'b', 'c', 'd', 'e'].map((key) => `${key}=deferred`));
});

test('more transactions than connections queue, and reads do not wait behind them', async () => {
  const db = await temporaryDatabase();
  const free = gate(2);
  const held = Array.from({ length: 40 }, (_, place) =>
    db.unit(async (tx) => {
      await free();
      await put(tx, `k${place}`, '1');
    }),
  );
  // Twelve transactions occupy every connection, and the gate is open for them: only the read is tested.
  expect(await db.read.selectFrom('meta').select('key').where('key', '=', 'none').execute()).toEqual([]);
  await Promise.all(held);
  expect(await valuesOf(db)).toHaveLength(40);
});

test('connections that the server closed are replaced: the next transaction and the next read succeed', async () => {
  const db = await temporaryDatabase();
  await db.unit((tx) => put(tx, 'k', '1'));
  const name = new URL(inject('postgresUrl') ?? '').username;
  await db.unit(async (tx) => {
    await sql`select pg_terminate_backend(pid) from pg_stat_activity
      where datname = current_database() and usename = ${name} and pid <> pg_backend_pid()`.execute(tx);
  });
  await db.unit((tx) => put(tx, 'k', '2'));
  expect(await valuesOf(db)).toEqual(['k=2']);
});

test('a database restart delays reads and transactions under way and fails none: both are retried', async () => {
  const server = await serverOfTest();
  const db = await openedDatabase(server.url('pcs'));
  let runs = 0;
  const reads: Promise<string[]>[] = [];
  await db.unit(async (tx) => {
    runs++;
    await put(tx, 'first', `run ${runs}`);
    if (runs === 1) {
      // More than there are connections: some reads run on a connection that breaks, some find none.
      for (let read = 0; read < 20; read++) reads.push(valuesOf(db));
      reads.push(db.snapshot((read) => valuesOf({ read })));
      await server.restart();
    }
    await put(tx, 'second', `run ${runs}`);
  });
  expect(runs).toBe(2);
  expect(await valuesOf(db)).toEqual(['first=run 2', 'second=run 2']);
  // Each read saw the complete transaction or nothing.
  for (const seen of await Promise.all(reads)) expect([0, 2]).toContain(seen.length);
});

test('a connection that broke before the commit was sent is no unknown outcome: the transaction is retried', async () => {
  const server = await serverOfTest();
  const db = await openedDatabase(server.url('pcs'));
  let runs = 0;
  await db.unit(async (tx) => {
    runs++;
    await put(tx, 'k', `run ${runs}`);
    if (runs === 1) await server.restart();
  });
  expect(await valuesOf(db)).toEqual(['k=run 2']);
});

test('an unreachable database fails queued transactions within a limit', async () => {
  const pool = createPool(`postgres://nobody@127.0.0.1:${await freePort()}/none`, 'units');
  const db = new Kysely<Tables>({ dialect: unitsDialect(pool, BEGIN_UNIT, statementsFor('')) });
  onTestFinished(() => db.destroy());
  const units = new Units(db, 2);
  const began = performance.now();
  const ends = await Promise.allSettled(Array.from({ length: 10 }, () => units.run(async () => {})));
  expect(ends.map(({ status }) => status)).toEqual(Array(10).fill('rejected'));
  // Only the first two wait 6 s for a reconnect.
  expect(performance.now() - began).toBeLessThan(12_000);
});

test('a locked table fails queued transactions within a limit, also those that do not need it', {
  timeout: 60_000,
}, async () => {
  const url = await databaseUrl(temporaryFolder(), onTestFinished);
  const locker = await openedDatabase(url);
  const pool = createPool(url, 'units');
  const db = new Kysely<Tables>({ dialect: unitsDialect(pool, BEGIN_UNIT, statementsFor('')) });
  onTestFinished(() => db.destroy());
  const units = new Units(db, 2);
  const release = await holdTransaction(locker, (tx) => sql`lock table meta`.execute(tx));
  const needing = Array.from({ length: 8 }, () => units.run((tx) => put(tx, 'k', '1')));
  const other = units.run((tx) => sql`select 1`.execute(tx));
  const shared = Array.from({ length: 600 }, () => units.runShared((tx) => put(tx, 'k', '1'), { key: 'k' }));
  const began = performance.now();
  const ends = await Promise.allSettled([...needing, other, ...shared]);
  expect(ends.filter(({ status }) => status === 'fulfilled')).toEqual([]);
  // Two wait 6 s for the lock, and two shared ones when they run alone.
  expect(performance.now() - began).toBeLessThan(20_000);
  await release();
});

test.each([false, true])(
  'a unit whose commit is not confirmed is not repeated and says that it may have been saved (shared: %s)',
  async (shared) => {
    const { url, proxy, server } = await proxiedServer();
    const db = await openedDatabase(url);
    let runs = 0;
    const unit = db.unit(
      async (tx) => {
        runs++;
        await put(tx, 'key', 'value');
        proxy.freezeOpen();
        setTimeout(() => proxy.point(Number(new URL(server.url('pcs')).port)), 200);
      },
      { shared },
    );
    await expect(unit).rejects.toThrow('may have been saved: check before you repeat it');
    expect(runs).toBe(1);
  },
);

test.each([false, true])(
  'a unit whose commit is answered by a TLS error is not repeated (shared: %s)',
  async (shared) => {
    const direct = (await serverOfTest()).url('pcs');
    await openedDatabase(direct);
    const proxy = await startTlsProxy(Number(new URL(direct).port));
    const url = Object.assign(new URL(direct), { port: String(proxy.port), search: 'sslmode=no-verify' });
    const db = await openedDatabase(url.href);
    let runs = 0;
    const work = async (tx: Tx) => {
      runs++;
      await put(tx, 'k', `run ${runs}`);
      proxy.arm();
    };
    await expect(db.unit(work, { shared })).rejects.toThrow('may have been saved');
    expect([runs, await valuesOf(db)]).toEqual([1, ['k=run 1']]);
  },
);

/** The name of a prepared query in a process that has prepared others before. */
async function nameInProcess(...before: string[]): Promise<string | undefined> {
  // The query string makes a new instance of the module.
  const file = `../../src/db/prepared.ts?${before.length}`;
  const { prepared, preparedNames }: typeof import('../../src/db/prepared.ts') = await import(file);
  const db = await temporaryDatabase();
  const text = 'select 1 as the_query';
  for (const query of [...before, text]) await prepared(() => sql.raw(query))(db.read, {});
  return preparedNames.get(text);
}

test('a prepared query has the same name in every process, whatever each has prepared before', async () => {
  const name = await nameInProcess('select 2');
  expect(name).toMatch(/^prepared /);
  expect(await nameInProcess('select 3', 'select 4')).toBe(name);
});
