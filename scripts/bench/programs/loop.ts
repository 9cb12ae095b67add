import { Pool } from 'undici';
import { nthDelivery, signedHeaders } from '../delivery/request.ts';
import type { Batch } from '../delivery/senders.ts';
import { answerQuestions } from '../questions.ts';

/**
 * The peer `loop`: signs and posts deliveries over keep-alive connections and stores nothing. Takes BENCH_URL, BENCH_CA, BENCH_SECRET and
 * BENCH_CONNECTIONS.
 */
const { BENCH_URL = '', BENCH_CA = '', BENCH_SECRET = '', BENCH_CONNECTIONS = '' } = process.env;
const connections = Number(BENCH_CONNECTIONS);
const { origin, pathname } = new URL(BENCH_URL);
const pool = new Pool(origin, { connections, pipelining: 1, connect: { ca: BENCH_CA } });

async function sendAll(first: number, count: number): Promise<void> {
  let next = first;
  const send = async () => {
    while (next < first + count) {
      const delivery = nthDelivery(next++);
      const headers = signedHeaders(delivery, BENCH_SECRET);
      const answer = await pool.request({ method: 'POST', path: pathname, headers, body: delivery.body });
      await answer.body.dump();
      if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
    }
  };
  await Promise.all(Array.from({ length: connections }, send));
}

answerQuestions(({ ask, first, count }: Batch) => (ask === 'send' ? sendAll(first, count) : null));
