import type { ServerResponse } from 'node:http';
import { openReceiver, type Received } from '../../test/support/open-receiver.ts';
import type { Dice } from './dice.ts';

/** One webhook as it arrived, less what the judge does not need. */
export interface Arrival {
  deliveryId: string;
  eventId: string;
  event: string;
  transactionId: string;
  /** UTC milliseconds. */
  at: number;
}

export interface Endpoint {
  url: string;
  /** The certificate to trust, PEM. */
  ca: string;
  arrivals: readonly Arrival[];
  /** Deliveries whose request has arrived and is not answered yet. */
  inFlight(): ReadonlySet<string>;
  close(): Promise<void>;
}

/** How often, of 100 requests, the endpoint does what. */
const MANNERS = { ok: 50, slow: 30, error: 9, redirect: 4, reset: 5, hang: 2 };
const SLOW_MS = [100, 1500] as const;

/** The merchant's endpoint over TLS: takes note of every request, and answers as badly as endpoints do. */
export async function openEndpoint(dice: Dice): Promise<Endpoint> {
  const arrivals: Arrival[] = [];
  const open = new Map<string, number>();
  const receiver = await openReceiver((request, response) => {
    const arrival = arrivalOf(request);
    arrivals.push(arrival);
    // What the judge does not read need not be kept.
    receiver.requests.length = 0;
    const { deliveryId } = arrival;
    open.set(deliveryId, (open.get(deliveryId) ?? 0) + 1);
    response.on('close', () => {
      const rest = (open.get(deliveryId) ?? 1) - 1;
      if (rest > 0) open.set(deliveryId, rest);
      else open.delete(deliveryId);
    });
    behave(response, dice);
  });
  return {
    url: receiver.url,
    ca: receiver.ca,
    arrivals,
    inFlight: () => new Set(open.keys()),
    close: () => receiver.close(),
  };
}

function arrivalOf({ headers, body, at }: Received): Arrival {
  const payload = JSON.parse(String(body)) as { event: string; data: { id: string } };
  return {
    deliveryId: String(headers['x-service-delivery-id']),
    eventId: String(headers['webhook-id']),
    event: payload.event,
    transactionId: payload.data.id,
    at,
  };
}

function behave(response: ServerResponse, dice: Dice): void {
  switch (dice.pick(MANNERS)) {
    case 'ok':
      response.end('ok');
      return;
    case 'slow':
      setTimeout(() => response.end('ok'), dice.between(...SLOW_MS));
      return;
    case 'error':
      response.writeHead(503).end('closed');
      return;
    case 'redirect':
      response.writeHead(302, { location: '/elsewhere' }).end();
      return;
    case 'reset':
      response.destroy();
      return;
    case 'hang':
      return;
  }
}
