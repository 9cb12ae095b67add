import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import { type Comparison, compare, type Measured, type Peer } from '../comparison.ts';
import { measureUse } from '../machine.ts';
import type { Options } from '../options.ts';
import { type Environment, startProgram } from '../process.ts';
import { mapValues, type Row } from '../statistics.ts';
import { type Sink, startSink } from './sink.ts';

const ARRIVE_MS_MAX = 120_000;
const COUNT_MIN = 2000;
const COUNT_MAX = 100_000;
/** For each process of a sender; with fewer, the compiler still works during the measured rounds. */
const WARM_UP_COUNT = 10_000;
const WARM_UP_ROUNDS = 2;

/** A peer that sends deliveries to the sink. */
export interface Sender extends Pick<Peer, 'pids' | 'stop'> {
  /** The secret that signs its deliveries. */
  readonly secret: string;
  /** Prepares the next deliveries, numbered from `after` + 1, which is not measured, and starts sending them. */
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
    async go(after: number, count: number, perSecond?: number) {
      const first = after + 1;
      await ask<void>({ ask: 'fill', first, count });
      sending = ask<void>({ ask: 'send', first, count, perSecond });
    },
    settled: () => sending,
    stop,
  };
}

/** Lets the senders send to one endpoint over TLS in turn, and verifies every id and signature. */
export async function compareSenders(
  comparison: Comparison,
  senders: Readonly<Record<string, (sink: Sink) => Promise<Sender>>>,
  folder: string,
  options: Options,
): Promise<Row[]> {
  const sink = await startSink(folder);
  const starts = mapValues(senders, (start) => async () => peerOf(await start(sink), sink, options));
  const rows = await compare({ ...comparison, unit: 'deliveries/s', turns: 1 }, starts, options);
  await sink.stop();
  return rows;
}

/** Lets a sender send for about the given time, as many deliveries as its last rate predicts. */
function peerOf(sender: Sender, sink: Sink, { scaled }: Options): Peer {
  let sent = 0;
  let perSecond = 0;
  const send = async (count: number) => {
    const measured = await sendNext(sender, sink, sent, count);
    sent += count;
    perSecond = measured.perSecond;
    return measured;
  };
  return {
    ...sender,
    async warmUp() {
      const count = scaled(WARM_UP_COUNT) * sender.pids.length;
      for (let round = 0; round < WARM_UP_ROUNDS; round++) await send(count);
    },
    measure: (seconds) =>
      send(Math.min(COUNT_MAX, Math.max(scaled(COUNT_MIN), Math.round(perSecond * seconds)))),
  };
}

async function sendNext(sender: Sender, sink: Sink, after: number, count: number): Promise<Measured> {
  await sender.go(after, count);
  const use = measureUse(sender.pids);
  await sink.waitFor(count, ARRIVE_MS_MAX);
  await sender.settled(after + count);
  const details = use(count);
  const { deliveryIds, at } = await sink.take(sender.secret, count);
  const arrived = new Set(deliveryIds);
  for (let n = after + 1; n <= after + count; n++)
    if (!arrived.has(`dlv_${String(n).padStart(26, '0')}`)) throw new Error(`delivery ${n} is lost`);
  // From the first arrival to the last.
  const ms = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return { perSecond: ((count - 1) * 1000) / ms, details };
}
