import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { ORDER } from '../support/harness.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';
import { ask, loops, openedDatabase, serverOfTest, serviceOn } from './outage-kit.ts';

const LOOPS = 8;
const STEADY_MS = 2000;
/** DESIGN asks for half the rate within 10 s of the promotion. */
const BACK_MS = 10_000;
/** Requests of one delivery: four attempts, and an attempt that a crash interrupted. */
const SEEN_MAX = 5;
/** Successful calls in a row after which failures count as over. */
const STREAK = 200;

/** A primary and its synchronous standby with a database. */
async function pair() {
  const primary = await startPostgresServer({ durable: true });
  onTestFinished(() => primary.stop());
  const standby = await primary.standby();
  onTestFinished(() => standby.stop());
  await primary.create('pcs');
  return { primary, standby };
}

type Service = Awaited<ReturnType<typeof serviceOn>>;

/** Orders, one in four of them with a push. No call is repeated. */
function load({ merchant }: Service) {
  const acknowledged: { id: string; at: number }[] = [];
  const tried = new Set<string>();
  const pushed = new Set<string>();
  let orders = 0;
  let streak = 0;
  const { stop } = loops(LOOPS, async () => {
    const orderId = `ORDER-${orders++}`;
    const id = await merchant.init({ orderId }).catch(() => null);
    streak = id === null ? 0 : streak + 1;
    if (id === null) return false;
    acknowledged.push({ id, at: performance.now() });
    if (orders % 4 !== 0) return true;
    tried.add(orderId);
    const { status } = await merchant.post('/payments/mbway', {
      transactionId: id,
      phoneNumber: '911000001',
    });
    if (status === 200) pushed.add(orderId);
    return true;
  });
  return {
    acknowledged,
    tried,
    pushed,
    stop,
    perSecond: (from: number, to: number) =>
      (acknowledged.filter(({ at }) => at >= from && at < to).length * 1000) / (to - from),
    /** Resolves when calls succeed again and again. */
    succeeding: async () => {
      streak = 0;
      await until(() => streak >= STREAK, `${STREAK} successful calls in a row`, 30_000);
    },
  };
}

/** Compares what was acknowledged with the database, the bank and the receiver. */
async function judge(service: Service, server: PostgresServer, calls: ReturnType<typeof load>) {
  const { receiver, pushedOrders } = service;
  const stored = new Set((await ask(server, 'select id from transactions')).map(({ id }) => id));
  expect(calls.acknowledged.filter(({ id }) => !stored.has(id))).toEqual([]);
  const unfinished = `select id from attempts where state in ('initiated', 'open', 'unknown')
    union all select id from deliveries where state = 'due'`;
  await until(
    async () => (await ask(server, unfinished)).length === 0,
    'pushes and deliveries to end',
    30_000,
  );
  const twice = `select transaction_id from events where kind = 'payment.success' group by 1 having count(*) > 1
    union all select identity from receipts group by identity having count(*) > 1`;
  expect(await ask(server, twice)).toEqual([]);

  const orders = pushedOrders();
  expect(orders.length, 'one push for one call').toBe(new Set(orders).size);
  expect(orders.filter((order) => !calls.tried.has(order))).toEqual([]);
  expect([...calls.pushed].filter((order) => !orders.includes(order))).toEqual([]);
  const paid = await ask(server, "select order_id from transactions where status = 'paid'");
  expect(new Set(paid.map(({ order_id }) => order_id))).toEqual(new Set(orders));

  const events = (await ask(server, 'select id from events')).map(({ id }) => id);
  const requests = receiver.requests;
  expect(new Set(requests.map(({ headers }) => headers['webhook-id']))).toEqual(new Set(events));
  const seen = Map.groupBy(requests, ({ headers }) => headers['x-service-delivery-id']);
  expect(Math.max(...[...seen.values()].map(({ length }) => length))).toBeLessThanOrEqual(SEEN_MAX);
}

