import { setBankAccount } from '../../src/banks/set-account.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { contract, SecondAcquirer } from './accounts.ts';
import { SimBank } from './bank.ts';
import { Callbacks } from './callbacks.ts';
import { Customers } from './customers.ts';
import { DatabaseFaults } from './database.ts';
import { Endpoints } from './endpoints.ts';
import { Mails } from './mails.ts';
import { Merchants } from './merchants.ts';
import { Monitor } from './monitor.ts';
import { Operator } from './operator.ts';
import type { Prng } from './prng.ts';
import { type CrashPoint, type Faults, NO_FAULTS, type Scenario } from './scenario.ts';
import { Service } from './service.ts';
import { Shoppers } from './shoppers.ts';
import { SimTime } from './time.ts';

export type ShopId = `mer_${string}`;

export interface Violation {
  invariant: string;
  what: string;
}

/** What a run begins with. */
class Beginning {
  readonly scenario: Scenario;
  readonly prng: Prng;
  protected readonly file: string;

  constructor(scenario: Scenario, prng: Prng, file: string) {
    this.scenario = scenario;
    this.prng = prng;
    this.file = file;
  }
}

/** The state of one run: time, the outside world, the current process of the service, and the monitor. */
export class World extends Beginning {
  readonly time = new SimTime(this.scenario.startAt, this.prng.fork('time'));
  /** Every step, in order: two runs of one seed have the same lines. */
  readonly trace: string[] = [];
  readonly monitor = new Monitor(this);
  readonly bank = new SimBank(this, this.prng.fork('bank'));
  readonly endpoints = new Endpoints(this, this.prng.fork('endpoints'));
  readonly customers = new Customers(this, this.prng.fork('customers'));
  readonly callbacks = new Callbacks(this, this.prng.fork('callbacks'));
  readonly merchants = new Merchants(this, this.prng.fork('merchants'));
  readonly operator = new Operator(this, this.prng.fork('operator'));
  readonly shoppers = new Shoppers(this, this.prng.fork('shoppers'));
  readonly mails = new Mails(this, this.prng.fork('mails'));
  readonly second = new SecondAcquirer(this, this.prng.fork('second acquirer'));
  readonly database = new DatabaseFaults(this, this.prng.fork('database'));
  readonly counts = new Map<string, number>();
  readonly shops: { id: ShopId; host: string; refundEvents: boolean }[] = [];
  /** The faults in effect. */
  faults: Faults = NO_FAULTS;
  /** The offset of the service's clock. */
  skewMs = 0;
  /** The time of the clock's last jump, in simulated time. */
  jumpedAt = Number.NEGATIVE_INFINITY;
  /** The jumps that set the service's clock back, as times of that clock. */
  readonly backwardJumps: { from: number; to: number }[] = [];
  service: Service | null = null;
  starts = 0;
  /** Whether a process is opening its database. */
  opening = false;
  /** Whether the process may crash now. */
  crashesEnabled = false;
  /** Whether all faults have ended; everything that was started must then finish. */
  healthy = false;
  violation: Violation | null = null;

  serviceNow(): number {
    return this.time.now + this.skewMs;
  }

  note(what: string, detail = ''): void {
    const at = new Date(this.time.now).toISOString();
    this.trace.push(`${at} ${what}${detail === '' ? '' : ` ${detail}`}`);
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** Records a violated invariant; the first one ends the run. */
  fail(invariant: string, what: string): void {
    this.note('BROKEN', `${invariant}: ${what}`);
    this.violation ??= { invariant, what };
  }

  /** Starts a process, which crashes at `crashPoint`. */
  async begin(crashPoint: CrashPoint | null): Promise<Service> {
    this.starts += 1;
    this.opening = true;
    const service = await Service.open(this, this.file, crashPoint);
    this.opening = false;
    this.service = service;
    this.note('the process starts', `service ${this.starts}`);
    this.monitor.opened(service);
    return service;
  }

  /** Returns the process that accepts a call now, or null; it may crash at the call. */
  accepting(call: string): Service | null {
    const { service } = this;
    const isDeaf =
      service === null || service.frozenUntil > this.time.now || service.crashes(`${call} comes`);
    return isDeaf ? null : service;
  }

  async createMerchants(service: Service): Promise<void> {
    const { deps } = service;
    await setBankAccount(deps, { merchantId: null, credentials: contract(1) });
    for (let i = 0; i < this.scenario.merchants; i++) {
      const host = `hooks${i}.shop.pt`;
      const { merchantId, webhookSecret } = await createMerchant(deps, {
        name: `Shop ${i}`,
        domains: ['shop.pt'],
        webhookUrl: `https://${host}/in`,
      });
      this.endpoints.secrets.set(host, webhookSecret);
      if (i === 0 && this.scenario.brokenEndpoint) this.endpoints.brokenHost = host;
      const refundEvents = this.prng.fork(`refund events ${i}`).chance(0.5);
      const checkout = this.prng.fork(`checkout of shop ${i}`);
      const chance = () => checkout.chance(0.6);
      await setMerchant(deps, merchantId, {
        refundEvents,
        autoRecover: chance(),
        customerMails: chance(),
        alerts: chance(),
      });
      this.shops.push({ id: merchantId, host, refundEvents });
      if (i === 1 && this.scenario.ownAccount)
        await setBankAccount(deps, { merchantId, credentials: contract(2) });
    }
    await this.second.setUp(service);
    await this.mails.createReaders(service);
    await this.shoppers.createLinks(service);
  }
}
