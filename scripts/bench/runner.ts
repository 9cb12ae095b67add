import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { BenchError, type Job, type Peer, type RunningPeer, type Scenario } from './contest.ts';
import { host } from './host.ts';
import { type Measured, runLoad } from './load.ts';
import { processCpuMs } from './machine.ts';
import type { Options } from './options.ts';
import { progress } from './progress.ts';

/** How often a turn is taken again at most because the host gave the processors to others meanwhile. */
const AGAIN_MAX = 3;

/** Before each turn: what the one before it left behind, a log to copy for instance, is not the next peer's to pay. */
const PAUSE_MS = 100;

export interface Round extends Measured {
  /** Processor time of the server's process for one answer, in microseconds; null where it cannot be read. */
  readonly serverCpuUs: number | null;
}

export interface PeerResult {
  readonly peer: Peer;
  /** In order. */
  readonly rounds: readonly Round[];
}

interface Contestant {
  readonly peer: Peer;
  readonly running: RunningPeer;
  readonly job: Job;
  readonly rounds: Round[];
}

/**
 * Starts the peers, warms each of them up, then measures them in turn, round by round; stops them and has every
 * answer verified.
 */
export async function runScenario(
  scenario: Scenario,
  peers: readonly Peer[],
  folder: string,
  options: Options,
): Promise<PeerResult[]> {
  const contestants: Contestant[] = [];
  for (const peer of peers) contestants.push(await enter(scenario, peer, folder, options));
  for (const contestant of contestants) await measure(contestant, options, options.warmUpSeconds);
  const { rounds, seconds } = contestRounds(options);
  for (let round = 0; round < rounds; round++) {
    progress(`${scenario.name}: round ${round + 1} of ${rounds}`);
    // The order turns with the rounds, so that nobody always follows the same neighbour.
    for (let i = 0; i < contestants.length; i++) {
      const contestant = contestants[(i + round) % contestants.length];
      if (contestant === undefined) continue;
      const turn = async () => {
        await wait(options.smoke ? 0 : PAUSE_MS);
        return await measure(contestant, options, seconds);
      };
      contestant.rounds.push(await host.calmest(turn, options.smoke ? 0 : AGAIN_MAX));
    }
  }
  for (const { running } of contestants) await running.stop();
  for (const { job } of contestants) job.verify();
  return contestants.map(({ peer, rounds }) => ({ peer, rounds }));
}

/** The rounds of a contest, and how many seconds of each of them a peer has. */
export function contestRounds({ rounds, seconds, turns }: Options): { rounds: number; seconds: number } {
  return { rounds: rounds * turns, seconds: seconds / turns };
}

async function enter(scenario: Scenario, peer: Peer, parent: string, options: Options): Promise<Contestant> {
  const folder = join(parent, `${scenario.name}-${peer.name}`);
  mkdirSync(folder);
  const profileFolder =
    options.profile === null ? null : join(options.profile, `${scenario.name}-${peer.name}`);
  const running = await peer.start(folder, { profileFolder });
  return { peer, running, job: await scenario.prepare(running, options), rounds: [] };
}

async function measure(
  { peer, running, job }: Contestant,
  options: Options,
  seconds: number,
): Promise<Round> {
  const { connections } = options;
  try {
    const before = processCpuMs(running.pid);
    const measured = await runLoad(job, { port: running.port, connections, durationMs: seconds * 1000 });
    const after = processCpuMs(running.pid);
    const serverCpuUs =
      before === null || after === null ? null : ((after - before) * 1000) / measured.answers;
    return { ...measured, serverCpuUs };
  } catch (error) {
    throw new BenchError(`${peer.name}: ${error instanceof Error ? error.message : error}`);
  }
}
