import { request as httpRequest } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { setTimeout as wait } from 'node:timers/promises';
import type { TransactionStatus } from '../../db/tables/payments.ts';
import type { StatusEventKind } from '../../db/tables/webhooks.ts';
import type { Cents } from '../../kernel/money.ts';
import { randomText, systemRandom } from '../../kernel/random.ts';
import { newWebhookSecret } from '../../merchants/secrets.ts';
import { eventBody } from '../../webhooks/append.ts';
import { ATTEMPT_TIMEOUT_MS } from '../../webhooks/delivery/schedule.ts';
import { type SigningSecrets, signHeaders } from '../../webhooks/signature.ts';
import { isAccepted, type Post, type PostAnswer, posterTo } from '../post.ts';
import type { Counter } from './count.ts';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 20;
/** How long a receiver can work on a request before the connection is closed. */
const CUT_AFTER_MS = 100;

const STATUS_OF = {
  'payment.success': 'paid',
  'payment.failed': 'failed',
  'payment.cancelled': 'cancelled',
  'webhook.test': 'pending',
} as const satisfies Record<StatusEventKind, TransactionStatus>;

export interface InventedEvent {
  kind: StatusEventKind;
  eventId: `evt_${string}`;
  body: string;
}

export interface ReceiverOptions {
  url: string;
  secret: string;
  orderId: string;
  amount: Cents;
  /** Null without `--count-url`. */
  counter: Counter | null;
  /** Waits between the attempts of a delivery. */
  retryDelaysMs: readonly number[];
  /** A slower answer breaks the rule `quick`. */
  quickMs: number;
}

/** The webhook receiver under test, with the requests of the rules. */
export class Receiver {
  readonly options: ReceiverOptions;
  /** A secret that the receiver does not know. */
  readonly foreignSecret = newWebhookSecret(systemRandom);
  /** Response times of accepted deliveries, in milliseconds. */
  readonly acceptedMs: number[] = [];
  readonly #post: (post: Post) => Promise<PostAnswer>;
  /** The number of paid orders after the last rule that read it. */
  #lastCount: number | null = null;
  /** The accepted payments since then, which the receiver may record after its response. */
  #acceptedSince = 0;

  constructor(options: ReceiverOptions) {
    this.options = options;
    this.#post = posterTo(options.url);
  }

  /** A new `data.id`. */
  payment(): string {
    return inventedId('tx');
  }

  deliveryId(): `dlv_${string}` {
    return inventedId('dlv');
  }

  /** An event of the payment `id`, whose state changed at `at`. */
  event(kind: StatusEventKind, id = this.payment(), at = Date.now()): InventedEvent {
    const test = kind === 'webhook.test';
    const body = eventBody(at, {
      kind,
      data: {
        id: test ? id.replace('tx_', 'tx_test_') : id,
        externalOrderId: test ? 'TEST' : this.options.orderId,
        amount: this.options.amount,
        paymentMethod: test ? null : 'MBWAY',
        status: STATUS_OF[kind],
        paidAt: kind === 'payment.success' ? at : null,
      },
    });
    return { kind, eventId: inventedId('evt'), body };
  }

  /** One signed delivery attempt of the event, by default with the receiver's secret and a new delivery id. */
  signed(
    event: InventedEvent,
    options: { deliveryId?: `dlv_${string}`; secrets?: SigningSecrets; agedSeconds?: number } = {},
  ): Post {
    const { deliveryId = this.deliveryId(), secrets = [this.options.secret], agedSeconds = 0 } = options;
    const now = Date.now() - agedSeconds * 1000;
    return { headers: signHeaders({ ...event, secrets, deliveryId, now }), body: event.body };
  }

  /** A signed delivery of a new payment.success. */
  signedSuccess(options?: Parameters<Receiver['signed']>[1]): Post {
    return this.signed(this.event('payment.success'), options);
  }

  async send(post: Post): Promise<PostAnswer> {
    const answer = await this.#post(post);
    if (isAccepted(answer)) {
      this.acceptedMs.push(answer.ms);
      if (post.headers['X-Service-Event'] === 'payment.success') this.#acceptedSince++;
    }
    return answer;
  }

  /** Delivers with all attempts of a delivery, each signed when it is sent. Resolves to the last answer. */
  async deliver(sign: () => Post): Promise<PostAnswer & { attempts: number }> {
    let answer = await this.send(sign());
    let attempts = 1;
    for (const delayMs of this.options.retryDelaysMs) {
      if (isAccepted(answer)) break;
      await wait(delayMs);
      answer = await this.send(sign());
      attempts++;
    }
    return { ...answer, attempts };
  }

  /** Sends the request and closes the connection before the response, like a network failure. */
  async sendUnheard({ headers, body }: Post): Promise<void> {
    const request = this.options.url.startsWith('https:') ? httpsRequest : httpRequest;
    const sent = request(this.options.url, {
      method: 'POST',
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      signal: AbortSignal.timeout(ATTEMPT_TIMEOUT_MS),
    });
    await new Promise<void>((resolve) => {
      sent.on('error', () => resolve()).on('response', () => resolve());
      sent.end(body, () => setTimeout(resolve, CUT_AFTER_MS));
    });
    sent.destroy();
  }

  /** Runs `work`. `rise` is the change of the number of paid orders, or null when it is unknown. */
  async counted<T>(expected: number, work: () => Promise<T>): Promise<{ result: T; rise: number | null }> {
    const { counter } = this.options;
    if (counter === null) return { result: await work(), rise: null };
    // Payments of earlier rules must not be counted as those of this one.
    if (this.#lastCount !== null && this.#acceptedSince > 0)
      await counter.risen(this.#lastCount, this.#acceptedSince);
    const before = await counter.read();
    const result = await work();
    const rise = await counter.risen(before, expected);
    this.#lastCount = before + rise;
    this.#acceptedSince = 0;
    return { result, rise };
  }
}

function inventedId<P extends string>(prefix: P): `${P}_${string}` {
  return `${prefix}_doctor_${randomText(systemRandom, ID_LENGTH, LETTERS)}`;
}

/** The same event with another text of its body. */
export function rewritten(
  event: InventedEvent,
  write: (value: Record<string, unknown>) => string,
): InventedEvent {
  return { ...event, body: write(JSON.parse(event.body)) };
}

/** The post without these headers. */
export function without(post: Post, ...names: string[]): Post {
  const headers = Object.entries(post.headers).filter(([name]) => !names.includes(name));
  return { ...post, headers: Object.fromEntries(headers) };
}
