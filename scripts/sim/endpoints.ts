import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import type { Transport } from '../../src/webhooks/transport.ts';
import type { Life } from './life.ts';
import type { Prng } from './prng.ts';
import type { World } from './world.ts';

type Outgoing = Parameters<Transport['post']>[1];
type Answer = Dispatcher.ResponseData;

/** A request that reached a merchant's endpoint. */
export interface Arrival {
  deliveryId: string;
  eventId: string;
  event: string;
  transactionId: string;
  body: string;
}

const HANDLINGS = {
  ...{ ok: 0, slow: 2, status500: 3, redirect: 2, hang: 2, drip: 1, refuse: 2, resetAfter: 2 },
};

/** The merchants' endpoints: what reached them, how they answered, and the faults on the way. */
export class Endpoints {
  readonly arrivals: Arrival[] = [];
  /** Delivery ids that were answered 2xx, in time and to the last byte. */
  readonly answeredOk = new Set<string>();
  /** The host of an endpoint that never recovers. */
  brokenHost: string | null = null;
  /** By host. */
  readonly secrets = new Map<string, string>();
  readonly #world: World;
  readonly #prng: Prng;

  constructor(world: World, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
  }

  /** The network as one life of the service sees it. */
  transport(life: Life): Transport {
    return { post: (_owner, outgoing) => this.#post(life, outgoing), destroy: () => Promise.resolve() };
  }

  #post(life: Life, outgoing: Outgoing): Promise<Answer> {
    if (life.dies('delivery leaves')) return life.never();
    const { time } = this.#world;
    const handling = this.#handling(outgoing);
    const own = { owner: life };
    return new Promise<Answer>((resolve, reject) => {
      const fail = (error: unknown) => {
        if (!life.dies('delivery failed')) reject(error);
      };
      outgoing.signal.addEventListener('abort', () => fail(outgoing.signal.reason), { once: true });
      if (handling === 'refuse') {
        time.schedule(this.#prng.int(1, 50), () => fail(new Error('connect ECONNREFUSED')), own);
        return;
      }
      const arrive = () => {
        this.#arrived(outgoing, handling);
        if (life.dies('delivery arrived') || handling === 'hang') return;
        const answer = () => {
          if (handling === 'resetAfter') {
            fail(new Error('read ECONNRESET'));
            return;
          }
          const status = { status500: 500, redirect: 302 }[handling as string] ?? 200;
          if (status === 200 && handling !== 'drip' && !outgoing.signal.aborted) {
            this.answeredOk.add(outgoing.headers['X-Service-Delivery-Id'] ?? '');
          }
          if (!life.dies('delivery answered'))
            resolve(answerOf(status, handling === 'drip' ? outgoing : null));
        };
        time.schedule(handling === 'slow' ? this.#prng.int(1000, 9000) : this.#prng.int(1, 300), answer, own);
      };
      time.schedule(this.#prng.int(1, 80), arrive);
    });
  }

  #handling({ url }: Outgoing): keyof typeof HANDLINGS {
    const broken = new URL(url).host === this.brokenHost;
    if (!broken && !this.#prng.chance(this.#world.faults.endpoint)) return 'ok';
    return this.#prng.weighted(HANDLINGS);
  }

  #arrived({ url, headers, body }: Outgoing, handling: string): void {
    const world = this.#world;
    const { event, data } = JSON.parse(body) as { event: string; data: { id: string } };
    const arrival: Arrival = {
      deliveryId: headers['X-Service-Delivery-Id'] ?? '',
      eventId: headers['webhook-id'] ?? '',
      event,
      transactionId: data.id,
      body,
    };
    world.note('endpoint', `${event} ${data.id} ${arrival.deliveryId}: ${handling}`);
    world.count(`endpoint ${handling}`);
    const expected = createHmac('sha256', this.secrets.get(new URL(url).host) ?? '')
      .update(body)
      .digest('hex');
    if (headers['X-Service-Signature'] !== `sha256=${expected}`) {
      world.fail('every delivery is signed', arrival.deliveryId);
    }
    world.watch.arrives(arrival);
    this.arrivals.push(arrival);
  }
}

function answerOf(statusCode: number, dripping: Outgoing | null): Answer {
  const body = async function* () {
    yield Buffer.from('ok');
    if (dripping === null) return;
    await new Promise((_, reject) => {
      const { signal } = dripping;
      if (signal.aborted) reject(signal.reason);
      else signal.addEventListener('abort', () => reject(signal.reason), { once: true });
    });
  };
  return { statusCode, body: body() } as unknown as Answer;
}
