import type { Deps } from '../../deps.ts';
import type { Clock } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import { signHeaders, signingSecrets } from '../signature.ts';
import { type AttemptResult, exchange } from '../transport/exchange.ts';
import type { Transport } from '../transport/transport.ts';
import type { Claimed } from './claim.ts';
import { ATTEMPT_TIMEOUT_MS, LEASE_MS } from './schedule.ts';

/** Signs and sends claimed attempts. The slots bound how many run at once. */
export class Sender {
  readonly #clock: Clock;
  readonly #box: Deps['box'];
  readonly #transport: Transport;
  readonly #running = new Set<Promise<AttemptResult>>();
  #isInterrupted = false;

  constructor(deps: Pick<Deps, 'clock' | 'box'>, transport: Transport) {
    this.#clock = deps.clock;
    this.#box = deps.box;
    this.#transport = transport;
  }

  /**
   * Makes one attempt. Resolves to null, without effect on the endpoint health, when `stop` interrupted it or when this process
   * stalled after the claim: another process may have sent this event and later ones. Never rejects.
   */
  async send(attempt: Claimed): Promise<AttemptResult | null> {
    if (Math.abs(this.#clock.now() - attempt.startedAt) > LEASE_MS - ATTEMPT_TIMEOUT_MS) return null;
    const running = this.#send(attempt);
    this.#running.add(running);
    const result = await running;
    this.#running.delete(running);
    return this.#isInterrupted && result.error !== null ? null : result;
  }

  /** Lets running attempts end within `graceMs`, then closes the connections of the others. */
  async stop(graceMs: number): Promise<void> {
    if (graceMs > 0 && this.#running.size > 0) {
      const { promise: graceOver, resolve } = Promise.withResolvers<void>();
      const cancel = this.#clock.after(graceMs, resolve);
      await Promise.race([Promise.all(this.#running), graceOver]);
      cancel();
    }
    this.#isInterrupted = true;
    await this.#transport.destroy();
    await Promise.all(this.#running);
  }

  async #send({ delivery }: Claimed): Promise<AttemptResult> {
    const clock = this.#clock;
    const { body, kind, merchant_id: merchantId } = delivery;
    const now = clock.now();
    let headers: Record<string, string>;
    try {
      const secrets = signingSecrets(this.#box, merchantId, delivery, now);
      const ids = { eventId: delivery.event_id, deliveryId: delivery.id };
      headers = signHeaders({ ...ids, body, kind, now, secrets });
    } catch (error) {
      return unsent(now, `cannot decrypt the webhook secret: ${errorText(error)}`);
    }
    // A fresh event must not wait for a connection that a recovery uses.
    const owner = delivery.recovery_id === null ? merchantId : `${merchantId} recovery`;
    const request = { url: delivery.webhook_url ?? '', headers, body };
    return await exchange({ clock, transport: this.#transport }, owner, request);
  }
}

function unsent(now: number, errorDetail: string): AttemptResult {
  const error = 'The service could not make the request; it will be looked into.';
  return { endedAt: now, durationMs: 0, status: null, error, errorDetail, response: null };
}
