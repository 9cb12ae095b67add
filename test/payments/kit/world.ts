import { pino } from 'pino';
import { createBankAccounts } from '../../../src/banks/accounts.ts';
import { type BankWorkers, createBankWorkers } from '../../../src/banks/workers/workers.ts';
import { readConfig } from '../../../src/config.ts';
import type { Database } from '../../../src/db/database.ts';
import { openDatabase } from '../../../src/db/open.ts';
import { type Deps, noMetrics } from '../../../src/deps.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { createIds } from '../../../src/kernel/ids.ts';
import { systemRandom } from '../../../src/kernel/random.ts';
import { createSecretBox } from '../../../src/kernel/secret-box.ts';
import { createDeadlines } from '../../../src/payments/deadlines.ts';
import { createSettlement } from '../../../src/payments/settlement.ts';
import { queriesUnderWay } from '../../support/queries.ts';
import type { SimBank } from './bank.ts';
import type { ModelClock } from './clock.ts';

/** One life of the service: the real parts over the real file, between two starts. */
export interface World {
  deps: Deps;
  /** Resolves when nothing runs any more, but for what hangs at the bank. */
  rest(): Promise<void>;
  /** Stops as the service does. */
  close(): Promise<void>;
  /** Dies: nothing more is done in this life. */
  kill(): Promise<void>;
}

const QUIET_TURNS = 6;
const { settings } = readConfig({
  SERVICE_DATABASE_URL: 'sqlite:/nowhere/service.db',
  SERVICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
  SERVICE_REQUIRE_CHECKOUT_DATA: 'false',
  SERVICE_INQUIRY_SECONDS: '10',
  SERVICE_INQUIRIES_PER_SECOND: '100000',
  SERVICE_RECONCILE_SECONDS: '300',
});
export const SETTINGS = settings;

/** Opens the database at `url`, anew after a death. */
export async function openWorld(url: string, modelClock: ModelClock, bank: SimBank): Promise<World> {
  let dead = false;
  const clock: Clock = {
    now: () => modelClock.now(),
    after: (delayMs, task) => (dead ? () => {} : modelClock.after(delayMs, task)),
    timeout: (delayMs, task) => modelClock.timeout(delayMs, task),
    deadline: (delayMs) => modelClock.deadline(delayMs),
  };
  const real = await openDatabase(url);
  let units = 0;
  const db: Database = {
    ...real,
    read: real.read,
    unit: async (work) => {
      units += 1;
      try {
        return await real.unit(work);
      } finally {
        units -= 1;
      }
    },
  };
  const box = createSecretBox(Buffer.alloc(32, 7), systemRandom);
  let desk: BankWorkers | null = null;
  const deps: Deps = {
    ...{ db, clock, box, bank, settings, metrics: noMetrics, random: systemRandom },
    ids: createIds(clock, systemRandom),
    log: pino({ level: process.env.MODEL_LOG ?? 'silent' }),
    bankAccounts: createBankAccounts({ box }),
    wakeDispatcher: () => {},
    wakeBankWorkers: () => desk?.wake(),
  };
  desk = createBankWorkers({ ...deps, settlement: createSettlement(deps) });
  const deadlines = createDeadlines(deps);
  desk.start();
  deadlines.start();
  const rest = async () => {
    for (let quiet = 0; quiet < QUIET_TURNS; ) {
      await new Promise((resolve) => setImmediate(resolve));
      quiet = units === 0 && queriesUnderWay() === 0 ? quiet + 1 : 0;
    }
  };
  return {
    deps,
    rest,
    async close() {
      await rest();
      await Promise.all([desk.stop(), deadlines.stop()]);
      await real.close();
    },
    async kill() {
      dead = true;
      modelClock.forget();
      bank.forget();
      await real.close();
    },
  };
}
