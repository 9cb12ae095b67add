import { measureCpu, measureMachine } from '../machine.ts';
import type { Options } from '../options.ts';
import { progress } from '../statistics.ts';
import { BenchError } from '../types.ts';
import type { Sender } from './senders.ts';
import type { Sink } from './sink.ts';

const ARRIVE_MS_MAX = 120_000;
const COUNT_MIN = 2000;
const COUNT_MAX = 100_000;
/** For each process of a sender; with fewer, the compiler still works during the measured rounds. */
const WARM_UP_COUNT = 10_000;
const WARM_UP_COUNT_SMOKE = 30;
const WARM_UP_ROUNDS = 2;

export interface SendRound {
  /** From the first arrival to the last. */
  readonly perSecond: number;
  /** Processor time of the sender per delivery, in microseconds; null on systems without /proc. */
  readonly senderUs: number | null;
  /** Share of all processors that was in use until the last delivery was recorded. */
  readonly machineBusy: number;
}

export interface SendResult {
  readonly sender: Sender;
  readonly rounds: SendRound[];
}

/**
 * Lets the senders send in turn, each for about `seconds` per round, and verifies every id and signature. Calls `warm` before the
 * measured rounds.
 */
export async function race(
  senders: readonly Sender[],
  sink: Sink,
  { rounds, seconds, smoke }: Options,
  warm: () => void,
): Promise<SendResult[]> {
  const warmUpCount = smoke ? WARM_UP_COUNT_SMOKE : WARM_UP_COUNT;
  const contestants = senders.map((sender) => ({
    sender,
    rounds: [] as SendRound[],
    sent: 0,
    count: warmUpCount * sender.pids.length,
  }));
  for (let round = smoke ? 0 : -WARM_UP_ROUNDS; round < rounds; round++) {
    if (round === 0) warm();
    progress(round < 0 ? 'deliveries: warm-up' : `deliveries: round ${round + 1} of ${rounds}`);
    for (const i of contestants.keys()) {
      const contestant = contestants[(i + Math.max(0, round)) % contestants.length];
      if (contestant === undefined) continue;
      const measured = await sendRound(contestant.sender, sink, contestant.sent, contestant.count);
      contestant.sent += contestant.count;
      if (round < -1) continue;
      contestant.count = Math.min(COUNT_MAX, Math.max(COUNT_MIN, Math.round(measured.perSecond * seconds)));
      if (round >= 0) contestant.rounds.push(measured);
    }
  }
  return contestants;
}

async function sendRound(sender: Sender, sink: Sink, after: number, count: number): Promise<SendRound> {
  await sender.fill(after, count);
  const senderUs = measureCpu(sender.pids);
  await sender.go(after, count);
  const machine = measureMachine();
  await sink.waitFor(count, ARRIVE_MS_MAX);
  await sender.settled(after + count);
  const measured = { senderUs: senderUs(count), machineBusy: machine() };
  const { deliveryIds, at } = await sink.take(sender.secret);
  verify(sender.name, deliveryIds, after, count);
  const ms = (at.at(-1) ?? 0) - (at[0] ?? 0);
  return { ...measured, perSecond: ((count - 1) * 1000) / ms };
}

/** Throws unless each delivery after `after` arrived exactly once. */
function verify(name: string, deliveryIds: readonly string[], after: number, count: number): void {
  const arrived = new Set(deliveryIds);
  const expected = Array.from({ length: count }, (_, i) => `dlv_${String(after + 1 + i).padStart(26, '0')}`);
  const lost = expected.filter((id) => !arrived.has(id)).length;
  if (lost > 0 || deliveryIds.length !== count)
    throw new BenchError(
      `${name}: ${lost} of ${count} deliveries are lost, ${deliveryIds.length} requests arrived`,
    );
}
