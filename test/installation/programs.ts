import { randomBytes } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { openDatabase } from '../../src/db/open.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { databaseUrl, temporaryFolder } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { freePort, ready, run } from '../support/process.ts';
import { type ReceiverHandler, startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

/** A receiver, a sandbox bank in its own process, and a function that starts the service in another one. */
export async function programs(handler?: ReceiverHandler, settings: Record<string, string> = {}) {
  const folder = temporaryFolder();
  const receiver = await startReceiver(handler);
  const ca = join(folder, 'ca.pem');
  writeFileSync(ca, receiver.ca);
  const sandboxPort = await freePort();
  const sandboxUrl = `http://127.0.0.1:${sandboxPort}`;
  const env = {
    SERVICE_DATABASE_URL: `sqlite:${join(folder, 'service.db')}`,
    SERVICE_SECRET_KEY: randomBytes(32).toString('base64'),
    SERVICE_SANDBOX_PORT: String(sandboxPort),
    SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS: 'true',
    SERVICE_POST_RATE_LIMIT: '0',
    SERVICE_BANK_TIMEOUT_MS: '1000',
    SERVICE_RECONCILE_SECONDS: '1',
    SERVICE_SEED_DEMO: 'false',
    NODE_EXTRA_CA_CERTS: ca,
    ...settings,
  };
  const sandbox = run('src/main.ts', ['sandbox'], env);
  await until(() => sandbox.out().includes(sandboxUrl), 'the sandbox');
  const start = async (
    databaseUrl = env.SERVICE_DATABASE_URL,
    more: Record<string, string> = {},
    main = 'src/main.ts',
  ) => {
    const port = await freePort();
    const address = `http://127.0.0.1:${port}`;
    const program = run(main, [], {
      ...env,
      SERVICE_PORT: String(port),
      SERVICE_SANDBOX_URL: sandboxUrl,
      SERVICE_DATABASE_URL: databaseUrl,
      ...more,
    });
    await ready(program, address);
    return { ...program, address };
  };
  return { folder, env, receiver, sandboxUrl, start };
}

/** The programs of an installation on PostgreSQL, and connections to its database with the dependencies of an operator. */
export async function sharedPrograms(...options: Parameters<typeof programs>) {
  const made = await programs(...options);
  const url = await databaseUrl(made.folder, onTestFinished);
  const connect = async () => {
    const db = await openDatabase(url);
    onTestFinished(() => db.close());
    return depsOn(db, systemClock, made.env);
  };
  return { ...made, url, connect };
}
