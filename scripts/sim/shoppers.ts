import { createSession, newToken } from '../../src/checkout/create-session.ts';
import { startLinkSession } from '../../src/checkout/link-session.ts';
import { closeLink, createLink } from '../../src/checkout/links.ts';
import { readSession } from '../../src/checkout/session.ts';
import { takeStep } from '../../src/checkout/step.ts';
import { sessionOfToken } from '../../src/checkout/store.ts';
import { viewSession } from '../../src/checkout/view.ts';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { cents } from '../../src/kernel/money.ts';
import { startMbway } from '../../src/payments/mbway.ts';
import { startMultibanco } from '../../src/payments/multibanco.ts';
import type { Merchant } from '../../src/rpc/context.ts';
import { asMerchant, callWith, inputOf, sendCall } from './calls.ts';
import { PATIENCE_MS, PHONES } from './merchants.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';
import type { ShopId } from './world.ts';

const ADDRESS = '192.0.2.1';

/** One shopper at the page of a session. */
interface Visit {
  shop: ShopId;
  /** Null until the session was created. */
  session: { id: string; token: string } | null;
  isComplete: boolean;
}

interface Link {
  id: Id<'lnk'>;
  shop: ShopId;
  token: string;
}

/** Shoppers at payment pages: merchants send them there, or they open a payment link. */
export class Shoppers extends Part {
  /** The number of sessions that merchants request. */
  asked = 0;
  readonly #visits: Visit[] = [];
  readonly #links: Link[] = [];

  async createLinks({ deps }: Service): Promise<void> {
    const prng = this.prng;
    const { scenario, shops, time } = this.world;
    for (let i = 0; i < scenario.links; i++) {
      const shop = prng.pick(shops).id;
      const amounts = prng.pick([
        { amount: cents(prng.int(1, 20_000)), min: null, max: null },
        { amount: null, min: cents(100), max: cents(5000) },
        { amount: null, min: null, max: null },
      ]);
      const { linkId, url } = await createLink(deps, {
        merchantId: shop,
        title: `Class ${i}`,
        orderId: prng.chance(0.5) ? `class-${i}` : null,
        ...amounts,
        uses: prng.chance(0.3) ? null : prng.int(1, 3),
        expiresAt: prng.chance(0.3) ? time.now + prng.int(MINUTE_MS, scenario.activeMs) : null,
      });
      this.#links.push({ id: linkId, shop, token: tokenIn(url) });
    }
  }

  plan(): void {
    const prng = this.prng;
    const { scenario, time, shops } = this.world;
    for (let i = 0; i < scenario.sessions; i++) {
      const endsInMs = prng.int(MINUTE_MS, scenario.activeMs);
      const input = {
        ...inputOf({ orderId: `cart-${i}`, amount: prng.int(1, 20_000) / 100 }),
        locale: prng.pick(['pt', 'en'] as const),
        ...(prng.chance(0.2) && { methods: [prng.pick(['MBWAY', 'REFERENCE'] as const)] }),
        expiresAt: new Date(scenario.startAt + endsInMs).toISOString(),
      };
      const visit: Visit = { shop: prng.pick(shops).id, session: null, isComplete: false };
      this.asked += 1;
      time.schedule(prng.int(0, scenario.activeMs / 2), () => {
        this.#create(visit, input);
        this.#planSteps(visit);
      });
      if (prng.chance(0.2)) time.schedule(prng.int(0, scenario.activeMs), () => this.#create(visit, input));
    }
    for (const link of this.#links) {
      for (let i = prng.int(1, 3); i > 0; i--) {
        const atMs = prng.int(0, scenario.activeMs);
        // Some shoppers press the button twice.
        for (let copies = prng.chance(0.3) ? 2 : 1; copies > 0; copies--)
          time.schedule(atMs, () => this.#open(link));
      }
      if (prng.chance(0.2)) time.schedule(prng.int(0, scenario.activeMs), () => this.#close(link));
    }
  }

  /** Plans another step after a transaction of a session ended without money. */
  onEnded(sessionId: string): void {
    const visit = this.#visits.find(({ session }) => session?.id === sessionId);
    if (visit === undefined || this.world.healthy || !this.prng.chance(0.8)) return;
    this.#stepIn(visit, this.prng.int(0, this.prng.pick([3000, 2 * MINUTE_MS])));
  }

  #create(visit: Visit, input: ReturnType<typeof inputOf> & { expiresAt: string }): void {
    const world = this.world;
    if (Date.parse(input.expiresAt) <= world.serviceNow()) return;
    const repeat = world.time.schedule(PATIENCE_MS, () => this.#create(visit, input));
    this.#call(visit, 'session', async (service, merchant) => {
      const answer = await createSession(service.deps, merchant, input, callWith(input.orderId));
      repeat();
      if (visit.session !== null && visit.session.id !== answer.sessionId)
        world.fail('an idempotency key makes one session', `${visit.session.id} and ${answer.sessionId}`);
      if (visit.session === null) this.#visits.push(visit);
      visit.session = { id: answer.sessionId, token: tokenIn(answer.url) };
    });
  }

  /** Plans steps when the session is requested; steps due before the response are skipped. */
  #planSteps(visit: Visit): void {
    const prng = this.prng;
    const { activeMs } = this.world.scenario;
    let atMs = prng.int(100, MINUTE_MS);
    for (let i = prng.int(1, 3); i > 0; i--) {
      this.#stepIn(visit, atMs);
      atMs += prng.pick([prng.int(0, 2000), prng.int(200, 320) * 1000, prng.int(0, activeMs / 2)]);
    }
    for (let i = 0; i < 2; i++) this.world.time.schedule(prng.int(0, activeMs), () => this.#read(visit));
  }

  /** Plans a step; sometimes a second one at the same time, in another tab or by the merchant. */
  #stepIn(visit: Visit, inMs: number): void {
    const { time } = this.world;
    time.schedule(inMs, () => this.#step(visit));
    if (this.prng.chance(0.2)) time.schedule(inMs, () => this.#step(visit));
    if (this.prng.chance(0.15)) time.schedule(inMs, () => this.#merchantStep(visit));
  }

  #step(visit: Visit): void {
    const token = visit.session?.token;
    if (token === undefined) return;
    const method = this.prng.chance(0.65) ? 'MBWAY' : 'REFERENCE';
    const phoneNumber = this.prng.chance(0.85) ? (PHONES[0] ?? '') : this.prng.pick([...PHONES, '12']);
    const posted = { method, phoneNumber, address: ADDRESS };
    this.#call(visit, 'page step', async (service) => {
      if (!(await takeStep(service.deps, token, posted)))
        this.world.fail('what was answered is there', `the page of ${visit.session?.id}`);
    });
  }

