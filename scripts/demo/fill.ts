import { rmSync } from 'node:fs';
import { setImmediate as turn } from 'node:timers/promises';
import { ensureSandboxAccount } from '../../src/banks/accounts.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { openDatabase } from '../../src/db/open.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { createIds, type Id } from '../../src/kernel/ids.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { Prng } from '../sim/prng.ts';
import { runActions } from './actions.ts';
import { DEMO_DAYS, generate } from './generate.ts';
import { createUsers, type Login } from './people.ts';
import type { Rows } from './rows.ts';
import { SHOPS } from './shops.ts';
import { setKeyUse, Writer } from './write.ts';

const DAY_MS = 86_400_000;

export interface FillOptions {
  /** The SQLite file, which must have no rows. */
  file: string;
  config: Config;
  seed: string;
  /** How many transactions. */
  count: number;
  /** The end of the data, UTC milliseconds. */
  until: number;
  /** Reports the table being written and the rows so far. */
  progress?: (what: string, rows: number) => void;
  /** For tests: cheaper passwords. */
  passwordCost?: number;
}

/**
 * Fills a new database with months of invented data in which nothing is due.
 * Throws OperatorError when the file has merchants already. Returns the logins.
 */
export async function fillDemo(options: FillOptions): Promise<Login[]> {
  const { config, until, file } = options;
  const db = await openDatabase(`sqlite:${file}`);
  try {
    await refuseRows(db, file);
    const clock = new DemoClock(until - (DEMO_DAYS + 1) * DAY_MS);
    const deps = installation(db, config, clock, options.passwordCost);
    await claimIdentity(deps);
    const accountId = await ensureSandboxAccount(deps);
    const merchants: Id<'mer'>[] = [];
    for (const shop of SHOPS) {
      const { merchantId } = await createMerchant(deps, {
        name: shop.name,
        domains: [shop.domain],
        webhookUrl: shop.webhookUrl,
      });
      merchants.push(merchantId);
    }
    const logins = await createUsers(deps, merchants);
    const world = {
      prng: new Prng(options.seed),
      until,
      count: options.count,
      settings: config.settings,
      accountId,
      merchants,
    };
    const { rows, actions } = generate(world);
    writeRows(options, rows);
    // Reads within one turn of the event loop share a snapshot, which lacks these rows.
    await turn();
    await runActions(deps, world, logins, actions);
    setKeyUse(file);
    await db.unit((tx) => writeMeta(tx, 'demo_data', options.seed));
    return logins;
  } finally {
    await db.close();
  }
}

/** Removes a database that `fillDemo` made. Throws OperatorError when the file is another one. */
export async function removeDemo(file: string): Promise<void> {
  const db = await openDatabase(`sqlite:${file}`);
  const seed = await readMeta(db.read, 'demo_data');
  await db.close();
  if (seed === null) {
    throw new OperatorError(
      `${file} was not made by this command, so it is not removed; choose another --file`,
    );
  }
  for (const suffix of ['', '-wal', '-shm']) rmSync(`${file}${suffix}`, { force: true });
}

async function refuseRows(db: Database, file: string): Promise<void> {
  const row = await db.read.selectFrom('merchants').select('id').limit(1).executeTakeFirst();
  if (row === undefined) return;
  throw new OperatorError(
    `${file} has rows already. Run it with SERVICE_DATABASE_URL=sqlite:${file} npm start, replace it with --force, or choose another --file`,
  );
}

/** A clock that only moves forward, by `set`. */
class DemoClock implements Clock {
  #now: number;

  constructor(now: number) {
    this.#now = now;
  }

  now(): number {
    return this.#now;
  }

  set(now: number): void {
    this.#now = Math.max(this.#now, now);
  }

  after(): () => void {
    throw new Error('the demo data uses no timers');
  }

  timeout(): () => void {
    return this.after();
  }

  deadline(): AbortSignal {
    throw new Error('the demo data makes no calls');
  }
}

export type DemoDeps = ReturnType<typeof installation>;

/** The dependencies of the verbs. Webhook URLs of this machine are allowed, so that the data names no real host. */
function installation(db: Database, config: Config, clock: DemoClock, passwordCost: number | undefined) {
  const random = systemRandom;
  return {
    db,
    clock,
    random,
    ids: createIds(clock, random),
    box: createSecretBox(config.secrets.secretKey, random),
    settings: { ...config.settings, webhookAllowPrivateNetworks: true },
    wakeDispatcher() {},
    ...(passwordCost !== undefined && { passwordCost }),
  };
}

function writeRows({ file, progress = () => {} }: FillOptions, rows: Rows): void {
  const writer = new Writer(file);
  rows.numberEvents();
  const write = <K extends Parameters<Writer['insert']>[0]>(
    table: K,
    rows: Parameters<typeof writer.insert<K>>[1],
  ) => {
    let done = 0;
    writer.insert(table, rows, (some) => {
      done += some;
      progress(table, done);
    });
  };
  write('leads', rows.leads);
  write('transactions', rows.transactions);
  write('attempts', rows.attempts);
  write('receipts', rows.receipts);
  write('events', rows.events);
  write('deliveries', rows.deliveries);
  write('delivery_attempts', rows.deliveryAttempts);
  writer.derive();
  writer.close();
}
