import { join } from 'node:path';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { readCopyState } from '../../src/installation/copy/move.ts';
import { jsonHere, runHere } from '../cli/support.ts';
import { databaseUrl } from '../support/database.ts';
import { api } from '../support/harness.ts';
import { run } from '../support/process.ts';
import { selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { programs } from './programs.ts';

/** So many that a copy is interrupted in the middle of them. */
const LINES = 60_000;

/** The programs of an installation, its command line, and a receiver that can be made to hang. */
async function parts() {
  let hang = false;
  const made = await programs((_request, response) => {
    if (!hang) response.end('thanks');
  });
  const { env } = made;
  const command = (url: string, ...args: string[]) =>
    runHere(made.folder, args, { ...env, SERVICE_DATABASE_URL: url });
  const json = (url: string, ...args: string[]) =>
    jsonHere(made.folder, args, { ...env, SERVICE_DATABASE_URL: url });
  const setHang = (on: boolean) => {
    hang = on;
  };
  return { ...made, from: env.SERVICE_DATABASE_URL, command, json, setHang };
}

function fill(file: string): void {
  const handle = new Sqlite(file);
  const insert = handle.prepare(
    `insert into audit_log (id, at, actor, action) values (?, ?, 'service', 'test.sent')`,
  );
  handle.transaction(() => {
    for (let i = 0; i < LINES; i++) insert.run(`aud_${String(i).padStart(9, '0')}`, i);
  })();
  handle.close();
}

test('an installation moved from SQLite by a killed and resumed copy keeps its payments, events and deliveries', async () => {
  const { folder, from, env, receiver, start, command, json, setHang } = await parts();
  const first = await start(from);
  const shop = ['--name', 'Shop', '--domain', 'shop.pt', '--webhook-url', receiver.url];
  const merchant = await json(from, 'merchant', 'create', ...shop);
  const { merchantId } = merchant;
  const before = api(first.address, merchant.apiKey);
  const delivered = await before.pay();
  await until(() => receiver.requests.length === 1, 'the first delivery');
  const pending = await before.init();
  setHang(true);
  const interrupted = await before.pay();
  await until(() => receiver.requests.length === 2, 'the second delivery to start');
  const statuses = await Promise.all([delivered, pending, interrupted].map(before.status));
  const events = await json(from, 'event', 'export', merchantId);

  const target = await databaseUrl(folder, onTestFinished);
  const served = await command(from, 'copy', '--from', from, '--to', target);
  expect(served).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--from: .*another process has locked it/),
  });
  // The delivery is interrupted, its claim still held.
  first.kill('SIGKILL');
  await first.ended;
  fill(from.slice('sqlite:'.length));

  const db = await openDatabase(target);
  onTestFinished(() => db.close());
  const copying = run('src/cli.ts', ['copy', '--from', from, '--to', target], env);
  const reached = await until(
    async () => (await readCopyState(db.read))?.tables.audit_log?.rows,
    'some lines to be copied',
  );
  copying.kill('SIGKILL');
  expect(await copying.ended).toBe('SIGKILL');
  expect(reached).toBeLessThan(LINES);
  expect((await command(target, 'merchant', 'list')).stderr).toContain('a copy that is not complete');
  expect((await command(from, 'merchant', 'list')).stderr).toContain('is being moved to the database ');
  const aside = `sqlite:${join(folder, 'aside.db')}`;
  const elsewhere = await command(from, 'copy', '--from', from, '--to', aside);
  expect(elsewhere.stderr).toMatch(/^--from: this installation is being moved to .*; finish that, or/);

  const moved = await command(from, 'copy', '--from', from, '--to', target);
  expect(moved.stderr).toMatch(/Set SERVICE_DATABASE_URL to the new database/);
  expect([moved.code, moved.stderr]).toEqual([0, expect.not.stringContaining('p@ss')]);
  expect((await command(from, 'merchant', 'list')).stderr).toContain('was moved to the database ');
  expect(await selectRows(db, 'audit_log', { action: 'test.sent' })).toHaveLength(LINES);

  setHang(false);
  const second = await start(target);
  const after = api(second.address, merchant.apiKey);
  expect(await Promise.all([delivered, pending, interrupted].map(after.status))).toEqual(statuses);
  await until(() => receiver.requests.length === 3, 'the interrupted delivery, without waiting for a lease');
  const requestOf = (place: number) => receiver.requests[place];
  expect(requestOf(2)?.headers['x-service-delivery-id']).toBe(requestOf(1)?.headers['x-service-delivery-id']);
  expect(requestOf(2)?.body).toEqual(requestOf(1)?.body);
  expect(await json(target, 'event', 'export', merchantId)).toEqual(events);

  const [delivery] = (await json(target, 'transaction', 'show', delivered)).deliveries;
  await json(target, 'webhook', 'resend', delivery.deliveryId);
  await until(() => receiver.requests.length === 4, 'the resent delivery');
  expect(requestOf(3)?.body).toEqual(requestOf(0)?.body);
  await after.pay();
  const more = await json(target, 'event', 'export', merchantId);
  expect(more.slice(0, events.length)).toEqual(events);
  expect(more.map(({ sequence }: { sequence: number }) => sequence)).toEqual([1, 2, 3]);
  expect(second.err()).toBe('');
});

test('an installation moves back from PostgreSQL to a file, but not while a process serves it', async () => {
  const { folder, start, command, json } = await parts();
  const url = await databaseUrl(folder, onTestFinished);
  const service = await start(url);
  const { merchantId } = await json(url, 'merchant', 'create', '--name', 'Shop', '--domain', 'shop.pt');
  const to = `sqlite:${join(folder, 'back.db')}`;
  expect(await command(url, 'copy', '--from', url, '--to', to)).toMatchObject({
    code: 1,
    stderr: expect.stringMatching(/^--from: the service is running on it; stop all its processes first\n$/),
  });
  expect(await json(url, 'merchant', 'list')).toMatchObject([{ merchantId }]);
  service.kill('SIGTERM');
  await service.ended;
  const { rows, tables } = await json(url, 'copy', '--from', url, '--to', to);
  expect(rows).toBeGreaterThan(2);
  expect(tables).toContainEqual({ table: 'merchants', rows: 1 });
  expect(await json(to, 'merchant', 'list')).toMatchObject([{ merchantId }]);
  expect((await command(url, 'merchant', 'list')).stderr).toContain('was moved to the file ');
});