test.each(['two hosts', 'one address'] as const)(
  'a failover under load to %s loses nothing acknowledged, pays and sends nothing twice, and ends within seconds',
  async (addresses) => {
    const { primary, standby } = await pair();
    const [first, second] = [new URL(primary.url('pcs')), new URL(standby.url('pcs'))];
    const proxy = await startTcpProxy(Number(first.port));
    const url =
      addresses === 'one address'
        ? Object.assign(new URL(first), { port: String(proxy.port) }).href
        : first.href.replace('/pcs', `,${second.host}/pcs?target_session_attrs=read-write`);
    const service = await serviceOn(url);
    const calls = load(service);
    const steadyFrom = performance.now();
    await until(() => performance.now() - steadyFrom > STEADY_MS);
    const before = calls.perSecond(steadyFrom, performance.now());

    await primary.kill();
    await ask(standby, 'select pg_promote()');
    proxy.point(Number(second.port));
    const promotedAt = performance.now();
    await until(
      () => calls.perSecond(performance.now() - 1000, performance.now()) >= before / 2,
      'half the rate',
      BACK_MS + 5000,
    );
    expect(performance.now() - promotedAt).toBeLessThan(BACK_MS);

    await primary.follow(standby);
    expect(await ask(primary, 'select pg_is_in_recovery() as is')).toEqual([{ is: true }]);
    // A process that starts now may find the old primary first.
    await (await openDatabase(url)).close();
    // New connections may try the old primary first.
    await ask(standby, TERMINATE_ALL);
    await calls.succeeding();
    await calls.stop();
    await judge(service, standby, calls);
  },
);

const TERMINATE_ALL = `select count(pg_terminate_backend(pid)) from pg_stat_activity
  where backend_type = 'client backend' and pid <> pg_backend_pid()`;

test.each([
  ['pg_cancel_backend', 'warning'],
  ['pg_cancel_backend', 'error'],
  ['pg_terminate_backend', 'warning'],
])(
  'a commit whose wait for the standby is ended by %s is neither acknowledged nor repeated, with messages from %s',
  async (end, level) => {
    const server = await serverOfTest();
    await ask(server, `alter role service set client_min_messages = ${level}`);
    const { merchant } = await serviceOn(server.url('pcs'));
    await merchant.init();
    await ask(server, "alter system set synchronous_standby_names = 'gone'");
    await ask(server, 'select pg_reload_conf()');
    await until(async () => {
      const [row] = await ask(server, 'show synchronous_standby_names');
      return row?.synchronous_standby_names === 'gone';
    });
    const call = merchant.post('/payments/init', ORDER);
    const ended = `select ${end}(pid) from pg_stat_activity where wait_event = 'SyncRep'`;
    const stored = async () => (await ask(server, 'select id from transactions')).length === 2;
    await until(async () => (await ask(server, ended)).length > 0 && (await stored()), 'the local commit');
    expect(await call).toMatchObject({ status: 500 });
    expect(await stored()).toBe(true);
    await ask(server, 'alter system reset synchronous_standby_names');
    await ask(server, 'select pg_reload_conf()');
  },
);

test('calls wait for a server that turned read-only, and go on when it accepts writes again', async () => {
  const server = await serverOfTest();
  const db = await openedDatabase(server.url('pcs'));
  const setReadOnly = async (value: 'on' | 'off') => {
    await ask(server, `alter system set default_transaction_read_only = ${value}`);
    await ask(server, 'select pg_reload_conf()');
  };
  const write = () =>
    db.unit((tx) => tx.updateTable('meta').set({ value: 'x' }).where('key', '=', 'none').execute());
  await write();
  await setReadOnly('on');
  await until(async () => {
    const [row] = await ask(server, 'show default_transaction_read_only');
    return row?.default_transaction_read_only === 'on';
  });
  const waiting = write();
  await setReadOnly('off');
  await waiting;
});
