import { createHmac } from 'node:crypto';
import type { Dispatcher } from 'undici';
import { MINUTE_MS } from '../../src/kernel/clock.ts';
import type { Transport } from '../../src/webhooks/transport/transport.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';

type Outgoing = Parameters<Transport['post']>[1];
type Handler = Dispatcher.DispatchHandler;

/** A request that reached a merchant's endpoint. */
export interface Arrival {
  deliveryId: string;
  eventId: string;
  transactionId: string;
  body: string;
}

const HANDLINGS = {
  ok: 0,
  slow: 2,
  status500: 3,
  redirect: 2,
  hang: 2,
  drip: 1,
  refuse: 2,
  resetAfter: 2,
};

/** The merchants' endpoints: how they answered, and the faults on the way. */
export class Endpoints extends Part {
  /** The ids of deliveries that were answered 2xx, in time and completely. */
  readonly answeredOk = new Set<string>();
  /** The host of an endpoint that never recovers. */
  brokenHost: string | null = null;
  /** By host. */
  readonly secrets = new Map<string, string>();
  /** By host, in simulated time. */
  readonly #downUntil = new Map<string, number>();

  plan(): void {
    const prng = this.prng.fork('outages');
    const { shops, scenario, time } = this.world;
    for (const { host } of shops) {
      if (!prng.chance(scenario.outages)) continue;
      time.schedule(prng.int(0, scenario.activeMs), () => {
        this.#downUntil.set(host, time.now + prng.int(MINUTE_MS, 40 * MINUTE_MS));
        this.world.count('endpoint down');
      });
    }
  }

  /** Returns the network as one process of the service sees it. */
  transport(service: Service): Transport {
    return {
      post: (_owner, outgoing, handler) => this.#post(service, outgoing, handler),
      destroy: () => Promise.resolve(),
    };
  }

  #post(service: Service, outgoing: Outgoing, handler: Handler): void {
    if (service.crashes('delivery leaves')) return;
    const { time } = this.world;
    const handling = this.#handling(outgoing);
    let isOver = false;
    const fail = (error: Error) => {
      if (isOver) return;
      isOver = true;
      if (!service.crashes('delivery failed')) handler.onResponseError?.(controller, error);
    };
    const controller = { abort: fail } as Dispatcher.DispatchController;
    handler.onRequestStart?.(controller, null);
    if (handling === 'refuse') {
      time.schedule(this.prng.int(1, 50), () => fail(new Error('connect ECONNREFUSED')), service);
      return;
    }
    const arrive = () => {
      this.#arrived(outgoing, handling);
      if (service.crashes('delivery arrived') || handling === 'hang') return;
      const answer = () => {
        if (handling === 'resetAfter') return fail(new Error('read ECONNRESET'));
        const status = { status500: 500, redirect: 302 }[handling as string] ?? 200;
        if (status === 200 && handling !== 'drip' && !isOver) {
          this.answeredOk.add(outgoing.headers['X-Service-Delivery-Id'] ?? '');
        }
        if (service.crashes('delivery answered') || isOver) return;
        handler.onResponseStart?.(controller, status, {});
        handler.onResponseData?.(controller, Buffer.from('ok'));
        if (handling === 'drip') return;
        isOver = true;
        handler.onResponseEnd?.(controller, {});
      };
      time.schedule(handling === 'slow' ? this.prng.int(1000, 9000) : this.prng.int(1, 300), answer, service);
    };
    time.schedule(this.prng.int(1, 80), arrive);
  }

  #handling({ url }: Outgoing): keyof typeof HANDLINGS {
    const { host } = new URL(url);
    const { healthy, time } = this.world;
    if (!healthy && time.now < (this.#downUntil.get(host) ?? 0)) return 'refuse';
    if (host !== this.brokenHost && !this.prng.chance(this.world.faults.endpoint)) return 'ok';
    return this.prng.weighted(HANDLINGS);
  }

  #arrived({ url, headers, body }: Outgoing, handling: string): void {
    const world = this.world;
    const { event, data } = JSON.parse(body) as { event: string; data: { id: string } };
    const deliveryId = headers['X-Service-Delivery-Id'] ?? '';
    world.note('endpoint', `${event} ${data.id} ${deliveryId}: ${handling}`);
    world.count(`endpoint ${handling}`);
    const expected = createHmac('sha256', this.secrets.get(new URL(url).host) ?? '')
      .update(body)
      .digest('hex');
    if (headers['X-Service-Signature'] !== `sha256=${expected}`) {
      world.fail('every delivery is signed', deliveryId);
    }
    const eventId = headers['webhook-id'] ?? '';
    world.monitor.arrives({ deliveryId, eventId, transactionId: data.id, body });
  }
}
