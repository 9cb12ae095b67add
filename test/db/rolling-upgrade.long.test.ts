import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { MIGRATIONS, SCHEMA_VERSION } from '../../src/db/migrate.ts';
import { programs } from '../installation/programs.ts';
import { temporaryFolder } from '../support/database.ts';
import { api } from '../support/harness.ts';
import { run } from '../support/process.ts';
import { until } from '../support/until.ts';
import { ask, loops, serverOfTest } from './outage-kit.ts';

const ROOT = join(import.meta.dirname, '../..');
const LOOPS = 4;
/** The pause after each order, which leaves starting processes time. */
const PAUSE_MS = 50;
/** Orders that each phase adds at least. */
const PHASE_ORDERS = 30;
/** Accepts every push at once. */
const WILLING = '911000001';
const SHALLOW = 'no older version in the git history: run it in a full clone (git fetch --unshallow)';

function git(...args: string[]): Buffer | null {
  const { status, stdout } = spawnSync('git', ['-C', ROOT, ...args], { maxBuffer: 2 ** 27 });
  return status === 0 ? stdout : null;
}

/**
 * Returns the newest version that lacks some of today's migrations, knows the others under the same numbers, and may run on today's
 * schema. It stands for the last release; null in a shallow clone.
 */
function lastRelease(): { commit: string; known: number } | null {
  const knownMin = Math.max(...MIGRATIONS.map((migration) => migration.knownMin ?? 0));
  // An older version may have the steps that were merged into the first of today's.
  const [baseline = '', ...today] = MIGRATIONS.map(({ name }) => name);
  const commits = String(git('log', '--format=%H', '--', 'src/db/migrate.ts') ?? '').split('\n');
  for (const commit of commits.filter(Boolean)) {
    const source = String(git('show', `${commit}:src/db/migrate.ts`) ?? '');
    const all = [...source.matchAll(/\{ name: '(\d{4}-[\w-]+)'/g)].map(([, name]) => String(name));
    const names = all.filter((name) => name.slice(0, 4) > baseline.slice(0, 4));
    const isOlder = names.length < today.length && names.every((name, place) => name === today[place]);
    const known = SCHEMA_VERSION - today.length + names.length;
    if (isOlder && known >= knownMin) return { commit, known };
  }
  return null;
}

/** The sources of a commit in a folder, with today's packages. */
function checkOut(commit: string): string {
  const folder = join(temporaryFolder(), 'old');
  mkdirSync(folder);
  const archive = join(folder, 'old.tar');
  writeFileSync(archive, git('archive', commit, 'src', 'openapi', 'scripts', 'package.json') ?? '');
  expect(spawnSync('tar', ['-xf', archive, '-C', folder]).status).toBe(0);
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  return folder;
}

test('the last release and this version serve one database under load, also after a step back, and no call fails', async (context) => {
  const release = lastRelease();
  if (release === null) {
    process.stdout.write(`skipped: ${SHALLOW}\n`);
    return context.skip(SHALLOW);
  }
  const old = checkOut(release.commit);
  const server = await serverOfTest();
  const { env, receiver, start } = await programs();
  const url = server.url('pcs');
  const command = async (folder: string, args: string[]) => {
    const program = run(join(folder, 'src/cli.ts'), [...args, '--json'], {
      ...env,
      SERVICE_DATABASE_URL: url,
    });
    expect(await program.ended, program.err()).toBe(0);
    return JSON.parse(program.out());
  };
  const startOld = () => start(url, {}, join(old, 'src/main.ts'));

  const first = await startOld();
  const options = ['--name', 'Shop', '--domain', 'shop.pt', '--webhook-url', receiver.url];
  const { apiKey } = await command(old, ['merchant', 'create', ...options]);
  let clients = [api(first.address, apiKey)];
  const paying: string[] = [];
  const failures: unknown[] = [];
  let calls = 0;
  const { stop } = loops(LOOPS, async () => {
    // The order is made through one process and paid through another, if there are two.
    const [one, other] = [clients[calls % clients.length], clients[++calls % clients.length]];
    try {
      const id = (await one?.init({ orderId: `ORDER-${calls}` })) ?? '';
      const push = await other?.post('/payments/mbway', { transactionId: id, phoneNumber: WILLING });
      if (push?.status !== 200) throw new Error(`the push of ${id} answered ${push?.status}`);
      paying.push(id);
      await wait(PAUSE_MS);
      return true;
    } catch (error) {
      failures.push(error);
      return false;
    }
  });
  const phase = async () => {
    const before = paying.length;
    await until(() => paying.length + failures.length >= before + PHASE_ORDERS, 'orders', 60_000);
  };

  await phase();
  expect(await command(ROOT, ['migrate'])).toMatchObject({ from: release.known, to: SCHEMA_VERSION });
  await phase();
  const second = await start(url);
  clients = [api(first.address, apiKey), api(second.address, apiKey)];
  await phase();
  // The step back: the old version starts on the new schema.
  const third = await startOld();
  clients = [api(second.address, apiKey), api(third.address, apiKey)];
  await phase();
  first.kill('SIGTERM');
  await first.ended;
  await phase();
  clients = [api(second.address, apiKey)];
  await phase();
  third.kill('SIGTERM');
  await third.ended;
  await stop();

  expect(failures).toEqual([]);
  for (const id of paying) await clients[0]?.reaches(id, 'paid');
  await until(
    async () => (await ask(server, "select id from deliveries where state = 'due'")).length === 0,
    'the deliveries to end',
    30_000,
  );
  const received = receiver.requests.map(({ body }) => JSON.parse(String(body)).data.id);
  expect(new Set(received)).toEqual(new Set(paying));
  const receipts = await ask(server, 'select transaction_id from receipts');
  expect(receipts.map((row) => row.transaction_id).toSorted()).toEqual(paying.toSorted());
  expect(`${first.err()}${second.err()}`).toBe('');
});
