import type { Deps } from '../../deps.ts';
import type { Clock } from '../../kernel/clock.ts';
import { errorText } from '../../kernel/errors.ts';
import { createSecretReader, signHeaders } from '../signature.ts';
import { type AttemptResult, exchange } from '../transport/exchange.ts';
import type { Transport } from '../transport/transport.ts';
import type { Claimed } from './claim.ts';
import type { Queue } from './due-store.ts';
import type { SlotLimits } from './slots.ts';

/** The attempts of one merchant and queue. */
interface Lane {
  inFlight: number;
  readonly waiting: (() => void)[];
}

/** Signs and sends claimed attempts; beyond a merchant's limit of attempts in flight they wait for their turn. */
export class Sender {
  readonly #clock: Clock;
  readonly #readSecrets: ReturnType<typeof createSecretReader>;
  readonly #transport: Transport;
  readonly #limits: Readonly<Record<Queue, SlotLimits>>;
  readonly #lanes = new Map<string, Lane>();
  readonly #running = new Set<Promise<AttemptResult>>();
  #isInterrupted = false;

  constructor(
    deps: Pick<Deps, 'clock' | 'box'>,
    transport: Transport,
    limits: Readonly<Record<Queue, SlotLimits>>,
  ) {
    this.#clock = deps.clock;
    this.#limits = limits;
    this.#readSecrets = createSecretReader(deps.box);
    this.#transport = transport;
  }

  /** Makes one attempt. Resolves to null when `stop` interrupted it, which says nothing about the endpoint. Never rejects. */
  async send(attempt: Claimed): Promise<AttemptResult | null> {
    const running = this.#inTurn(attempt);
    this.#running.add(running);
    const result = await running;
    this.#running.delete(running);
    return this.#isInterrupted && result.error !== null ? null : result;
  }

  /** Lets running attempts end within `graceMs`, then closes the connections of the others. */
  async stop(graceMs: number): Promise<void> {
    if (graceMs > 0) await endedWithin(this.#clock, this.#running, graceMs);
    this.#isInterrupted = true;
    await this.#transport.destroy();
    await Promise.all(this.#running);
  }

  async #inTurn(attempt: Claimed): Promise<AttemptResult> {
    const { merchant_id: merchantId, recovery_id } = attempt.delivery;
    const queue: Queue = recovery_id === null ? 'fresh' : 'recovery';
    // A fresh event must not wait for a connection that a recovery uses.
    const owner = `${merchantId} ${queue}`;
    const lane = this.#lanes.get(owner) ?? { inFlight: 0, waiting: [] };
    this.#lanes.set(owner, lane);
    if (lane.inFlight >= this.#limits[queue].perMerchantMax)
      await new Promise<void>((resolve) => lane.waiting.push(resolve));
    else lane.inFlight++;
    const result = this.#isInterrupted
      ? unsent(this.#clock.now(), 'interrupted while it waited for its turn')
      : await this.#send(attempt, owner);
    const next = lane.waiting.shift();
    if (next !== undefined) next();
    else if (--lane.inFlight === 0) this.#lanes.delete(owner);
    return result;
  }

  /** Never rejects. */
  async #send({ delivery, url }: Claimed, owner: string): Promise<AttemptResult> {
    const clock = this.#clock;
    const { body, kind, merchant_id: merchantId } = delivery;
    const now = clock.now();
    let headers: Record<string, string>;
    try {
      const secrets = this.#readSecrets(merchantId, delivery, now);
      const ids = { eventId: delivery.event_id, deliveryId: delivery.id };
      headers = signHeaders({ ...ids, body, kind, now, secrets });
    } catch (error) {
      return unsent(now, `cannot decrypt the webhook secret: ${errorText(error)}`);
    }
    return await exchange({ clock, transport: this.#transport }, { owner, url, headers, body });
  }
}

function unsent(now: number, errorDetail: string): AttemptResult {
  const error = 'The service could not make the request; it will be looked into.';
  return { endedAt: now, durationMs: 0, status: null, error, errorDetail, response: null };
}

async function endedWithin(
  clock: Clock,
  running: ReadonlySet<Promise<unknown>>,
  graceMs: number,
): Promise<void> {
  if (running.size === 0) return;
  const { promise: graceOver, resolve } = Promise.withResolvers<void>();
  const cancel = clock.after(graceMs, resolve);
  await Promise.race([Promise.all(running), graceOver]);
  cancel();
}
