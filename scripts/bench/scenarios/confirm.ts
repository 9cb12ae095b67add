import { setTimeout as wait } from 'node:timers/promises';
import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import { confirmations, openPaymentSite, type RecordedBank } from '../confirmation.ts';
import { programEnv, startSink } from '../delivery/sink.ts';
import { startProgram } from '../process.ts';
import { launch } from '../service.ts';
import { latencyFigures, p99Ratio, progress } from '../statistics.ts';
import type { Scenario } from '../types.ts';

const NAME = 'confirm';
const PER_SECOND = 50;
/** Enough for a 99th percentile. */
const COUNT = 200;

/** From the bank's confirmation to the first byte at the merchant, compared with a relay that stores nothing. */
export const confirm: Scenario = {
  name: NAME,
  async run(folder, { scaled, rounds: roundCount }) {
    const site = await openPaymentSite(folder);
    const relay = await startRelay(folder, site.bank);
    const running = await launch(site.installation);
    const count = scaled(COUNT);
    const ours: Float64Array[] = [];
    const bare: Float64Array[] = [];
    try {
      for (let round = -1; round < roundCount; round++) {
        progress(`${NAME}: round ${round + 1} of ${roundCount}`);
        // Both run at the same time, half an interval apart, under the same load of the machine.
        const confirmed = confirmations({ ...site, running }, count, PER_SECOND);
        await wait(1000 / PER_SECOND / 2);
        const relayed = await relay.confirmations(count);
        const delivered = await confirmed;
        if (round < 0) continue;
        bare.push(relayed);
        ours.push(delivered);
      }
    } finally {
      await running.stop();
      await relay.stop();
      await site.stop();
    }
    const name = 'confirmation to first byte';
    return {
      ratios: [
        {
          name: `${name}, p99, ours / bare`,
          ...p99Ratio(ours, bare),
          threshold: { better: 'lower', floor: 3, target: 3 },
        },
      ],
      figures: latencyFigures({ [`${name}, ours`]: ours, [`${name}, bare`]: bare }),
    };
  },
};

async function startRelay(folder: string, bank: RecordedBank) {
  const sink = await startSink(folder);
  const secret = newWebhookSecret(systemRandom);
  const program = await startProgram('programs/relay.ts', {
    ...programEnv(sink, secret),
    BENCH_BANK: bank.url,
  });
  let relayed = 0;
  return {
    async confirmations(count: number): Promise<Float64Array> {
      await program.ask({ first: relayed, count, perSecond: PER_SECOND });
      relayed += count;
      const { transactionIds, at } = await sink.take(secret);
      if (transactionIds.length !== count)
        throw new Error(`the relay sent ${transactionIds.length} of ${count}`);
      const confirmedAt = await bank.confirmed();
      const latencies = transactionIds.map((id, i) => {
        const number = String(Number(id.slice('tx_'.length)));
        return (at[i] ?? Number.NaN) - (confirmedAt.get(number) ?? Number.NaN);
      });
      return Float64Array.from(latencies).sort();
    },
    async stop() {
      await program.stop();
      await sink.stop();
    },
  };
}
