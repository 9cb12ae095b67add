import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import type { Peer } from '../comparison.ts';
import { type Environment, startProgram } from '../process.ts';
import type { Sink } from './sink.ts';

/** A peer that sends deliveries to the sink. */
export interface Sender extends Pick<Peer, 'pids' | 'stop'> {
  /** The secret that signs its deliveries. */
  readonly secret: string;
  /** Prepares the next deliveries, numbered from `after` + 1; not measured. */
  fill(after: number, count: number): Promise<void>;
  /** Starts sending them. */
  go(after: number, count: number): Promise<void>;
  /** Waits until its own records show all `total` deliveries so far. Throws when they do not. */
  settled(total: number): Promise<void>;
}

/** A message to the program of a sender: deliveries that it must queue, or send, so many per second or as fast as possible. */
export interface Batch {
  readonly ask: 'fill' | 'send';
  readonly first: number;
  readonly count: number;
  readonly perSecond?: number;
}

/** Starts the program of a peer that sends to the sink. */
export async function startSender(file: string, sink: Sink, env: Environment = {}) {
  const secret = newWebhookSecret(systemRandom);
  const own = { BENCH_URL: sink.url, BENCH_CA: sink.ca, BENCH_SECRET: secret };
  const { pid, ask, stop } = await startProgram(file, { ...own, ...env });
  let sending = Promise.resolve();
  return {
    pids: [pid],
    secret,
    fill: (after: number, count: number) => ask<void>({ ask: 'fill', first: after + 1, count }),
    async go(after: number, count: number, perSecond?: number) {
      sending = ask<void>({ ask: 'send', first: after + 1, count, perSecond });
    },
    settled: () => sending,
    stop,
  };
}
