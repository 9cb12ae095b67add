import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setImmediate as turn } from 'node:timers/promises';
import { pino } from 'pino';
import { ensureSandboxAccount, sandboxCredentials } from '../../src/banks/accounts.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { openDatabase } from '../../src/db/open.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { createIds, type Id } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { noMail } from '../../src/mail/queue.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { Prng } from '../sim/prng.ts';
import { runActions } from './actions.ts';
import { fillBank } from './bank.ts';
import { DEMO_DAYS, generate } from './generate.ts';
import { createUsers, type Login } from './people.ts';
import { SHOPS } from './shops.ts';
import { deriveTotals, insertRows } from './write.ts';

const DAY_MS = 86_400_000;

export interface FillOptions {
  /** The SQLite file, which must have no rows. */
  file: string;
  config: Config;
  seed: string;
  /** The number of transactions. */
  count: number;
  /** The end of the data, UTC milliseconds. */
  until: number;
  /** Called with a line of progress before each step. */
  report?: (step: string) => void;
  /** For tests: cheaper passwords. */
  passwordCost?: number;
}

/**
 * Fills a new database with months of generated data in which nothing is due. Throws OperatorError when the file has merchants
 * already. Returns the logins.
 */
export async function fillDemo(options: FillOptions): Promise<Login[]> {
  const { config, until, file, seed, count, report = () => {} } = options;
  const db = await openDatabase(`sqlite:${file}`);
  try {
    await refuseRows(db, file);
    const deps = demoDeps(db, options);
    await claimIdentity(deps);
    const standard = await ensureSandboxAccount(deps);
    const merchants: Id<'mer'>[] = [];
    const accounts: Id<'acc'>[] = [];
    for (const { name, domain, webhookUrl, acquirer } of SHOPS) {
      const { merchantId } = await createMerchant(deps, { name, domains: [domain], webhookUrl });
      merchants.push(merchantId);
      accounts.push(
        acquirer === config.settings.acquirer ? standard : await openAccount(deps, merchantId, acquirer),
      );
    }
    const logins = await createUsers(deps, merchants);
    const { settings } = config;
    const world = { prng: new Prng(seed), until, count, settings, accounts, merchants };
    report(`generating ${count} transactions`);
    const { rows, actions } = generate(world);
    report('writing their rows');
    insertRows(file, rows);
    // Reads within one turn of the event loop share a snapshot, which lacks these rows.
    await turn();
    report('adding what people did in the back office');
    await runActions(deps, world, logins, actions);
    report('adding up the days');
    deriveTotals(file);
    await fillBank(deps, file);
    await db.unit((tx) => writeMeta(tx, 'demo_data', seed));
    return logins;
  } finally {
    await db.close();
  }
}

/** Creates a merchant's own account at an acquirer. The service registers it with the sandbox when it starts. */
async function openAccount(deps: DemoDeps, merchantId: Id<'mer'>, acquirer: Acquirer): Promise<Id<'acc'>> {
  const credentials = sandboxCredentials(deps.random, acquirer);
  return (await setBankAccount(deps, { merchantId, acquirer, credentials })).account;
}

/** Removes a database that `fillDemo` created. Throws OperatorError when it did not create the file. */
export async function removeDemo(file: string): Promise<void> {
  const db = await openDatabase(`sqlite:${file}`);
  const seed = await readMeta(db.read, 'demo_data');
  await db.close();
  if (seed === null) {
    throw new OperatorError(
      `${file} was not made by this command, so it is not removed; choose another --file`,
    );
  }
  const bank = join(dirname(file), 'sandbox.db');
  for (const path of [file, bank])
    for (const suffix of ['', '-wal', '-shm']) rmSync(`${path}${suffix}`, { force: true });
}

async function refuseRows(db: Database, file: string): Promise<void> {
  const row = await db.read.selectFrom('merchants').select('id').limit(1).executeTakeFirst();
  if (row === undefined) return;
  throw new OperatorError(
    `${file} has rows already. Run it with SERVICE_DATABASE_URL=sqlite:${file} npm start, replace it with --force, or choose another --file`,
  );
}

export type DemoDeps = ReturnType<typeof demoDeps>;

/** The dependencies of the operations, with a clock that starts before the first order and that `setTime` advances. */
function demoDeps(db: Database, { config, until, passwordCost }: FillOptions) {
  let now = until - (DEMO_DAYS + 1) * DAY_MS;
  const clock = { ...systemClock, now: () => now };
  const random = systemRandom;
  return {
    db,
    clock,
    queueMail: noMail,
    setTime: (at: number) => {
      now = Math.max(now, at);
    },
    random,
    ids: createIds(clock, random),
    box: createSecretBox(config.secrets.secretKey, random),
    // The shops' webhook URLs are addresses of this machine, so that the data names no real host.
    settings: { ...config.settings, webhookAllowPrivateNetworks: true },
    log: pino({ level: 'silent' }),
    wakeDispatcher() {},
    wakeBankWorkers() {},
    ...(passwordCost !== undefined && { passwordCost }),
  };
}
