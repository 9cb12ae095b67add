import { createHash } from 'node:crypto';
import { type Config, readConfig } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { createIds } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { temporaryDatabase } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';

/** Settings read from these variables alone, with a key of zeros where none is given. */
export function testConfig(env: Readonly<Record<string, string>> = {}): Config {
  return readConfig({ SERVICE_SECRET_KEY: Buffer.alloc(32, 1).toString('base64'), ...env });
}

/** The dependencies of merchants and leads: a new database and a clock that stands still. */
export async function testDeps(env: Readonly<Record<string, string>> = {}) {
  const clock = fakeClock();
  return {
    db: await temporaryDatabase(),
    clock,
    random: systemRandom,
    ids: createIds(clock, systemRandom),
    box: createSecretBox(Buffer.alloc(32), systemRandom),
    settings: testConfig(env).settings,
  };
}

/** Whether the key opens anything at `now`, as the API asks it: by hash and end. */
export async function keyLives(db: Database, apiKey: string, now: number): Promise<boolean> {
  const row = await db.read
    .selectFrom('api_keys')
    .select('expires_at')
    .where('hash', '=', createHash('sha256').update(apiKey).digest('hex'))
    .executeTakeFirst();
  return row !== undefined && (row.expires_at === null || row.expires_at > now);
}