  /** A step of the merchant with the transaction that the session names. */
  #merchantStep(visit: Visit): void {
    const isPush = this.prng.chance(0.6);
    this.#call(visit, 'session api step', async (service, merchant) => {
      const session = { sessionId: visit.session?.id ?? '' };
      const { transactionId } = await readSession(service.deps, merchant, session);
      if (isPush)
        await startMbway(service.deps, merchant, { transactionId, phoneNumber: this.prng.pick(PHONES) });
      else await startMultibanco(service.deps, merchant, { transactionId });
    });
  }

  /** Reads the session as the merchant and as the shopper, and checks that its status never reverts. */
  #read(visit: Visit): void {
    this.#call(visit, 'session read', async (service, merchant) => {
      const { id: sessionId, token } = visit.session ?? { id: '', token: '' };
      const { status } = await readSession(service.deps, merchant, { sessionId });
      const view = await viewSession(service.deps, token);
      const wasComplete = visit.isComplete;
      visit.isComplete ||= status === 'complete' || view?.state === 'paid';
      if (wasComplete && (status !== 'complete' || view?.state !== 'paid' || view.methods.length > 0))
        this.world.fail('a complete session stays so', `${sessionId}: ${status}, ${view?.state}`);
    });
  }

  #open(link: Link): void {
    const world = this.world;
    const visit: Visit = { shop: link.shop, session: null, isComplete: false };
    const amount = this.prng.pick(['12,50', '0.5', '49']);
    const isPostedTwice = this.prng.chance(0.3);
    const run = async (service: Service) => {
      const proposed = newToken(service.deps);
      const posted = { amount, locale: 'pt' as const, address: '127.0.0.1', visit: proposed };
      const used = await startLinkSession(service.deps, link.token, posted);
      world.count(`link is ${used.kind}`);
      if (used.kind === 'missing') world.fail('what was answered is there', link.id);
      if (used.kind !== 'session') return;
      const row = await sessionOfToken(service.deps.db.read, used.token);
      visit.session = { id: row?.id ?? '', token: used.token };
      this.#visits.push(visit);
      this.#step(visit);
      if (!isPostedTwice) return;
      const again = await startLinkSession(service.deps, link.token, posted);
      if (again.kind === 'session' && again.token !== used.token)
        world.fail('a form posted twice makes one session', link.id);
    };
    if (sendCall(world, 'link', link.id, run)) this.#planSteps(visit);
  }

  #close({ id }: Link): void {
    sendCall(this.world, 'link close', id, (service) => closeLink(service.deps, id));
  }

  #call(visit: Visit, name: string, run: (service: Service, merchant: Merchant) => Promise<void>): void {
    if (visit.session === null && name !== 'session') return;
    sendCall(this.world, name, visit.session?.id ?? '', asMerchant(visit.shop, run));
  }
}

function tokenIn(url: string): string {
  return url.slice(url.lastIndexOf('/') + 1);
}
