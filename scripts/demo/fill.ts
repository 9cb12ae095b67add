import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type Sqlite from 'better-sqlite3';
import { sql } from 'kysely';
import { createBankAccounts, ensureSandboxAccount, sandboxCredentials } from '../../src/banks/accounts.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import type { Config } from '../../src/config.ts';
import type { Database } from '../../src/db/database.ts';
import { readMeta, writeMeta } from '../../src/db/meta.ts';
import { openDatabase } from '../../src/db/open.ts';
import { claimIdentity } from '../../src/installation/identity.ts';
import { DAY_MS, systemClock } from '../../src/kernel/clock.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { createSettlement } from '../../src/payments/settlement.ts';
import { Numbering } from '../../src/webhooks/numbering.ts';
import { depsOn } from '../../test/support/deps.ts';
import { Prng } from '../sim/prng.ts';
import { peopleActions } from './actions.ts';
import { createDemoBank, fillBank } from './bank.ts';
import { createEndpoints } from './deliveries.ts';
import { DEMO_DAYS, planOrders } from './orders.ts';
import { createUsers, type Login, loginOf } from './people.ts';
import { type OpenShop, type OpenShops, SHOPS, type Shop } from './shops.ts';

/** The time of a key's last use: an init or a method step. */
const LAST_USED = `update api_keys set last_used_at = (
  select max(created_at)
  from (select merchant_id, created_at from transactions union all select merchant_id, created_at from attempts) as calls
  where calls.merchant_id = api_keys.merchant_id
    and created_at >= api_keys.created_at and created_at < coalesce(expires_at, 9e15))`;

export interface FillOptions {
  /** The SQLite file, which must have no rows. */
  file: string;
  config: Config;
  seed: string;
  /** The number of transactions. */
  count: number;
  /** The end of the data, UTC milliseconds. */
  until: number;
  /** For tests: cheaper passwords. */
  passwordCost?: number;
}

export interface Step {
  at: number;
  run: () => Promise<unknown>;
}

/**
 * Fills a new database with months of orders that go through the service's own operations, until nothing is due. Throws
 * OperatorError when the file has merchants already. Returns the logins.
 */
export async function fillDemo(options: FillOptions): Promise<Login[]> {
  const { file, seed, count } = options;
  const prng = new Prng(seed);
  const db = await openDatabase(`sqlite:${file}`, { simulator: { opened: relax, committed() {} } });
  try {
    await refuseRows(db, file);
    const deps = demoDeps(db, prng, options);
    await claimIdentity(deps);
    const shops = await openShops(deps);
    const logins = await createUsers(deps, shops);
    const deliver = createEndpoints(deps, prng.fork('endpoints'), shops);
    const { actor } = loginOf(logins, null);
    const steps = planOrders({ ...deps, actor }, prng, count, shops);
    await runSteps(deps, steps, deliver);
    const then = demoDeps(db, prng, options);
    const actions = await peopleActions(then, prng, shops, logins);
    const acts = actions.map(({ at, by, run }) => ({ at, run: () => run({ ...then, actor: by.actor }) }));
    await runSteps(then, acts, deliver);
    await numberEvents(deps);
    await db.unit((tx) => sql.raw(LAST_USED).execute(tx));
    await fillBank(deps, file);
    await db.unit((tx) => writeMeta(tx, 'demo_data', seed));
    return logins;
  } finally {
    await db.close();
  }
}

/** Does not wait for the disk, because an interrupted run starts again. */
function relax(writer: Sqlite.Database): void {
  writer.pragma('synchronous = OFF');
}

/** Runs the steps in the order of their times and ends the deliveries that they make. */
async function runSteps(deps: DemoDeps, steps: readonly Step[], deliver: () => Promise<void>): Promise<void> {
  for (const { at, run } of steps.toSorted((a, b) => a.at - b.at)) {
    deps.setTime(at);
    await run();
    if (!deps.isWoken) continue;
    deps.isWoken = false;
    await deliver();
  }
}

/** Creates the merchants. The service registers their own accounts with the sandbox when it starts. */
async function openShops(deps: DemoDeps): Promise<OpenShops> {
  const standard = await ensureSandboxAccount(deps);
  const open = async (shop: Shop): Promise<OpenShop> => {
    const { name, domain, webhookUrl, acquirer } = shop;
    const { merchantId: id } = await createMerchant(deps, { name, domains: [domain], webhookUrl });
    if (acquirer === deps.settings.acquirer) return { ...shop, id, accountId: standard };
    const credentials = sandboxCredentials(deps.random, acquirer);
    const { account } = await setBankAccount(deps, { merchantId: id, acquirer, credentials });
    return { ...shop, id, accountId: account };
  };
  const { books, pottery, shoes } = SHOPS;
  return { books: await open(books), pottery: await open(pottery), shoes: await open(shoes) };
}

async function numberEvents(deps: DemoDeps): Promise<void> {
  const numbering = new Numbering(deps, () => {});
  while (await numbering.isNeeded()) {
    await numbering.start();
    await numbering.drain();
  }
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
function demoDeps(db: Database, prng: Prng, { config, until, passwordCost }: FillOptions) {
  let now = until - (DEMO_DAYS + 1) * DAY_MS;
  const clock = { ...systemClock, now: () => now };
  const box = createSecretBox(config.secrets.secretKey, systemRandom);
  const setTime = (at: number) => {
    now = Math.max(now, at);
    return now;
  };
  const deps = {
    ...depsOn(db, clock),
    /** The end of the data, UTC milliseconds. */
    until,
    setTime,
    box,
    bank: createDemoBank(prng.fork('bank'), () => setTime(now + prng.int(260, 900))),
    bankAccounts: createBankAccounts({ box, settings: config.settings }),
    // The shops' webhook URLs are addresses of this machine, so that the data names no real host.
    settings: { ...config.settings, webhookAllowPrivateNetworks: true },
    /** Whether a delivery is due. */
    isWoken: false,
    wakeDispatcher() {
      deps.isWoken = true;
    },
    ...(passwordCost !== undefined && { passwordCost }),
  };
  return Object.assign(deps, { settlement: createSettlement(deps) });
}
