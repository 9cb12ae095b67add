import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { temporaryFolder } from '../support/database.ts';
import { run } from '../support/process.ts';
import { until } from '../support/until.ts';

const CODE = `
  process.umask(0);
  const { startApp } = await import('./src/app.ts');
  const { readConfig } = await import('./src/config.ts');
  const { backUp } = await import('./src/installation/backup.ts');
  const app = await startApp(readConfig(process.env));
  await backUp(app.deps, process.env.BACKUP);
  console.log('ready');
  setInterval(() => {}, 1000);`;

test('the data folder and its files are readable only by their owner under any umask', async () => {
  const folder = join(temporaryFolder(), 'data');
  const program = run('--input-type=module', ['-e', CODE], {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    BACKUP: join(folder, 'backup.db'),
    SERVICE_PORT: '0',
    SERVICE_SANDBOX_PORT: '0',
    SERVICE_LOG_LEVEL: 'silent',
  });
  await until(() => program.out().includes('ready'), 'the service to be ready');
  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8);
  expect(mode(folder)).toBe('700');
  const files = readdirSync(folder);
  expect(files).toEqual(
    expect.arrayContaining(['service.db', 'sandbox.db', 'secret.key', 'backup.db', 'service.db-wal']),
  );
  for (const file of files) expect([file, mode(join(folder, file))]).toEqual([file, '600']);
});
