import { Pool } from 'undici';
import { systemClock } from '../../../../src/kernel/clock.ts';
import { exchange } from '../../../../src/webhooks/transport/exchange.ts';
import type { Transport } from '../../../../src/webhooks/transport/transport.ts';
import { type Delivery, signedHeaders } from '../../delivery/request.ts';

/** Returns a function that posts deliveries as the service does, over keep-alive connections to the origin of `url`. */
export function createPost(url: string, ca: string, connections: number) {
  const pool = new Pool(new URL(url).origin, { connections, pipelining: 1, connect: { ca } });
  const transport: Transport = {
    post(_owner, request, handler) {
      const path = new URL(request.url).pathname;
      pool.dispatch({ method: 'POST', path, headers: request.headers, body: request.body }, handler);
    },
    destroy: () => pool.destroy(),
  };
  return (to: string, secret: string, delivery: Delivery) => {
    const headers = signedHeaders(delivery, secret);
    return exchange({ clock: systemClock, transport }, '', { url: to, headers, body: delivery.body });
  };
}
