import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import { type RecordedBank, startRecordedBank } from '../confirmation/bank.ts';
import { confirmations, NO_RECONCILIATION } from '../confirmation/payments.ts';
import { type Sink, startSink } from '../delivery/sink.ts';
import { startProgram } from '../process.ts';
import { install, launch } from '../service.ts';
import { aligned, median, progress, quantile, spread } from '../statistics.ts';
import { BenchError, type Scenario, type ScenarioResult } from '../types.ts';

const NAME = 'confirm';
const PER_SECOND = 50;
/** Enough for a 99th percentile. */
const COUNT = 200;
const COUNT_SMOKE = 5;

interface Round {
  readonly ours: Float64Array;
  readonly bare: Float64Array;
}

/** From the bank's confirmation to the first byte at the merchant, compared with a relay that stores nothing. */
export const confirm: Scenario = {
  name: NAME,
  async run(folder, { smoke, rounds: roundCount }) {
    const sink = await startSink(folder);
    const bank = await startRecordedBank(join(folder, 'bank'));
    const relay = await startRelay(folder, bank);
    const settings = { SERVICE_SANDBOX_URL: bank.url, ...NO_RECONCILIATION };
    const installation = await install(join(folder, 'ours'), sink, settings);
    const running = await launch(installation);
    const count = smoke ? COUNT_SMOKE : COUNT;
    const rounds: Round[] = [];
    try {
      for (let round = smoke ? 0 : -1; round < roundCount; round++) {
        progress(`${NAME}: round ${round + 1} of ${roundCount}`);
        // Both run at the same time, half an interval apart, under the same load of the machine.
        const ours = confirmations({ installation, running, bank, sink }, count, PER_SECOND);
        await wait(1000 / PER_SECOND / 2);
        const measured = { bare: await relay.confirmations(count), ours: await ours };
        if (round >= 0) rounds.push(measured);
      }
      return result(rounds);
    } finally {
      await running.stop();
      await relay.stop();
      await bank.stop();
      await sink.stop();
    }
  },
};

async function startRelay(folder: string, bank: RecordedBank) {
  const sink: Sink = await startSink(folder);
  const secret = newWebhookSecret(systemRandom);
  const program = await startProgram(new URL('../programs/relay.ts', import.meta.url), {
    BENCH_BANK: bank.url,
    BENCH_URL: sink.url,
    BENCH_CA: sink.ca,
    BENCH_SECRET: secret,
  });
  let relayed = 0;
  return {
    async confirmations(count: number): Promise<Float64Array> {
      await program.ask({ first: relayed, count, perSecond: PER_SECOND });
      relayed += count;
      const { transactionIds, at } = await sink.take(secret);
      if (transactionIds.length !== count)
        throw new BenchError(`the relay sent ${transactionIds.length} of ${count}`);
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

function result(rounds: readonly Round[]): ScenarioResult {
  const value = (which: keyof Round, share: number) =>
    median(rounds.map((round) => quantile(round[which], share)));
  const row = (which: keyof Round) => [which, value(which, 0.5).toFixed(2), value(which, 0.99).toFixed(2)];
  const ratio = (share: number) =>
    spread(rounds.map(({ ours, bare }) => quantile(ours, share) / quantile(bare, share)));
  const name = 'confirmation to first byte';
  return {
    text: [
      `${NAME}: the bank's confirmation to the first byte at the merchant, ${PER_SECOND}/s of each, ${rounds.length} rounds`,
      ...aligned([['', 'p50 ms', 'p99 ms'], row('ours'), row('bare')]),
    ].join('\n'),
    ratios: [
      {
        scenario: NAME,
        name: `${name}, p99, ours / bare`,
        ...ratio(0.99),
        threshold: { better: 'lower', floor: 3, target: 3 },
      },
      { scenario: NAME, name: `${name}, p50, ours / bare`, ...ratio(0.5), threshold: null },
    ],
    figures: [{ scenario: NAME, name: `${name}, p99, ours`, value: value('ours', 0.99), unit: 'ms' }],
  };
}
