import { BenchError, type Job, type RunningPeer, type Scenario } from '../contest.ts';
import { runLoad } from '../load.ts';
import { initRequest, transactionIdIn } from '../order.ts';

const TRANSACTIONS = 2000;
const TRANSACTIONS_SMOKE = 50;
const SEED_CONNECTIONS = 16;
const SEED_MS_MAX = 20_000;

/** GET /payments/status of pending transactions, one after the other. */
export const status: Scenario = {
  name: 'status',
  title: 'status',
  bars: { limit: { better: 'higher', floor: 0.5, target: 0.7 } },
  peers: ['ours', 'ours-info', 'limit', 'plain', 'stock', 'express'],
  reference: 'limit',
  async prepare(peer, { smoke }) {
    return statusJob(peer, await createTransactions(peer, smoke ? TRANSACTIONS_SMOKE : TRANSACTIONS));
  },
};

function statusJob(peer: RunningPeer, ids: readonly string[]): Job {
  const requests = ids.map(
    (id) =>
      `GET /api/v1/payments/status?transactionId=${id} HTTP/1.1\r\nHost: 127.0.0.1:${peer.port}\r\nAuthorization: ${peer.authorization}\r\n\r\n`,
  );
  const known = new Set(ids);
  let sent = 0;
  return {
    nextRequest: () => requests[sent++ % requests.length] ?? '',
    accept(body) {
      if (!known.has(transactionIdIn(body) ?? '') || !body.includes('"status":"pending"')) {
        throw new BenchError(`${peer.name}: not the status of a transaction: ${body.slice(0, 500)}`);
      }
    },
    verify() {},
  };
}

async function createTransactions(peer: RunningPeer, count: number): Promise<string[]> {
  const ids: string[] = [];
  let sent = 0;
  const seed: Job = {
    nextRequest: () => initRequest(peer, sent++),
    accept(body) {
      const id = transactionIdIn(body);
      if (id !== null) ids.push(id);
    },
    verify() {},
  };
  await runLoad(seed, {
    port: peer.port,
    connections: SEED_CONNECTIONS,
    durationMs: SEED_MS_MAX,
    requestsMax: count,
  });
  if (ids.length < count) throw new BenchError(`${peer.name}: only ${ids.length} transactions were made`);
  return ids;
}
