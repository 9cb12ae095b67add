import { pino } from 'pino';
import { readConfig } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import type { Deps } from '../deps.ts';
import { claimIdentity } from '../installation/identity.ts';
import { COMMAND_LINE } from '../kernel/actor.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { systemRandom } from '../kernel/random.ts';
import { createSecretBox } from '../kernel/secret-box.ts';

/** What the commands work with: everything but listeners, dispatcher and bank. */
export type CliDeps = Omit<Deps, 'bank' | 'bankAccounts' | 'metrics'>;

/**
 * Opens what the settings in `env` name, for one command, beside a server that may be running. Nothing is woken: the
 * running server finds by itself what a command has left to be done. Throws OperatorError with one line.
 */
export async function openCli(
  env: Readonly<Record<string, string | undefined>>,
): Promise<CliDeps & { close(): Promise<void> }> {
  const { settings, secrets } = readConfig(env);
  const db = await openDatabase(secrets.databaseUrl);
  const box = createSecretBox(secrets.secretKey, systemRandom, secrets.previousSecretKey);
  try {
    await claimIdentity({ db, box, settings });
  } catch (error) {
    await db.close();
    throw error;
  }
  return {
    db,
    box,
    settings,
    clock: systemClock,
    random: systemRandom,
    ids: createIds(systemClock, systemRandom),
    // Standard output carries the answer and standard error one line of failure: there is no place for a log.
    log: pino({ level: 'silent' }),
    actor: COMMAND_LINE,
    wakeDispatcher: () => db.neighbours?.tell('deliveries'),
    wakeBankWorkers: () => db.neighbours?.tell('desk'),
    close: () => db.close(),
  };
}
