import { setTimeout as wait } from 'node:timers/promises';
import { confirmations, delays, openPaymentSite } from '../confirmation.ts';
import { startSender } from '../delivery/senders.ts';
import { startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { launch } from '../service.ts';
import { comparedP99, inTurn, type Row } from '../statistics.ts';

const PER_SECOND = 50;
/** Enough for a 99th percentile. */
const COUNT = 200;

/** From the bank's confirmation to the first byte at the merchant, compared with a relay that stores nothing. */
export async function confirm(folder: string, { scaled, rounds }: Options): Promise<Row[]> {
  const site = await openPaymentSite(folder);
  const running = await launch(site.installation);
  const sink = await startSink(folder);
  const relay = await startSender('programs/loop.ts', sink, { BENCH_BANK: site.bankUrl });
  const count = scaled(COUNT);
  let relayed = 0;
  const bareConfirmations = async () => {
    await relay.go(relayed, count, PER_SECOND);
    await relay.settled();
    relayed += count;
    const arrivals = await sink.take(relay.secret, count);
    const confirmedAt = await site.confirmedAt();
    return delays(arrivals.transactionIds, arrivals, (id) => confirmedAt.get(id));
  };
  // Both run at the same time, half an interval apart, under the same load of the machine.
  const both = async () => {
    const confirmed = confirmations(site, running, count, PER_SECOND);
    await wait(1000 / PER_SECOND / 2);
    return { bare: await bareConfirmations(), ours: await confirmed };
  };
  // The first round warms up.
  const [, ...measured] = (await inTurn('confirm', rounds + 1, { both })).both;
  await running.stop();
  await relay.stop();
  await sink.stop();
  await site.stop();
  const name = 'confirmation to first byte';
  return comparedP99(
    `${name}, p99, ours / bare`,
    {
      [`${name}, ours`]: measured.map(({ ours }) => ours),
      [`${name}, bare`]: measured.map(({ bare }) => bare),
    },
    { better: 'lower', floor: 3, target: 3 },
  );
}
