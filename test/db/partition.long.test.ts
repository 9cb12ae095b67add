import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { type Answer, call, ORDER } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { ask, loops, openedDatabase, proxiedServer, serverOfTest, serviceOn } from './outage-kit.ts';

const LOOPS = 8;
/** The service promises five seconds; this machine may be busy. The client's own timeout is 30 s. */
const REFUSED_MAX_MS = 10_000;

interface Call {
  answer: Answer;
  from: number;
  to: number;
}

test('a process cut off from its database acknowledges nothing, answers 500 within seconds, reports it in /readyz, and serves again once the network is back', async () => {
  const { server, proxy, url } = await proxiedServer();
  const { app, merchant } = await serviceOn(url);
  const ready = async () => (await call(`${app.url}/readyz`, {})).status;

  const calls: Call[] = [];
  const since = (at: number, status: number) =>
    calls.filter(({ answer, from }) => from > at && answer.status === status);
  const { stop } = loops(LOOPS, async (loop) => {
    const from = performance.now();
    const answer =
      loop % 4 === 0 ? await merchant.get('/payments/methods') : await merchant.post('/payments/init', ORDER);
    calls.push({ answer, from, to: performance.now() });
    return answer.status === 200;
  });
  // A query that the server works on may take longer than a call waits for an unresponsive server.
  const long = sql`select pg_sleep(5)`.execute(app.deps.db.read);
  await until(() => calls.length > 200, 'calls');
  await long;
  expect(calls.filter(({ answer }) => answer.status !== 200)).toEqual([]);

  proxy.freeze();
  const frozenAt = performance.now();
  await until(() => since(frozenAt, 500).length > 100, 'refusals');
  expect(await ready()).toBe(503);
  expect(since(frozenAt, 200)).toEqual([]);
  expect(Math.max(...since(frozenAt, 500).map(({ from, to }) => to - from))).toBeLessThan(REFUSED_MAX_MS);

  proxy.thaw();
  const thawedAt = performance.now();
  await until(() => since(thawedAt, 200).length > 100, 'acknowledged calls');
  const servedAt = performance.now();
  await until(async () => (await ready()) === 200, 'the process to be ready');
  await until(() => since(servedAt, 200).length > 100, 'more calls');
  await stop();
  expect(since(servedAt, 500)).toEqual([]);
  const stored = new Set((await ask(server, 'select id from transactions')).map(({ id }) => id));
  const acknowledged = calls.flatMap(({ answer }) =>
    answer.status === 200 ? (answer.body.transactionId ?? []) : [],
  );
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});

test('calls on half-open connections succeed on others within seconds, while a long query goes on', async () => {
  const { proxy, url } = await proxiedServer();
  const { app, merchant } = await serviceOn(url);
  // With a key, because an order without one may be refused when its answer is lost.
  const init = (key: string) => merchant.post('/payments/init', ORDER, { 'idempotency-key': key });
  const { transactionId } = (await init('first')).body;
  const { db } = app.deps;
  let frozenAt = 0;
  let runs = 0;
  // The second run needs the lock that the first one holds on a half-open connection.
  const locking = db.unit(async (tx) => {
    await tx.updateTable('transactions').set({ tracking: '{}' }).where('id', '=', transactionId).execute();
    if (runs++ === 0) {
      proxy.freezeOpen();
      frozenAt = performance.now();
    }
    await tx.selectFrom('meta').select('key').execute();
  });
  await until(() => frozenAt > 0, 'the connections to be half-open');
  const long = sql`select pg_sleep(6)`.execute(db.read);
  const answers = await Promise.all([
    init('second'),
    merchant.get(`/payments/status?transactionId=${transactionId}`),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  await locking;
  expect(performance.now() - frozenAt).toBeLessThan(REFUSED_MAX_MS);
  await long;
});

test('a long query goes on although a pooler gave an idle connection the name of the same client', async () => {
  const server = await serverOfTest();
  const db = await openedDatabase(server.url('pcs'));
  const pooled = new pg.Client({ connectionString: server.url('pcs') });
  pooled.on('error', () => {});
  await pooled.connect();
  onTestFinished(() => pooled.end().catch(() => {}));
  let runs = 0;
  await db.unit(async (tx) => {
    runs++;
    const { rows } = await sql<{ name: string }>`select current_setting('application_name') as name`.execute(
      tx,
    );
    await pooled.query("select set_config('application_name', $1, false)", [rows[0]?.name]);
    await sql`select pg_sleep(4)`.execute(tx);
  });
  expect(runs).toBe(1);
  await pooled.query('select 1');
});

test('a process whose old session lingers on the server becomes visible to the others again', async () => {
  const { proxy, url, direct } = await proxiedServer();
  const [one, other] = [await openedDatabase(url), await openedDatabase(direct)];
  const presence = one.cluster?.join();
  await presence?.ready;
  const id = presence?.instanceId ?? '';
  expect(await other.cluster?.running()).toContain(id);
  proxy.abandon();
  await until(() => presence?.instanceId === null, 'the loss of the connection');
  await until(() => presence?.instanceId === id, 'the process to be visible');
  expect(await other.cluster?.running()).toContain(id);
});

test('a listener connection that became half-open while idle is replaced within seconds', async () => {
  const { proxy, url, direct } = await proxiedServer();
  const [one, other] = [await openedDatabase(url), await openedDatabase(direct)];
  const presence = one.cluster?.join();
  let isWoken = false;
  one.cluster?.subscribe('mail', () => {
    isWoken = presence?.instanceId !== null;
  });
  await presence?.ready;
  const id = presence?.instanceId;
  proxy.freezeOpen();
  await until(() => presence?.instanceId === null, 'the loss of the connection');
  await until(() => presence?.instanceId === id, 'the process to be visible');
  isWoken = false;
  other.cluster?.publish('mail');
  await until(() => isWoken, 'the message');
});
