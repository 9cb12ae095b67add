import { setBankAccount } from '../../src/banks/set-account.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { SimBank } from './bank.ts';
import { Callbacks } from './callbacks.ts';
import { Endpoints } from './endpoints.ts';
import { Life } from './life.ts';
import { Merchants } from './merchants.ts';
import { Operator } from './operator.ts';
import { type Doom, type Faults, NO_FAULTS, type Plan } from './plan.ts';
import type { Prng } from './prng.ts';
import { Shoppers } from './shoppers.ts';
import { SimTime } from './time.ts';
import { Trace } from './trace.ts';
import { Watch } from './watch.ts';

export type ShopId = `mer_${string}`;

/** A promise that was broken. */
export interface Violation {
  invariant: string;
  what: string;
}

const CALLBACK_KEY = 'k'.repeat(40);
const KEYS = { mbWayKey: 'SIM-000001', mbKey: 'SIM-000002', backofficeKey: '0000-0000-0000-0001' };
const OWN_KEYS = { mbWayKey: 'SIM-000003', mbKey: 'SIM-000004', backofficeKey: '0000-0000-0000-0002' };

/** Everything of one run: time, the world outside, the present life of the service, and what is watched. */
export class World {
  readonly plan: Plan;
  readonly prng: Prng;
  readonly time: SimTime;
  readonly trace = new Trace();
  readonly watch: Watch;
  readonly bank: SimBank;
  readonly endpoints: Endpoints;
  readonly shoppers: Shoppers;
  readonly callbacks: Callbacks;
  readonly merchants: Merchants;
  readonly operator: Operator;
  readonly callbackKey = CALLBACK_KEY;
  readonly counts = new Map<string, number>();
  readonly shops: { id: ShopId }[] = [];
  /** What goes wrong now. */
  faults: Faults = NO_FAULTS;
  /** How far the service's clock is from the truth. */
  skewMs = 0;
  /** When it jumped last, in true time. */
  jumpedAt = Number.NEGATIVE_INFINITY;
  life: Life | null = null;
  lives = 0;
  /** A process is opening its database. */
  opening = false;
  /** Whether the process may die now. */
  deadly = false;
  /** Nothing goes wrong any more; what was begun must come to its end. */
  healthy = false;
  violation: Violation | null = null;
  readonly #file: string;

  constructor(plan: Plan, prng: Prng, file: string) {
    this.plan = plan;
    this.prng = prng;
    this.#file = file;
    this.time = new SimTime(plan.startAt, prng.fork('time'));
    this.watch = new Watch(this);
    this.bank = new SimBank(this, prng.fork('bank'));
    this.endpoints = new Endpoints(this, prng.fork('endpoints'));
    this.shoppers = new Shoppers(this, prng.fork('shoppers'));
    this.callbacks = new Callbacks(this, prng.fork('callbacks'));
    this.merchants = new Merchants(this, prng.fork('merchants'));
    this.operator = new Operator(this, prng.fork('operator'));
  }

  serviceNow(): number {
    return this.time.now + this.skewMs;
  }

  /** A line of the trace. */
  note(what: string, detail = ''): void {
    this.trace.add(this.time.now, what, detail);
  }

  count(name: string): void {
    this.counts.set(name, (this.counts.get(name) ?? 0) + 1);
  }

  /** A promise is broken; the first one ends the run. */
  fail(invariant: string, what: string): void {
    this.note('BROKEN', `${invariant}: ${what}`);
    this.violation ??= { invariant, what };
  }

  /** Begins a life of the process, which dies where its doom says, if it may by then. */
  async begin(doom: Doom | null): Promise<Life> {
    this.lives += 1;
    this.opening = true;
    const life = await Life.open(this, this.#file, doom);
    this.opening = false;
    this.life = life;
    this.note('the process starts', `life ${this.lives}`);
    this.watch.lifeBegins(life);
    return life;
  }

  lifeEnded(life: Life): void {
    if (this.life === life) this.life = null;
  }

  /** The operator's part before the first payment: accounts and merchants. */
  async furnish(life: Life): Promise<void> {
    const { deps } = life;
    const antiPhishingKey = CALLBACK_KEY;
    await setBankAccount(deps, { merchantId: null, credentials: { ...KEYS, antiPhishingKey } });
    for (let i = 0; i < this.plan.merchants; i++) {
      const host = `hooks${i}.shop.pt`;
      const { merchantId, webhookSecret } = await createMerchant(deps, {
        ...{ name: `Shop ${i}`, domains: ['shop.pt'], webhookUrl: `https://${host}/in` },
      });
      this.endpoints.secrets.set(host, webhookSecret);
      if (i === 0 && this.plan.brokenEndpoint) this.endpoints.brokenHost = host;
      this.shops.push({ id: merchantId });
      if (i === 1 && this.plan.ownAccount) {
        await setBankAccount(deps, { merchantId, credentials: { ...OWN_KEYS, antiPhishingKey } });
      }
    }
  }
}
