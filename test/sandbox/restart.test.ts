import { once } from 'node:events';
import { readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import Sqlite from 'better-sqlite3';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { HAND, receiver, sandbox, WINDOW_MS } from './support.ts';

test('pushes, references, payments, callback URLs and faults survive a restart', async () => {
  const clock = fakeClock();
  const before = await sandbox({ clock });
  const shop = await receiver();
  await before.activate(shop.template);
  const open = (await before.push(HAND)).body.RequestId;
  const made = (await before.reference()).body;
  await before.fault('error500', 1);
  await before.close();

  const after = await sandbox({ clock, file: before.file });
  expect((await after.push('966123456')).status).toBe(500);
  expect((await after.accept(HAND)).body).toEqual({ requestId: open });
  expect((await after.payAtm(made)).body).toEqual({ requestId: made.RequestId });
  await clock.advanceUntil(0, () => shop.calls.length === 1);
  expect(await after.record({ requestId: open })).toHaveLength(1);
});

test('a planned action of a test phone happens after a restart, also when it is overdue', async () => {
  const clock = fakeClock();
  const before = await sandbox({ clock });
  const nine = (await before.push('911000009')).body.RequestId;
  const ten = (await before.push('911000010')).body.RequestId;
  await before.close();
  await clock.advance(WINDOW_MS + 10_000);

  const after = await sandbox({ clock, file: before.file });
  await clock.advanceUntil(0, async () => (await after.status(nine)).Status === '000');
  expect((await after.status(ten)).Status).toBe('101');
  await clock.advance(25_000);
  expect((await after.status(ten)).Status).toBe('000');
});

test('a test phone whose create call was cut by the stop accepts after the restart', async () => {
  const clock = fakeClock();
  const before = await sandbox({ clock });
  const create = before.push('911000008').catch(() => 'cut');
  await clock.advanceUntil(0, async () => (await before.pushes()).length === 1);
  await before.close();
  expect(await create).toBe('cut');

  const after = await sandbox({ clock, file: before.file });
  await clock.advance(1000);
  expect(await after.record()).toHaveLength(1);
});

test('pending and interrupted callbacks are sent after the restart', async () => {
  const clock = fakeClock();
  const before = await sandbox({ clock });
  const shop = await receiver();
  shop.state.hang = true;
  await before.activate(shop.template);
  await before.paidPush();
  await clock.advanceUntil(0, () => shop.calls.length === 1);
  await before.close();

  shop.state.hang = false;
  const after = await sandbox({ clock, file: before.file });
  await clock.advanceUntil(0, () => after.log.some((line) => line.includes('attempt 1: 200')));
  expect(shop.calls.length).toBe(2);
});

test('an invalid database file stops the start with one line that names it', async () => {
  const file = join(temporaryFolder(), 'sandbox.db');
  writeFileSync(file, 'not a database '.repeat(100));
  await expect(sandbox({ file })).rejects.toThrow(/^the sandbox bank cannot open its file .*sandbox\.db/);
});

test('several processes can create the file at once', async () => {
  const opening = `
    const { workerData: { store, file, gate }, parentPort } = require('node:worker_threads');
    import(store).then(({ Store }) => {
      const ready = new Int32Array(gate);
      Atomics.sub(ready, 0, 1);
      while (Atomics.load(ready, 0) > 0);
      try {
        new Store(file).close();
        parentPort.postMessage('opened');
      } catch (error) {
        parentPort.postMessage(error.message);
      }
    });`;
  const store = new URL('../../src/sandbox/store.ts', import.meta.url).href;
  const processes = 4;
  for (let round = 0; round < 10; round++) {
    const gate = new SharedArrayBuffer(4);
    new Int32Array(gate)[0] = processes;
    const workerData = { store, gate, file: join(temporaryFolder(), 'sandbox.db') };
    const opened = Array.from({ length: processes }, async () => {
      const worker = new Worker(opening, { eval: true, workerData });
      return (await once(worker, 'message'))[0];
    });
    expect(await Promise.all(opened)).toEqual(Array(processes).fill('opened'));
  }
});

test('a test phone that cannot write its answer tries again', async () => {
  const clock = fakeClock();
  const bank = await sandbox({ clock });
  const afterAnswer = (await bank.push('911000004')).body.RequestId;
  const other = new Sqlite(bank.file);
  onTestFinished(() => void other.close());
  other.exec("CREATE TRIGGER fail BEFORE UPDATE ON pushes BEGIN SELECT RAISE(ABORT, 'disk full'); END");
  await bank.push('911000001');
  await clock.advanceUntil(500, () => bank.log.filter((line) => line.includes('disk full')).length === 2);
  other.exec('DROP TRIGGER fail');
  await clock.advance(5000);
  expect((await bank.status(afterAnswer)).Status).toBe('122');
});

test('a start that fails at the mailbox closes the file', async () => {
  const file = join(temporaryFolder(), 'sandbox.db');
  const openFiles = () => readdirSync('/proc/self/fd').length;
  const before = openFiles();
  await expect(sandbox({ file, host: '203.0.113.9' })).rejects.toThrow('cannot listen on');
  expect(openFiles()).toBe(before);
});
