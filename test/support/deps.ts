import { pino } from 'pino';
import { readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { noMetrics } from '../../src/deps.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { noMail } from '../../src/mail/queue.ts';

/** What every slice needs, with settings read from these variables alone. Nothing is logged, counted, mailed or woken. */
export function depsOn<C extends Clock>(db: Database, clock: C, env: Readonly<Record<string, string>> = {}) {
  const key = Buffer.alloc(32, 7).toString('base64');
  const { settings, secrets } = readConfig({ SERVICE_SECRET_KEY: key, ...env });
  return {
    db,
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    box: createSecretBox(secrets.secretKey, systemRandom),
    settings,
    log: pino({ level: 'silent' }),
    metrics: noMetrics,
    queueMail: noMail,
    wakeDispatcher() {},
    wakeBankWorkers() {},
    serviceUrl: () => '',
  };
}
