import { BenchError } from './contest.ts';
import type { OpenRequest } from './open-load.ts';
import { initRequest, transactionIdIn } from './order.ts';

/** This phone accepts every push as soon as its create was answered. */
const PHONE = '911000001';
/** In hundredths of all requests; the rest are status calls. */
const INITS = 40;
const PUSHES = 10;

/**
 * What a platform's day is made of: payments created, a quarter of them pushed to a phone that accepts, hence confirmed and told
 * to the merchant, and status calls of the newest ones.
 */
export class Mixture {
  readonly #peer: { port: number; authorization: string };
  /** Created and not pushed yet. */
  readonly #fresh: string[] = [];
  readonly created = new Set<string>();
  readonly pushed = new Set<string>();
  #newest = '';
  #made = 0;
  #turn = 0;

  constructor(peer: { port: number; authorization: string }) {
    this.#peer = peer;
  }

  next(): OpenRequest {
    // Spread evenly: the same mixture in every hundred requests.
    const place = (this.#turn++ * 37) % 100;
    const fresh = place >= INITS && place < INITS + PUSHES ? this.#fresh.shift() : undefined;
    if (fresh !== undefined) return this.#push(fresh);
    return place < INITS || this.#newest === '' ? this.#init() : this.#status(this.#newest);
  }

  #init(): OpenRequest {
    return {
      kind: 'init',
      text: initRequest(this.#peer, this.#made++),
      accept: (body) => {
        const id = transactionIdIn(body);
        if (id === null) throw new BenchError(`an init without transactionId: ${body.slice(0, 500)}`);
        this.created.add(id);
        this.#fresh.push(id);
        this.#newest = id;
      },
    };
  }

  #push(id: string): OpenRequest {
    const body = JSON.stringify({ transactionId: id, phoneNumber: PHONE });
    this.pushed.add(id);
    return {
      kind: 'mbway',
      text: `POST /api/v1/payments/mbway HTTP/1.1\r\n${this.#head()}Content-Type: application/json\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`,
      accept(answer) {
        if (!answer.includes('"success":true')) throw new BenchError(`no success: ${answer.slice(0, 500)}`);
      },
    };
  }

  #status(id: string): OpenRequest {
    return {
      kind: 'status',
      text: `GET /api/v1/payments/status?transactionId=${id} HTTP/1.1\r\n${this.#head()}\r\n`,
      accept(body) {
        if (transactionIdIn(body) !== id)
          throw new BenchError(`not the status of ${id}: ${body.slice(0, 500)}`);
      },
    };
  }

  #head(): string {
    return `Host: 127.0.0.1:${this.#peer.port}\r\nAuthorization: ${this.#peer.authorization}\r\n`;
  }
}
