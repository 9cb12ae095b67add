import { type Comparison, type Contestant, compare, type Measured } from '../comparison.ts';
import { measureCpu, measureMachine } from '../machine.ts';
import type { Options } from '../options.ts';
import type { ScenarioResult } from '../types.ts';
import type { Sender } from './senders.ts';
import { type Sink, startSink } from './sink.ts';

const ARRIVE_MS_MAX = 120_000;
const COUNT_MIN = 2000;
const COUNT_MAX = 100_000;
/** For each process of a sender; with fewer, the compiler still works during the measured rounds. */
const WARM_UP_COUNT = 10_000;
const WARM_UP_ROUNDS = 2;

export type StartSender = (sink: Sink) => Promise<Sender>;

export interface SenderComparison extends Pick<Comparison, 'title' | 'ratios'> {
  readonly starts: readonly StartSender[];
  /** Runs after the sender is warmed up. */
  warm?(sender: Sender): void;
}

/** Starts the senders and a sink, lets them send to it in turn, and verifies every id and signature. */
export async function compareSenders(
  { title, ratios, starts, warm }: SenderComparison,
  folder: string,
  options: Options,
): Promise<ScenarioResult> {
  const sink = await startSink(folder);
  const senders: Sender[] = [];
  try {
    for (const start of starts) senders.push(await start(sink));
    const setting = ' to one TLS endpoint, every id and signature verified';
    return await compare(
      { title, setting, counted: 'deliveries', turns: 1, ratios },
      senders.map((sender) => contestant(sender, sink, options, warm)),
      options,
    );
  } finally {
    for (const sender of senders) await sender.stop();
    await sink.stop();
  }
}

/** A sender that sends for about the given time, as many deliveries as its last rate predicts. */
function contestant(
  sender: Sender,
  sink: Sink,
  { scaled }: Options,
  warm: SenderComparison['warm'],
): Contestant {
  let sent = 0;
  let perSecond = 0;
  const send = async (count: number) => {
    const measured = await sendNext(sender, sink, sent, count);
    sent += count;
    perSecond = measured.perSecond;
    return measured;
  };
  const measure = (forSeconds: number) => {
    const count = Math.round(perSecond * forSeconds);
    return send(Math.min(COUNT_MAX, Math.max(scaled(COUNT_MIN), count)));
  };
  return {
    name: sender.name,
    description: sender.description,
    measure,
    async warmUp() {
      const count = scaled(WARM_UP_COUNT) * sender.pids.length;
      for (let round = 0; round < WARM_UP_ROUNDS; round++) await send(count);
      warm?.(sender);
    },
  };
}

async function sendNext(sender: Sender, sink: Sink, after: number, count: number): Promise<Measured> {
  await sender.fill(after, count);
  const cpuUs = measureCpu(sender.pids);
  await sender.go(after, count);
  const machine = measureMachine();
  await sink.waitFor(count, ARRIVE_MS_MAX);
  await sender.settled(after + count);
  const measured = { cpuUs: cpuUs(count), machineBusy: machine(), load: null };
  const { deliveryIds, at } = await sink.take(sender.secret);
  verify(sender.name, deliveryIds, after, count);
  // From the first arrival to the last.
  const ms = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return { ...measured, perSecond: ((count - 1) * 1000) / ms };
}

/** Throws unless each delivery after `after` arrived exactly once. */
function verify(name: string, deliveryIds: readonly string[], after: number, count: number): void {
  const arrived = new Set(deliveryIds);
  const expected = Array.from({ length: count }, (_, i) => `dlv_${String(after + 1 + i).padStart(26, '0')}`);
  const lost = expected.filter((id) => !arrived.has(id)).length;
  if (lost > 0 || deliveryIds.length !== count)
    throw new Error(
      `${name}: ${lost} of ${count} deliveries are lost, ${deliveryIds.length} requests arrived`,
    );
}
