import { type Comparison, compare } from '../comparison.ts';
import { runLoad } from '../load.ts';
import type { Options } from '../options.ts';
import { chosenPeers, limit, ours } from '../peers.ts';
import { initRequests, type Orders, statusRequests } from '../requests.ts';
import { BenchError, type RunningPeer, type Scenario, type Workload } from '../types.ts';

const SEED_CONNECTIONS = 16;
const SEED_MS_MAX = 60_000;
const SEED_TRANSACTIONS = 2000;
const SEED_TRANSACTIONS_SMOKE = 50;

type HttpComparison = Omit<Comparison, 'peers'>;

/** POST /payments/init: after the run the server is killed and every answered id must be stored. */
export const INIT: HttpComparison = {
  title: 'init',
  base: 'limit',
  thresholds: { ours: { better: 'higher', floor: 0.4, target: 0.5 } },
  prepare: async (peer) => verifiedInits(peer),
};

/** GET /payments/status of pending transactions. */
export const STATUS: HttpComparison = {
  title: 'status',
  base: 'limit',
  thresholds: { ours: { better: 'higher', floor: 0.5, target: 0.6 } },
  prepare: async (peer, options) => statusRequests(peer, await seedTransactions(peer, options)),
};

export const init = onSqlite(INIT);
export const status = onSqlite(STATUS);

function onSqlite(comparison: HttpComparison): Scenario {
  return {
    name: comparison.title,
    run: (folder, options) =>
      compare({ ...comparison, peers: chosenPeers([ours(), limit()], options) }, folder, options),
  };
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
        throw new BenchError(
          `${peer.name}: ${answers} answers with ${answered.size} ids, ${stored.size} rows stored, ${lost} answered ids lost`,
        );
    },
  };
}

async function seedTransactions(peer: RunningPeer, { smoke }: Options): Promise<string[]> {
  const requestsMax = smoke ? SEED_TRANSACTIONS_SMOKE : SEED_TRANSACTIONS;
  const ids: string[] = [];
  await runLoad(
    initRequests(peer, (id) => ids.push(id)),
    { ports: peer.ports, connections: SEED_CONNECTIONS, durationMs: SEED_MS_MAX, requestsMax },
  );
  return ids;
}
