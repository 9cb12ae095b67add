import { OperatorError } from '../../src/kernel/errors.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { creditTransaction } from '../../src/payments/exceptions/credit-transaction.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import type { Life } from './life.ts';
import type { Prng } from './prng.ts';
import type { World } from './world.ts';

const HOUR_MS = 3_600_000;

/** The operator: holds and releases, credits, switches webhooks off and on, sends again. */
export class Operator {
  /** Transactions whose release or credit was asked for. */
  readonly asked = { release: new Set<string>(), credit: new Set<string>() };
  readonly #world: World;
  readonly #prng: Prng;

  constructor(world: World, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
  }

  /** One act, drawn. */
  act(): void {
    const prng = this.#prng;
    const acts = {
      holdOn: 3,
      holdOff: 2,
      release: 4,
      credit: 3,
      resend: 2,
      recover: 2,
      test: 1,
      webhookOff: 1,
      webhookOn: 2,
    };
    const does: Record<keyof typeof acts, () => void> = {
      holdOn: () => this.#set({ hold: true }),
      holdOff: () => this.#set({ hold: false }),
      webhookOff: () => this.#set({ webhookEnabled: false }),
      webhookOn: () => this.#set({ webhookEnabled: true }),
      release: () => this.release(this.#somebody()),
      credit: () => this.credit(this.#creditable() ?? this.#underpaid() ?? this.#somebody()),
      resend: () => this.#resend(),
      recover: () => this.#recover(),
      test: () => this.#test(),
    };
    does[prng.weighted(acts)]();
  }

  /** Releases a transaction, if it is held. */
  release(id: string | null): void {
    if (id === null) return;
    this.asked.release.add(id);
    this.#do('release', (life) => releaseTransaction(life.deps, id));
  }

  /** Credits a transaction, if its receipts suffice. */
  credit(id: string | null): void {
    if (id === null) return;
    this.asked.credit.add(id);
    this.#do('credit', (life) => creditTransaction(life.deps, id));
  }

  /** Too little came in for a transaction; some operators look into it soon. */
  sawUnder(): void {
    const { time } = this.#world;
    if (this.#prng.chance(0.7)) time.schedule(this.#prng.int(1000, HOUR_MS), () => this.creditSomebody());
  }

  /** Credits what can be credited, or tries what cannot. */
  creditSomebody(): void {
    this.credit(this.#creditable() ?? this.#underpaid());
  }

  #set(settings: { hold?: boolean; webhookEnabled?: boolean }): void {
    const shop = this.#prng.pick(this.#world.shops);
    this.#do(JSON.stringify(settings), (life) => setMerchant(life.deps, shop.id, settings));
  }

  #resend(): void {
    const ids = [...this.#world.watch.state.deliveries.keys()];
    if (ids.length === 0) return;
    const id = this.#prng.pick(ids);
    this.#do('resend', (life) => resendDelivery(life.deps, id as `dlv_${string}`));
  }

  #recover(): void {
    const shop = this.#prng.pick(this.#world.shops);
    const since = this.#world.plan.startAt - HOUR_MS;
    const latest = this.#prng.chance(0.3);
    this.#do('recover', async (life) => {
      for await (const queued of recoverEvents(life.deps, { merchantId: shop.id, since, latest })) {
        if (queued > 0) this.#world.count('recovered');
      }
    });
  }

  #test(): void {
    const shop = this.#prng.pick(this.#world.shops);
    this.#do('test event', (life) => sendTestEvent(life.deps, shop.id));
  }

  /** A transaction that is not paid although as much as it asks has come in. */
  #creditable(): string | null {
    const { transactions, receipts } = this.#world.watch.state;
    for (const { id, status, held, amount_cents: due } of transactions.values()) {
      const own = [...receipts.values()].filter((row) => row.transaction_id === id);
      const received = own.reduce((total, row) => total + row.amount_cents, 0);
      if (status !== 'paid' && held === 0 && received >= due) return id;
    }
    return null;
  }

  /** A transaction that got something, and not enough. */
  #underpaid(): string | null {
    const { transactions, receipts } = this.#world.watch.state;
    const under = [...receipts.values()].find(
      (row) => row.under === 1 && transactions.get(row.transaction_id ?? '')?.status !== 'paid',
    );
    return under?.transaction_id ?? null;
  }

  #somebody(): string | null {
    const ids = [...this.#world.watch.state.transactions.keys()];
    return ids.length === 0 ? null : this.#prng.pick(ids);
  }

  #do(name: string, work: (life: Life) => Promise<unknown>): void {
    const world = this.#world;
    const { life } = world;
    if (life === null || life.frozenUntil > world.time.now || life.dies('operator comes')) return;
    world.note('operator', name);
    work(life).then(
      () => world.count(`operator ${name}`),
      (error: unknown) => {
        if (!life.dead && !(error instanceof OperatorError)) {
          world.fail('no call fails unexpectedly', `${name}: ${String(error)}`);
        }
      },
    );
  }
}
