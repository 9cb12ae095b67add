import { execFile, spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { delimiter, dirname, join } from 'node:path';
import { promisify } from 'node:util';
import pg from 'pg';
import { expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { api } from '../support/harness.ts';
import { isOpenToAll, type PostgresServer } from '../support/postgres-server.ts';
import { until } from '../support/until.ts';
import { ask, serverOfTest, serviceOn } from './outage-kit.ts';

const SCRIPTS = join(import.meta.dirname, '../../scripts/deploy/postgres');
/** The programs of the server refuse to run as root. */
const USER = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};
const run = (script: string, args: string[], env: NodeJS.ProcessEnv = {}) =>
  promisify(execFile)(join(SCRIPTS, script), args, { ...USER, env: { ...process.env, ...env } });

/** A server that archives its WAL, in a folder that its user can write. */
async function archivingServer() {
  const folder = temporaryFolder();
  const wal = join(folder, 'wal');
  mkdirSync(wal);
  for (const path of [folder, wal]) chmodSync(path, 0o777);
  const command = `archive_command=${join(SCRIPTS, 'archive-wal.sh')} "%p" "%f" ${wal}`;
  return { folder, wal, server: await serverOfTest('archive_mode=on', command) };
}

/** Takes a base backup as pg_basebackup does, which the embedded server comes without. */
async function baseBackup(server: PostgresServer, backup: string): Promise<void> {
  const client = new pg.Client({ connectionString: server.url('pcs') });
  await client.connect();
  await client.query("select pg_backup_start('test', true)");
  const { rows } = await client.query('show data_directory');
  spawnSync('cp', ['-a', rows[0].data_directory, backup]);
  for (const name of ['postmaster.pid', 'pg_wal']) rmSync(join(backup, name), { recursive: true });
  mkdirSync(join(backup, 'pg_wal/archive_status'), { recursive: true });
  const stopped = await client.query('select labelfile from pg_backup_stop()');
  writeFileSync(join(backup, 'backup_label'), stopped.rows[0].labelfile);
  spawnSync('chown', ['-R', '--reference', join(backup, 'PG_VERSION'), backup]);
  await client.end();
}

const received = async (server: PostgresServer) =>
  Number((await ask(server, 'select sum(amount_cents) as cents from receipts'))[0]?.cents);

/** As root, the scripts run as another user, who must be able to read them. */
const isClosed = 'uid' in USER && ![SCRIPTS, dirname(process.execPath)].every(isOpenToAll);

test.skipIf(isClosed)(
  'a lost PostgreSQL server is restored to a moment after its base backup, with the money of that moment',
  async () => {
    const { folder, wal, server } = await archivingServer();
    const { app, merchant } = await serviceOn(server.url('pcs'));
    const [backup, data] = [join(folder, 'backup'), join(folder, 'data')];
    const first = await merchant.pay();
    await merchant.pay();
    await baseBackup(server, backup);
    const second = await merchant.pay();
    await until(async () => (await ask(server, "select 1 from deliveries where state = 'due'")).length === 0);
    const cents = await received(server);
    await ask(server, "select pg_create_restore_point('before')");
    const third = await merchant.pay();
    expect(await received(server)).toBeGreaterThan(cents);
    await ask(server, 'select pg_switch_wal()');
    await until(async () => (await ask(server, NOT_ARCHIVED)).length === 0, 'the archive to be complete');
    await app.close();
    const [bin] = await ask(server, "select setting from pg_config where name = 'BINDIR'");
    await server.kill();

    const env = {
      PATH: [bin?.setting, dirname(process.execPath), process.env.PATH].join(delimiter),
      PGUSER: 'service',
      PGDATABASE: 'pcs',
      SERVICE_BANK: 'sandbox',
      NODE_COMPILE_CACHE: '',
      SERVICE_SECRET_KEY: Buffer.alloc(32, 5).toString('base64'),
    };
    const drill = async (base: string, ...target: string[]) =>
      JSON.parse((await run('restore-drill.sh', [base, wal, ...target], env)).stdout);
    expect(await drill(backup, 'name', 'before')).toMatchObject({ sales: 3, paid: cents, received: cents });
    expect(await drill(backup)).toMatchObject({ sales: 4 });
    await expect(drill(backup, 'name', 'never')).rejects.toMatchObject({
      stderr: expect.stringContaining('recovery ended before configured recovery target was reached'),
    });

    await run('restore.sh', [backup, wal, data, 'name', 'before']);
    // A backup of the restored server does not stop at the target of its recovery.
    expect(await drill(data)).toMatchObject({ sales: 4 });
    const restored = await server.on(data);
    onTestFinished(() => restored.stop());
    const isReplaying = async () => (await ask(restored, 'select pg_is_in_recovery() as is'))[0]?.is;
    await until(async () => (await isReplaying()) === false, 'the end of the recovery');
    expect(await received(restored)).toBe(cents);
    const again = await serviceOn(restored.url('pcs'));
    const shop = api(again.app.url, merchant.apiKey);
    for (const id of [first, second]) expect(await shop.status(id)).toMatchObject({ status: 'paid' });
    expect(await shop.get(`/payments/status?transactionId=${third}`)).toMatchObject({ status: 404 });
    await shop.pay();
    expect(await received(restored)).toBeGreaterThan(cents);

    // Sums that differ fail the drill.
    await ask(restored, 'update daily_method_totals set paid_cents = paid_cents + 1');
    const { hostname, port, password } = new URL(restored.url('pcs'));
    const address = { PGHOST: hostname, PGPORT: port, PGPASSWORD: decodeURIComponent(password) };
    const checked = promisify(execFile)(process.execPath, [join(SCRIPTS, 'check-money.mjs')], {
      env: { ...process.env, ...env, ...address },
    });
    await expect(checked).rejects.toMatchObject({ code: 1, stderr: expect.stringMatching(/^paid .*differ/) });
  },
);

test.skipIf(isClosed)(
  'a backup of a standby, without settings of ALTER SYSTEM, is restored as a primary, once',
  async () => {
    const folder = temporaryFolder();
    const [backup, wal, data] = [join(folder, 'backup'), join(folder, 'wal'), join(folder, 'data')];
    for (const path of [backup, wal]) mkdirSync(path);
    chmodSync(folder, 0o777);
    const restore = () => run('restore.sh', [backup, wal, data]);
    await expect(restore()).rejects.toMatchObject({
      stderr: expect.stringContaining('is not a base backup'),
    });
    writeFileSync(join(backup, 'backup_label'), '');
    writeFileSync(join(backup, 'standby.signal'), '');
    await restore();
    expect(spawnSync('cat', [join(data, 'postgresql.auto.conf')], { encoding: 'utf8' }).stdout).toContain(
      'restore_command',
    );
    expect(readdirSync(data).sort()).toEqual(['backup_label', 'postgresql.auto.conf', 'recovery.signal']);
    await expect(restore()).rejects.toMatchObject({ stderr: `${data} exists. Move it aside.\n` });
  },
);

test.skipIf(isClosed)('a backup that began after the target time is not restored', async () => {
  const folder = temporaryFolder();
  const [backup, wal] = [join(folder, 'backup'), join(folder, 'wal')];
  for (const path of [backup, wal]) mkdirSync(path);
  writeFileSync(join(backup, 'backup_label'), 'START TIME: 2026-01-31 01:00:00 UTC\n');
  chmodSync(folder, 0o777);
  const restore = (data: string, time: string) =>
    run('restore.sh', [backup, wal, join(folder, data), 'time', time]);
  await expect(restore('early', '2026-01-31 01:59:59+01')).rejects.toMatchObject({
    code: 1,
    stderr:
      '2026-01-31 01:59:59+01 is before the backup, which began at 2026-01-31 01:00:00 UTC: use an earlier backup.\n',
  });
  await restore('same', '2026-01-31 02:00:00+01');
  // In the zone of the server, which is not known here.
  await restore('local', '2026-01-31 00:30:00');
});

const NOT_ARCHIVED = `select 1 from pg_stat_archiver
  where last_archived_wal is null or last_archived_wal < pg_walfile_name(pg_current_wal_lsn() - 16777216)`;
