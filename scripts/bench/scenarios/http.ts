import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { type Comparison, compare } from '../comparison.ts';
import { runLoad } from '../load.ts';
import { measureCpu, measureMachine } from '../machine.ts';
import { chosen, type Options, PEERS } from '../options.ts';
import { limit, ours } from '../peers.ts';
import { initRequests, type Orders, statusRequests } from '../requests.ts';
import type { Peer, RunningPeer, Scenario, ScenarioResult, Workload } from '../types.ts';

const SEED_CONNECTIONS = 16;
const SEED_MS_MAX = 60_000;
const SEED_TRANSACTIONS = 2000;
const TURNS = 4;

export interface HttpComparison extends Pick<Comparison, 'title' | 'ratios'> {
  prepare(peer: RunningPeer, options: Options): Promise<Workload>;
  /** Runs after the peer is warmed up. */
  warm?(peer: RunningPeer): void;
}

/** POST /payments/init: after the run the server is killed and every answered id must be stored. */
export const INIT: HttpComparison = {
  title: 'init',
  ratios: [['ours', 'limit', { better: 'higher', floor: 0.4, target: 0.5 }]],
  prepare: async (peer) => verifiedInits(peer),
};

/** GET /payments/status of pending transactions. */
export const STATUS: HttpComparison = {
  title: 'status',
  ratios: [['ours', 'limit', { better: 'higher', floor: 0.5, target: 0.6 }]],
  prepare: async (peer, options) => statusRequests(peer, await seedTransactions(peer, options)),
};

export const init = onSqlite(INIT);
export const status = onSqlite(STATUS);

function onSqlite(comparison: HttpComparison): Scenario {
  return {
    name: comparison.title,
    run: (folder, options) =>
      compareServers(comparison, chosen([ours(), limit()], options.peers, PEERS), folder, options),
  };
}

/** Starts the peers, puts them under load in turn, stops them and verifies every answer. */
export async function compareServers(
  { title, ratios, prepare, warm }: HttpComparison,
  peers: readonly Peer[],
  folder: string,
  options: Options,
): Promise<ScenarioResult> {
  const servers: { peer: Peer; running: RunningPeer; workload: Workload }[] = [];
  for (const peer of peers) {
    const own = join(folder, `${title.replaceAll(/\W+/g, '-')}-${peer.name}`);
    mkdirSync(own);
    const running = await peer.start(own, options);
    servers.push({ peer, running, workload: await prepare(running, options) });
  }
  const setting = `, ${options.connections} keep-alive connections to each process`;
  const result = await compare(
    { title, setting, counted: 'requests', turns: TURNS, ratios },
    servers.map(({ peer, running, workload }) => ({
      name: peer.name,
      description: peer.description,
      async warmUp() {
        // Each process compiles its own code, and all of them share the machine.
        await measure(running, workload, options, options.warmUpSeconds * running.pids.length);
        warm?.(running);
      },
      measure: (seconds) => measure(running, workload, options, seconds),
    })),
    options,
  );
  for (const { running } of servers) await running.stop();
  for (const { workload } of servers) await workload.verify?.();
  return result;
}

async function measure(
  { name, pids, ports }: RunningPeer,
  workload: Workload,
  { connections }: Options,
  seconds: number,
) {
  try {
    const cpuUs = measureCpu(pids);
    const machine = measureMachine();
    const load = await runLoad(workload, {
      ports,
      connections: connections * ports.length,
      durationMs: seconds * 1000,
    });
    return { perSecond: load.perSecond, cpuUs: cpuUs(load.answers), machineBusy: machine(), load };
  } catch (error) {
    throw new Error(`${name}: ${error instanceof Error ? error.message : error}`);
  }
}

/** Inits, of which every answered id must be stored at the end. */
export function verifiedInits(peer: RunningPeer, orders?: Orders): Workload {
  const answered = new Set<string>();
  let answers = 0;
  const created = (id: string) => {
    answers += 1;
    answered.add(id);
  };
  const inits = initRequests(peer, created, orders);
  return {
    ...inits,
    async verify() {
      const stored = await peer.storedIds();
      const lost = [...answered].filter((id) => !stored.has(id)).length;
      if (lost > 0 || answered.size !== answers || stored.size !== answers)
        throw new Error(
          `${peer.name}: ${answers} answers with ${answered.size} ids, ${stored.size} rows stored, ${lost} answered ids lost`,
        );
    },
  };
}

async function seedTransactions(peer: RunningPeer, { scaled }: Options): Promise<string[]> {
  const requestsMax = scaled(SEED_TRANSACTIONS);
  const ids: string[] = [];
  await runLoad(
    initRequests(peer, (id) => ids.push(id)),
    { ports: peer.ports, connections: SEED_CONNECTIONS, durationMs: SEED_MS_MAX, requestsMax },
  );
  return ids;
}
