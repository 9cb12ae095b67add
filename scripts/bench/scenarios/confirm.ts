import { mkdtempSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { startWatchedBank } from '../confirm/bank.ts';
import { type Relay, startRelay } from '../confirm/bare.ts';
import { type ConfirmParts, confirmations } from '../confirm/ours.ts';
import type { Experiment, Findings } from '../contest.ts';
import type { Options } from '../options.ts';
import { progress } from '../progress.ts';
import { install, launch } from '../service.ts';
import { startSink } from '../sink.ts';
import { median, quantile, spread } from '../statistics.ts';
import { aligned } from '../text.ts';

const NAME = 'confirm';
const PER_SECOND = 50;
/** Fewer than this many say little about the slowest hundredth. */
const COUNT_MIN = 200;
const COUNT_SMOKE = 5;
/** The bank's list is not read meanwhile: what is measured is the way of a callback. */
export const NO_SWEEP = { SERVICE_RECONCILE_SECONDS: '3600' };

interface Round {
  readonly ours: Float64Array;
  readonly bare: Float64Array;
}

/** From the bank's confirmation to the first byte at the merchant, beside a relay that keeps nothing. */
export const confirm: Experiment = {
  name: NAME,
  async run(folder, options) {
    const sink = await startSink(mkdtempSync(join(folder, 'sink-')));
    const bareSink = await startSink(mkdtempSync(join(folder, 'sink-')));
    const bank = await startWatchedBank(join(folder, 'confirm-bank'));
    const relay = await startRelay(bank, bareSink);
    const env = { SERVICE_SANDBOX_URL: bank.url, ...NO_SWEEP };
    const installation = await install(join(folder, 'confirm-ours'), sink, env);
    const profileFolder = options.profile === null ? null : join(options.profile, 'confirm-ours');
    const running = await launch(installation, { profileFolder });
    try {
      return findings(await race({ installation, running, bank, sink }, relay, options), options);
    } finally {
      await running.stop();
      await relay.stop();
      await bank.stop();
      await sink.stop();
      await bareSink.stop();
    }
  },
};

async function race(parts: ConfirmParts, relay: Relay, options: Options): Promise<Round[]> {
  const count = options.smoke ? COUNT_SMOKE : Math.max(COUNT_MIN, Math.round(options.seconds * PER_SECOND));
  let relayed = 0;
  const bareOnes = async () => {
    relayed += count;
    return await relay.confirmations(relayed, count, PER_SECOND);
  };
  /** Both at the same time, their confirmations in turn: the shop, the bank and its disk keep the machine as busy for the one as for the other. */
  const both = async (): Promise<Round> => {
    const own = confirmations(parts, count, PER_SECOND);
    await wait(1000 / PER_SECOND / 2);
    const bare = bareOnes();
    return { ours: await own, bare: await bare };
  };
  if (!options.smoke) await both();
  const rounds: Round[] = [];
  for (let round = 0; round < options.rounds; round++) {
    progress(`${NAME}: round ${round + 1} of ${options.rounds}`);
    rounds.push(await both());
  }
  return rounds;
}

function findings(rounds: readonly Round[], options: Options): Findings {
  const ms = (who: keyof Round, share: number) => median(rounds.map((round) => quantile(round[who], share)));
  const row = (name: string, who: keyof Round) => [
    name,
    ...[0.5, 0.99].map((share) => ms(who, share).toFixed(2)),
  ];
  const p99 = rounds.map(({ ours, bare }) => quantile(ours, 0.99) / quantile(bare, 0.99));
  const p50 = rounds.map(({ ours, bare }) => quantile(ours, 0.5) / quantile(bare, 0.5));
  const rows = [['', 'p50 ms', 'p99 ms'], row('ours', 'ours'), row('bare', 'bare')];
  return {
    text: [
      `confirm: the bank's confirmation to the first byte at the merchant, ${PER_SECOND} a second of each at the same time, ${options.rounds} rounds`,
      ...aligned(rows),
      '  ours: booked and queued in forced commits, then claimed and sent; bare: read and sent, nothing kept',
    ].join('\n'),
    ratios: [
      {
        scenario: NAME,
        name: 'confirmation to merchant, p99, ours / bare',
        ...spread(p99),
        bar: { better: 'lower', floor: 3, target: 1.5 },
      },
      { scenario: NAME, name: 'confirmation to merchant, p50, ours / bare', ...spread(p50), bar: null },
    ],
    figures: [
      { scenario: NAME, name: 'confirmation to merchant, p99, ours', value: ms('ours', 0.99), unit: 'ms' },
      { scenario: NAME, name: 'confirmation to merchant, p99, bare', value: ms('bare', 0.99), unit: 'ms' },
    ],
  };
}
