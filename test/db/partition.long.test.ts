import { sql } from 'kysely';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { startApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { temporaryFolder } from '../support/database.ts';
import { type Answer, api, call, ORDER } from '../support/harness.ts';
import { startPostgresServer } from '../support/postgres-server.ts';
import { startTcpProxy } from '../support/tcp-proxy.ts';
import { until } from '../support/until.ts';

const LOOPS = 8;
/** The service promises five seconds; this machine may be busy. The client's own timeout is 30 s. */
const REFUSED_MAX_MS = 10_000;

interface Call {
  answer: Answer;
  from: number;
  to: number;
}

test('a process cut off from its database acknowledges nothing, answers 500 within seconds, says so in /readyz, and serves again once the network is back', async () => {
  const server = await startPostgresServer();
  onTestFinished(() => server.stop());
  await server.create('pcs');
  const direct = new URL(server.url('pcs'));
  const proxy = await startTcpProxy(Number(direct.port));
  const url = Object.assign(new URL(direct), { port: String(proxy.port) }).href;
  const config = readConfig({
    SERVICE_DATABASE_URL: url,
    SERVICE_SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    ...{ SERVICE_PORT: '0', SERVICE_SANDBOX_PORT: '0', SERVICE_POST_RATE_LIMIT: '0' },
    ...{ SERVICE_LOG_LEVEL: 'silent' },
  });
  const app = await startApp({ ...config, settings: { ...config.settings, dataFolder: temporaryFolder() } });
  onTestFinished(() => app.close());
  const { apiKey } = await createMerchant(app.deps, { name: 'Shop', domains: ['shop.pt'] });
  const merchant = api(app.url, apiKey);
  const ready = async () => (await call(`${app.url}/readyz`, {})).status;

  const calls: Call[] = [];
  const since = (at: number, status: number) =>
    calls.filter(({ answer, from }) => from > at && answer.status === status);
  let isOver = false;
  onTestFinished(() => {
    isOver = true;
  });
  const loops = Array.from({ length: LOOPS }, async (_, loop) => {
    while (!isOver) {
      const from = performance.now();
      const answer =
        loop % 4 === 0
          ? await merchant.get('/payments/methods')
          : await merchant.post('/payments/init', ORDER);
      calls.push({ answer, from, to: performance.now() });
      if (answer.status !== 200) await new Promise((resolve) => setTimeout(resolve, 20));
    }
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
  isOver = true;
  await Promise.all(loops);
  expect(since(servedAt, 500)).toEqual([]);
  const client = new pg.Client({ connectionString: direct.href });
  await client.connect();
  const { rows } = await client.query('select id from transactions');
  await client.end();
  const stored = new Set(rows.map(({ id }) => id));
  const acknowledged = calls.flatMap(({ answer }) =>
    answer.status === 200 ? (answer.body.transactionId ?? []) : [],
  );
  expect(acknowledged.filter((id) => !stored.has(id))).toEqual([]);
});
