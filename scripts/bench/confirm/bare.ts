import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import { BenchError } from '../contest.ts';
import { host } from '../host.ts';
import { startProgram } from '../program.ts';
import type { Sink } from '../sink.ts';
import type { WatchedBank } from './bank.ts';

/** A relay that keeps nothing, between the same bank and a sink of its own. */
export interface Relay {
  /** The same figure as ours, of `count` confirmations numbered from `first`. */
  confirmations(first: number, count: number, perSecond: number): Promise<Float64Array>;
  stop(): Promise<void>;
}

export async function startRelay(bank: WatchedBank, sink: Sink): Promise<Relay> {
  const secret = newWebhookSecret(systemRandom);
  const program = await startProgram(new URL('../programs/relay.ts', import.meta.url), {
    BENCH_BANK: bank.url,
    BENCH_URL: sink.url,
    BENCH_CA: sink.ca,
    BENCH_SECRET: secret,
  });
  return {
    async confirmations(first, count, perSecond) {
      await program.ask({ first, count, perSecond });
      const { transactionIds, at } = await sink.take(secret);
      if (transactionIds.length !== count)
        throw new BenchError(`the relay sent ${transactionIds.length} of ${count}`);
      const confirmed = await bank.confirmed();
      return host.durations(
        transactionIds.map((id, i) => ({
          from: confirmed.get(String(Number(id.slice(3)))) ?? Number.NaN,
          until: at[i] ?? Number.NaN,
        })),
      );
    },
    stop: () => program.stop(),
  };
}
