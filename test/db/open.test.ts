import { createServer } from 'node:net';
import { join } from 'node:path';
import { sql } from 'kysely';
import pg from 'pg';
import { expect, inject, onTestFinished, test } from 'vitest';
import { readMeta } from '../../src/db/meta.ts';
import { SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { openDatabase } from '../../src/db/open.ts';
import { guarded } from '../../src/db/postgres/dialect.ts';
import { UnknownCommit, unusableServer } from '../../src/db/postgres/failures.ts';
import { connectionClass } from '../../src/db/postgres/hosts.ts';
import { ListenerConnection, PRESENCE_LOCK } from '../../src/db/postgres/listener-connection.ts';
import { createPool } from '../../src/db/postgres/pool.ts';
import { createServerClock } from '../../src/db/postgres/server-clock.ts';
import { ServerWatch } from '../../src/db/postgres/server-watch.ts';
import { statementsFor } from '../../src/db/postgres/statement.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { indexesWords } from '../../src/search/store.ts';
import { temporaryDatabase, temporaryFolder } from '../support/database.ts';
import { listen } from '../support/listen.ts';
import { administer } from '../support/postgres-server.ts';
import { freePort, run } from '../support/process.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { openedDatabase } from './outage-kit.ts';

const server = new URL(inject('postgresUrl') ?? '');

function address(changes: Partial<Pick<URL, 'password' | 'pathname' | 'port'>>): string {
  return Object.assign(new URL(server), changes).href;
}

/** Makes this database, and drops it after the test. */
async function makeDatabase(name: string, options = ''): Promise<void> {
  await administer(server.href, `create database ${name} ${options}`);
  onTestFinished(async () => void (await administer(server.href, `drop database ${name} with (force)`)));
}

async function refusal(url: string): Promise<string> {
  const error = await openDatabase(url).then(
    () => 'opened',
    (thrown: unknown) => thrown,
  );
  expect(error).toMatchObject({ name: 'OperatorError' });
  const text = String(error);
  expect(text).toMatch(/^OperatorError: SERVICE_DATABASE_URL: [^\n]+$/);
  expect(text).not.toContain(decodeURIComponent(server.password));
  return text;
}

test('a connection failure is one line without the password', async () => {
  const closedPort = await freePort();
  expect(await refusal(address({ port: String(closedPort) }))).toContain(
    `answers at 127.0.0.1:${closedPort}; start it`,
  );
  expect(await refusal(address({ password: 'wrong' }))).toContain('refuses the user service');
  expect(await refusal(address({ pathname: 'nowhere' }))).toContain(
    'has no database nowhere; create it with',
  );
});

test('units and reads wait while a pooler reconnects to its server', async () => {
  await makeDatabase('pooled');
  const port = Number(server.port);
  const proxy = await startTcpProxy(port);
  const db = await openedDatabase(address({ port: String(proxy.port), pathname: 'pooled' }));
  const fields = 'SFATAL\0C08P01\0Mserver login has been failing\0\0';
  const failure = Buffer.concat([Buffer.from('E\0\0\0'), Buffer.of(4 + fields.length), Buffer.from(fields)]);
  const pooler = createServer((socket) =>
    socket.on('error', () => {}).once('data', () => socket.end(failure)),
  );
  onTestFinished(() => void pooler.close());
  proxy.point(await listen(pooler));
  setTimeout(() => proxy.point(port), 1000);
  await Promise.all([
    db.unit((tx) => sql`select 1`.execute(tx)),
    db.read.selectFrom('meta').selectAll().execute(),
  ]);
});

test('a connection that is lost during the check for a writable server fails, and the process goes on', async () => {
  const proxy = await startTcpProxy(Number(server.port), 'show transaction_read_only');
  const url = `${address({ port: String(proxy.port) })}?target_session_attrs=read-write`;
  const pool = createPool(url, 'probe');
  onTestFinished(() => pool.end());
  // An error event without a listener ends the process, and fails this run.
  await expect(pool.connect()).rejects.toThrow('Connection terminated unexpectedly');
});

test('a server that is lost during the commit of a migration is named', () => {
  const error = new UnknownCommit(new Error('Connection terminated unexpectedly'));
  expect(unusableServer(server.href, error).message).toContain(`no PostgreSQL server answers at`);
});

test('the copy command ends at once when its address lacks the password', async () => {
  const file = `sqlite:${join(temporaryFolder(), 'service.db')}`;
  await (await openDatabase(file)).close();
  const secretive = address({ password: '' });
  const lines = {
    '--to': ['--from', file, '--to', secretive],
    '--from': ['--from', secretive, '--to', file],
  };
  for (const [option, args] of Object.entries(lines)) {
    const copy = run('src/cli.ts', ['copy', ...args], { SERVICE_DATABASE_URL: file });
    // The server would end the connection after a minute, later than this test.
    expect(await copy.ended).toBe(1);
    expect(copy.err()).toMatch(
      new RegExp(`^${option}: the server at .* requires a password of the user service; add it [^\\n]*\\n$`),
    );
  }
});

test('a command over TLS that fails prints one line', async () => {
  const url = `${server.href}?sslmode=require`;
  const command = run('src/cli.ts', ['merchant', 'list'], {
    SERVICE_DATABASE_URL: url,
    SERVICE_BANK: 'sandbox',
    SERVICE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
  });
  expect(await command.ended).toBe(1);
  expect(command.err()).toMatch(/^SERVICE_DATABASE_URL: [^\n]*does not support SSL connections[^\n]*\n$/);
});

test('a database that is not in UTF8, or whose commits are not durable, is refused', async () => {
  await makeDatabase('latin', `encoding 'LATIN1' locale 'C' template template0`);
  expect(await refusal(address({ pathname: 'latin' }))).toContain('is encoded in LATIN1');
  await makeDatabase('hasty');
  await administer(server.href, 'alter database hasty set synchronous_commit = off');
  expect(await refusal(address({ pathname: 'hasty' }))).toContain(
    'alter database hasty set synchronous_commit',
  );
});

test('processes that start together on an empty database make its schema once', async () => {
  await makeDatabase('young');
  const url = address({ pathname: 'young' });
  const all = await Promise.all(Array.from({ length: 4 }, () => openedDatabase(url)));
  for (const { read } of all) expect(await readMeta(read, 'schema_version')).toBe(String(SCHEMA_VERSION));
});

test('while a migration waits for a table that another session uses, other writes of the table go on', async () => {
  await makeDatabase('busy');
  const url = address({ pathname: 'busy' });
  await (await openDatabase(url)).close();
  // The last migration builds an index, which waits for all writers of its table.
  await administer(url, `update meta set value = '${SCHEMA_VERSION - 1}' where key = 'schema_version'`);
  const [holder, writer] = [new pg.Client(url), new pg.Client(url)];
  onTestFinished(async () => void (await Promise.all([holder.end(), writer.end()])));
  await Promise.all([holder.connect(), writer.connect()]);
  const write = 'lock table checkout_sessions in row exclusive mode';
  await holder.query(`begin; ${write}`);
  const opening = openedDatabase(url);
  const waiting = `select 1 from pg_stat_activity where datname = 'busy' and wait_event_type = 'Lock'`;
  await until(async () => (await administer(url, waiting)).length > 0, 'the migration to wait');
  await writer.query(`begin; set local lock_timeout = '6s'; ${write}; commit`);
  await holder.query('commit');
  const db = await opening;
  expect(await readMeta(db.read, 'schema_version')).toBe(String(SCHEMA_VERSION));
});

test('a server that accepts no writes is named as the reason', async () => {
  await makeDatabase('quiet');
  await administer(server.href, 'alter database quiet set default_transaction_read_only = on');
  expect(await refusal(address({ pathname: 'quiet' }))).toContain('accepts no writes: it is a standby, or');
});

test('the limit of connections that is reached is named', async () => {
  await administer(server.href, "create role crowded login password 'crowded' connection limit 0");
  onTestFinished(async () => void (await administer(server.href, 'drop role crowded')));
  const url = Object.assign(new URL(server), { username: 'crowded', password: 'crowded' }).href;
  expect(await refusal(url)).toContain('too many connections for role "crowded"');
});

test('the extension pg_trgm is found in a schema outside the search path', async () => {
  await makeDatabase('apart');
  const url = address({ pathname: 'apart' });
  await administer(url, 'create schema payments; create extension pg_trgm schema public');
  const db = await openedDatabase(`${url}?options=-c%20search_path%3Dpayments`);
  expect(await indexesWords(db.read)).toBe(true);
});

test('a start without access to the schema of pg_trgm does without the extension', async () => {
  await administer(server.href, "create role plain login password 'plain'");
  onTestFinished(async () => void (await administer(server.href, 'drop role plain')));
  await makeDatabase('private', 'owner plain');
  const url = address({ pathname: 'private' });
  await administer(url, 'create schema extensions; create extension pg_trgm schema extensions');
  const db = await openedDatabase(Object.assign(new URL(url), { username: 'plain', password: 'plain' }).href);
  expect(await indexesWords(db.read)).toBe(false);
});

test('the clock of the server is read exactly when few digits of numbers are returned', async () => {
  await makeDatabase('coarse');
  await administer(server.href, 'alter database coarse set extra_float_digits = -15');
  const db = await openedDatabase(address({ pathname: 'coarse' }));
  const { clock } = await createServerClock(db, systemClock, () => {});
  expect(Math.abs(clock.now() - Date.now())).toBeLessThan(60_000);
});

test('a query that its client no longer waits for ends at the server', async () => {
  const url = server.href;
  const watch = new ServerWatch(createPool(url, 'probe'));
  const options = { fallback_application_name: 'patient', query_timeout: 300 };
  const pool = new pg.Pool({ Client: connectionClass(url), ...options });
  onTestFinished(async () => void (await Promise.all([watch.close(), pool.end()])));
  const client = await guarded(pool, statementsFor(url), watch).connect();
  await expect(client.query('select pg_sleep(60)', [])).rejects.toThrow('Query read timeout');
  client.release();
  const running = `select 1 from pg_stat_activity where application_name like 'patient%' and state = 'active'`;
  await until(async () => (await administer(url, running)).length === 0, 'the query to end');
});

test('a read on a connection that the server ended for idling is repeated', async () => {
  const proxy = await startTcpProxy(Number(server.port));
  await makeDatabase('sleepy');
  await administer(server.href, 'alter database sleepy set idle_session_timeout = 200');
  const db = await openedDatabase(address({ pathname: 'sleepy', port: String(proxy.port) }));
  const read = () => sql`select 1`.execute(db.read);
  await read();
  // The end of the connection and the query cross on their way.
  proxy.freezeOpen();
  const sessions = `select 1 from pg_stat_activity where datname = 'sleepy'`;
  await until(async () => (await administer(server.href, sessions)).length === 0, 'the sessions to end');
  const answer = read();
  proxy.thaw();
  expect((await answer).rows).toHaveLength(1);
});

test('every text column uses the C collation, as on SQLite', async () => {
  const db = await temporaryDatabase();
  const { rows } = await sql`
    select table_name, column_name from information_schema.columns
    where table_schema = 'public' and data_type = 'text' and collation_name is distinct from 'C'`.execute(
    db.read,
  );
  expect(rows).toEqual([]);
});

test('64-bit integers and sums are numbers, and a value that no number holds exactly is refused', async () => {
  const db = await temporaryDatabase();
  const { rows } =
    await sql`select 9007199254740991::bigint as big, sum(x) as sum, count(*) as n, 1.5::numeric as half
    from (values (1::bigint), (2::bigint)) as v (x)`.execute(db.read);
  expect(rows).toEqual([{ big: Number.MAX_SAFE_INTEGER, sum: 3, n: 2, half: 1.5 }]);
  await expect(sql`select 9007199254740993::bigint`.execute(db.read)).rejects.toThrow('hold exactly');
});

test('NUL in text is replaced, and an id with NUL finds nothing', async () => {
  const db = await temporaryDatabase();
  await db.unit((tx) => tx.insertInto('meta').values({ key: 'k', value: 'a\0b' }).execute());
  const row = await db.read.selectFrom('meta').select('value').where('key', '=', 'k').executeTakeFirst();
  expect(row?.value).toBe('a\uFFFDb');
  expect(await db.read.selectFrom('transactions').select('id').where('id', '=', 'tx_\0').execute()).toEqual(
    [],
  );
});

test('a listener connection that fails before it has all of its locks takes all of them again', async () => {
  await makeDatabase('listened');
  const url = address({ pathname: 'listened' });
  const other = new pg.Client(url);
  other.on('error', () => {});
  await other.connect();
  await other.query('select pg_advisory_lock($1, 2)', [PRESENCE_LOCK]);
  const nothing = () => {};
  const connection = new ListenerConnection(url, nothing, nothing);
  onTestFinished(() => connection.close());
  await Promise.all([connection.keepLock(1), connection.keepLock(2)]);
  await until(() => connection.holdsLock(2), 'the second lock');
  const held = `select objid from pg_locks where locktype = 'advisory' and classid = ${PRESENCE_LOCK}
    and database = (select oid from pg_database where datname = 'listened') order by objid`;
  expect(connection.holdsLock(1)).toBe(true);
  expect(await administer(url, held)).toEqual([{ objid: 1 }, { objid: 2 }]);
});
