import { pino } from 'pino';
import { readConfig, type Settings } from '../config.ts';
import { openDatabase } from '../db/open.ts';
import { createServerClock } from '../db/postgres/server-clock.ts';
import type { Deps } from '../deps.ts';
import { claimIdentity, claimIn } from '../installation/identity.ts';
import { COMMAND_LINE } from '../kernel/actor.ts';
import { systemClock } from '../kernel/clock.ts';
import { createIds } from '../kernel/ids.ts';
import { systemRandom } from '../kernel/random.ts';
import { createSecretBox } from '../kernel/secret-box.ts';
import { createMailQueue } from '../mail/queue.ts';

/** The dependencies of a command: those of the service without listeners, dispatcher, bank and statistics. */
export type CliDeps = Omit<Deps, 'bank' | 'bankAccounts' | 'metrics' | 'runtimeStats'>;

export interface OpenCliOptions {
  /** For commands that set up an installation: create a SQLite file that does not exist. */
  create?: boolean;
}

/**
 * Opens the installation that `env` describes. A server may be running on it and finds new work by polling. Throws
 * OperatorError with one line.
 */
export async function openCli(
  env: Readonly<Record<string, string | undefined>>,
  { create = false }: OpenCliOptions = {},
): Promise<CliDeps & { close(): Promise<void> }> {
  const { settings, secrets } = readConfig(env, { mustExist: !create });
  const box = createSecretBox(secrets.secretKey, systemRandom, secrets.previousSecretKey);
  const db = await openDatabase(secrets.databaseUrl, {
    beforeUpgrade: async (tx) => void (await claimIn(tx, { box, settings })),
  });
  let clock = systemClock;
  try {
    await claimIdentity({ db, box, settings });
    if (db.cluster !== null) ({ clock } = await createServerClock(db, systemClock, () => {}));
  } catch (error) {
    await db.close();
    throw error;
  }
  const tools = { clock, ids: createIds(clock, systemRandom), box, settings };
  return {
    ...tools,
    db,
    random: systemRandom,
    // Standard output and standard error are reserved for the answer.
    log: pino({ level: 'silent' }),
    actor: COMMAND_LINE,
    serviceUrl: () => ownUrl(settings),
    queueMail: createMailQueue(tools, () => db.cluster?.publish('mail')),
    wakeDispatcher: () => db.cluster?.publish('deliveries'),
    wakeBankWorkers: () => db.cluster?.publish('bank'),
    close: () => db.close(),
  };
}

/** The service's public address, or the address that it listens on. */
export function ownUrl(settings: Pick<Settings, 'publicUrl' | 'host' | 'port'>): string {
  return settings.publicUrl ?? httpUrl(settings.host, settings.port);
}

export function httpUrl(host: string, port: number): string {
  return `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}
