import { BenchError } from '../contest.ts';
import { processCpuMs } from '../machine.ts';
import { progress } from '../progress.ts';
import type { Sink } from '../sink.ts';
import type { Sender } from './sender.ts';

const ARRIVE_MS_MAX = 120_000;
const COUNT_MAX = 100_000;

export interface SenderRound {
  /** From the first arrival to the last. */
  readonly perSecond: number;
  /** Processor time of the sender for one delivery, in microseconds; null where it cannot be read. */
  readonly cpuUs: number | null;
  /** The share of a processor that the sink used: near 1 the sink is the limit. */
  readonly sinkBusy: number | null;
}

export interface SenderResult {
  readonly sender: Sender;
  readonly rounds: SenderRound[];
}

export interface ContestOptions {
  readonly rounds: number;
  readonly seconds: number;
  /** Deliveries of the first, uncounted round of each, and of every round at least. */
  readonly warmUp: number;
}

/**
 * Lets the senders send in turn, each in every round about as many as it sends in the wanted time, and has every id and signature
 * verified: by the sink, and against the sender's own books. Throws BenchError when a delivery is missing or came twice.
 */
export async function contest(
  senders: readonly Sender[],
  sink: Sink,
  options: ContestOptions,
): Promise<SenderResult[]> {
  const contestants = senders.map((sender) => ({
    sender,
    rounds: [] as SenderRound[],
    sent: 0,
    count: options.warmUp,
  }));
  for (let round = -2; round < options.rounds; round++) {
    progress(round < 0 ? 'deliveries: warming up' : `deliveries: round ${round + 1} of ${options.rounds}`);
    for (let i = 0; i < contestants.length; i++) {
      // The order turns with the rounds, so that nobody always follows the same neighbour.
      const contestant = contestants[(i + Math.max(0, round)) % contestants.length];
      if (contestant === undefined) continue;
      const measured = await sendRound(contestant.sender, sink, contestant.sent, contestant.count);
      contestant.sent += contestant.count;
      contestant.count = Math.min(
        COUNT_MAX,
        Math.max(options.warmUp, Math.round(measured.perSecond * options.seconds)),
      );
      if (round >= 0) contestant.rounds.push(measured);
    }
  }
  return contestants.map(({ sender, rounds }) => ({ sender, rounds }));
}

/** One round of one sender: the deliveries numbered from the one after `after`. Throws BenchError when one is missing or came twice. */
export async function sendRound(
  sender: Sender,
  sink: Sink,
  after: number,
  count: number,
): Promise<SenderRound> {
  await sender.fill(after, count);
  const [senderBefore, sinkBefore] = [processCpuMs(sender.pid), processCpuMs(sink.pid)];
  await sender.go(after, count);
  await sink.waitFor(count, ARRIVE_MS_MAX);
  await sender.settled(after + count);
  const [senderAfter, sinkAfter] = [processCpuMs(sender.pid), processCpuMs(sink.pid)];
  const { deliveryIds, at } = await sink.take(sender.secret);
  verify(sender.name, deliveryIds, after, count);
  const ms = (at.at(-1) ?? 0) - (at[0] ?? 0);
  const used = (before: number | null, later: number | null) =>
    before === null || later === null ? null : later - before;
  const senderMs = used(senderBefore, senderAfter);
  const sinkMs = used(sinkBefore, sinkAfter);
  return {
    perSecond: ((count - 1) * 1000) / ms,
    cpuUs: senderMs === null ? null : (senderMs * 1000) / count,
    sinkBusy: sinkMs === null ? null : sinkMs / ms,
  };
}

/** Throws unless exactly the deliveries after `after` came, each once. */
function verify(name: string, deliveryIds: readonly string[], after: number, count: number): void {
  const come = new Set(deliveryIds);
  const wanted = Array.from({ length: count }, (_, i) => `dlv_${String(after + 1 + i).padStart(26, '0')}`);
  const lost = wanted.filter((id) => !come.has(id)).length;
  if (lost === 0 && deliveryIds.length === count) return;
  throw new BenchError(
    `${name}: of ${count} deliveries ${lost} are lost, ${deliveryIds.length} requests came`,
  );
}
