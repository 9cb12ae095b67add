import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { Random } from '../../kernel/random.ts';
import type { Post, PostAnswer } from '../post.ts';
import { posterTo } from '../post.ts';
import type { Counter } from './count.ts';
import { type Invented, type InventedEvent, newEvent, newPayment, signedPost } from './messages.ts';

/** How long a receiver may think about what it was sent before nobody waits for its answer. */
const CUT_AFTER_MS = 100;

export interface DoctorLimits {
  /** Waits between the attempts of a delivery. */
  retryDelaysMs: readonly number[];
  /** Above it an answer is slow. */
  quickMs: number;
}

/** The receiver under examination, with all that the rules do to it. */
export class Patient {
  readonly secret: string;
  /** A secret that the receiver does not know. */
  readonly foreignSecret: string;
  readonly limits: DoctorLimits;
  /** How long each answer to a genuine delivery took, in milliseconds. */
  readonly acceptedMs: number[] = [];
  readonly #url: string;
  readonly #post: (post: Post) => Promise<PostAnswer>;
  readonly #invented: Invented;
  readonly #counter: Counter | null;

  constructor(options: {
    url: string;
    secret: string;
    foreignSecret: string;
    invented: Invented;
    counter: Counter | null;
    limits: DoctorLimits;
  }) {
    this.#url = options.url;
    this.#post = posterTo(options.url);
    this.#invented = options.invented;
    this.#counter = options.counter;
    this.secret = options.secret;
    this.foreignSecret = options.foreignSecret;
    this.limits = options.limits;
  }

  get random(): Random {
    return this.#invented.random;
  }

  payment(): string {
    return newPayment(this.#invented);
  }

  event(kind: InventedEvent['kind'], id = this.payment(), at = Date.now()): InventedEvent {
    return newEvent(this.#invented, kind, id, at);
  }

  /** The event as a delivery of this moment, signed as `secrets` say, by the receiver's own secret when they are left out. */
  signed(
    event: InventedEvent,
    options: { deliveryId?: `dlv_${string}`; previous?: string; current?: string; agedSeconds?: number } = {},
  ): Post {
    const { deliveryId, previous, current = this.secret, agedSeconds = 0 } = options;
    const secrets = previous === undefined ? { current } : { current, previous };
    return signedPost(this, event, secrets, {
      now: Date.now() - agedSeconds * 1000,
      ...(deliveryId && { deliveryId }),
    });
  }

  async send(post: Post): Promise<PostAnswer> {
    const answer = await this.#post(post);
    if (isAccepted(answer)) this.acceptedMs.push(answer.ms);
    return answer;
  }

  /** The last answer after as many attempts as a delivery gets, each signed anew. */
  async deliver(sign: () => Post): Promise<PostAnswer & { attempts: number }> {
    let answer = await this.send(sign());
    let attempts = 1;
    for (const delayMs of this.limits.retryDelaysMs) {
      if (isAccepted(answer)) break;
      await wait(delayMs);
      answer = await this.send(sign());
      attempts++;
    }
    return { ...answer, attempts };
  }

  /** Sends everything and hangs up without having heard an answer, as when the network fails in between. */
  async sendUnheard({ headers, body }: Post): Promise<void> {
    const request = this.#url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = request(this.#url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
    });
    await new Promise<void>((resolve) => {
      sent.on('error', () => resolve()).on('response', () => resolve());
      sent.end(body, () => setTimeout(resolve, CUT_AFTER_MS));
    });
    sent.destroy();
  }

  /** What `work` gave, and by how much the orders that count as paid rose meanwhile; null when nobody counts them. */
  async counted<T>(wanted: number, work: () => Promise<T>): Promise<{ result: T; rise: number | null }> {
    if (this.#counter === null) return { result: await work(), rise: null };
    const before = await this.#counter.read();
    const result = await work();
    return { result, rise: await this.#counter.risen(before, wanted) };
  }
}

export function isAccepted({ error }: PostAnswer): boolean {
  return error === null;
}
