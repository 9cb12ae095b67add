import type { ServerResponse } from 'node:http';
import { openReceiver, type Received } from '../../test/support/open-receiver.ts';
import type { Prng } from '../sim/prng.ts';

export interface Arrival {
  deliveryId: string;
  eventId: string;
  event: string;
  transactionId: string;
  /** UTC milliseconds. */
  at: number;
}

export type Endpoint = Awaited<ReturnType<typeof openEndpoint>>;

const UNSTEADY = '/unsteady';
const SLOW_MS = [100, 1500] as const;

/** A merchant's endpoint over TLS that records every request and answers with faults. */
export async function openEndpoint(prng: Prng) {
  const arrivals: Arrival[] = [];
  let isDown = false;
  const receiver = await openReceiver((request, response) => {
    arrivals.push(arrivalOf(request));
    // The full requests are not needed.
    receiver.requests.length = 0;
    if (isDown && request.path === UNSTEADY) response.writeHead(503).end('down');
    else answer(response, prng);
  });
  return {
    url: receiver.url,
    /** Another URL, which answers 503 while it is down. */
    unsteadyUrl: new URL(UNSTEADY, receiver.url).href,
    setDown(down: boolean) {
      isDown = down;
    },
    /** The certificate to trust, PEM. */
    ca: receiver.ca,
    arrivals: arrivals as readonly Arrival[],
    close: () => receiver.close(),
  };
}

function arrivalOf({ headers, body, at }: Received): Arrival {
  const payload = JSON.parse(String(body)) as {
    event: string;
    data: { id: string; transactionId?: string };
  };
  return {
    deliveryId: String(headers['x-service-delivery-id']),
    eventId: String(headers['webhook-id']),
    event: payload.event,
    // The id of a refund's event is the refund's.
    transactionId: payload.data.transactionId ?? payload.data.id,
    at,
  };
}

function answer(response: ServerResponse, prng: Prng): void {
  const behave = prng.choose<() => unknown>({
    ok: [50, () => response.end('ok')],
    slow: [30, () => setTimeout(() => response.end('ok'), prng.int(...SLOW_MS))],
    error: [9, () => response.writeHead(503).end('closed')],
    redirect: [4, () => response.writeHead(302, { location: '/elsewhere' }).end()],
    reset: [5, () => response.destroy()],
    hang: [2, () => {}],
  });
  behave();
}
