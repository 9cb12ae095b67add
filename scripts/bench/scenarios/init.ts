import { BenchError, type Job, type RunningPeer, type Scenario } from '../contest.ts';
import { initRequest, transactionIdIn } from '../order.ts';

/** POST /payments/init: every answer is a transaction on disk, checked row by row after the server was killed. */
export const init: Scenario = {
  name: 'init',
  title: 'durable init',
  bars: {
    limit: { better: 'higher', floor: 0.4, target: 0.6 },
    plain: { better: 'higher', floor: 3, target: 4 },
  },
  peers: ['ours', 'ours-info', 'limit', 'plain', 'stock', 'express'],
  reference: 'limit',
  prepare: async (peer) => initJob(peer),
};

function initJob(peer: RunningPeer): Job {
  const answered = new Set<string>();
  let answers = 0;
  let sent = 0;
  return {
    nextRequest: () => initRequest(peer, sent++),
    accept(body) {
      const id = transactionIdIn(body);
      if (id === null)
        throw new BenchError(`${peer.name}: an init without transactionId: ${body.slice(0, 500)}`);
      answers += 1;
      answered.add(id);
    },
    verify() {
      if (answered.size !== answers) {
        throw new BenchError(`${peer.name}: ${answers} answers carried only ${answered.size} different ids`);
      }
      const stored = peer.storedIds();
      const lost = [...answered].filter((id) => !stored.has(id)).length;
      if (lost > 0 || stored.size !== answers) {
        throw new BenchError(
          `${peer.name}: ${answers} answers of 200, ${stored.size} rows in the database, ${lost} answered ids lost`,
        );
      }
    },
  };
}
