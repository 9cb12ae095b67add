import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { startRecordedBank } from '../confirmation/bank.ts';
import { confirmations, NO_RECONCILIATION, type PaymentSite } from '../confirmation/payments.ts';
import { dueRows, SQLITE } from '../delivery/due-rows.ts';
import { startSink } from '../delivery/sink.ts';
import { install, launch, signIn } from '../service.ts';
import { aligned, median, progress, quantile, spread } from '../statistics.ts';
import type { Scenario, ScenarioResult } from '../types.ts';

const NAME = 'isolation';
const HANGING_MERCHANTS = 50;
const BACKLOG_EACH = 200;
const PER_SECOND = 50;
/** 17 s cover two timeouts of an attempt, so that in each round attempts of the hanging endpoints end and start. */
const COUNT = 17 * PER_SECOND;
const COUNT_SMOKE = 5;
const SETTLE_MS = 2000;
const SETTLE_MS_SMOKE = 200;

interface Round {
  readonly alone: Float64Array;
  readonly loaded: Float64Array;
}

/**
 * From the bank's confirmation to the first byte at a healthy merchant: alone, and with 50 merchants whose endpoints accept deliveries
 * and never answer.
 */
export const isolation: Scenario = {
  name: NAME,
  async run(folder, { smoke, rounds: roundCount }) {
    const alone = await openSite(join(folder, 'alone'), 0);
    const loaded = await openSite(join(folder, 'loaded'), HANGING_MERCHANTS);
    const measure = async (site: Site) => {
      const running = await launch(site.installation);
      try {
        await wait(smoke ? SETTLE_MS_SMOKE : SETTLE_MS);
        return await confirmations({ ...site, running }, smoke ? COUNT_SMOKE : COUNT, PER_SECOND);
      } finally {
        await running.stop();
      }
    };
    const rounds: Round[] = [];
    try {
      for (let round = 0; round < roundCount; round++) {
        progress(`${NAME}: round ${round + 1} of ${roundCount}`);
        const early = await measure(round % 2 === 0 ? alone : loaded);
        const late = await measure(round % 2 === 0 ? loaded : alone);
        rounds.push(round % 2 === 0 ? { alone: early, loaded: late } : { alone: late, loaded: early });
      }
      return result(rounds);
    } finally {
      for (const { bank, sink } of [alone, loaded]) {
        await bank.stop();
        await sink.stop();
      }
    }
  },
};

type Site = Omit<PaymentSite, 'running'>;

/** Creates an installation with one healthy merchant and `hanging` others, whose outboxes are full. */
async function openSite(folder: string, hanging: number): Promise<Site> {
  const bank = await startRecordedBank(join(folder, 'bank'));
  const sink = await startSink(folder);
  const settings = { SERVICE_SANDBOX_URL: bank.url, ...NO_RECONCILIATION };
  const installation = await install(folder, sink, settings);
  const running = await launch(installation);
  const operator = await signIn(installation, running.port);
  const merchantIds: string[] = [];
  for (let i = 0; i < hanging; i++) {
    const merchant = { name: `Hanging ${i}`, domains: [`hanging-${i}.example`], webhookUrl: sink.hangingUrl };
    const { merchantId } = (await operator.mutate('merchants.create', merchant)) as { merchantId: string };
    merchantIds.push(merchantId);
  }
  await running.stop();
  const handle = new Sqlite(installation.file);
  for (const [i, merchantId] of merchantIds.entries()) {
    const rows = { merchantId, after: i * BACKLOG_EACH, count: BACKLOG_EACH };
    handle.exec(dueRows(SQLITE, rows).join(';\n'));
  }
  handle.close();
  return { installation, bank, sink };
}

function result(rounds: readonly Round[]): ScenarioResult {
  const value = (which: keyof Round, share: number) =>
    median(rounds.map((round) => quantile(round[which], share))).toFixed(2);
  const row = (name: string, which: keyof Round) => [name, value(which, 0.5), value(which, 0.99)];
  const loaded = `with ${HANGING_MERCHANTS} hanging endpoints`;
  return {
    text: [
      `${NAME}: the bank's confirmation to the first byte at a healthy merchant, ${PER_SECOND}/s, ${rounds.length} rounds in turn`,
      ...aligned([['', 'p50 ms', 'p99 ms'], row('alone', 'alone'), row(loaded, 'loaded')]),
    ].join('\n'),
    ratios: [
      {
        scenario: NAME,
        name: `p99 of a healthy merchant, ${loaded} / alone`,
        ...spread(rounds.map((round) => quantile(round.loaded, 0.99) / quantile(round.alone, 0.99))),
        threshold: { better: 'lower', floor: 1.2, target: 1.1 },
      },
    ],
    figures: [],
  };
}
