import { Pool } from 'undici';
import { nthDelivery, signedHeaders } from './request.ts';

/** More connections make the peer `loop` slower. */
export const CONNECTIONS = 32;

/**
 * Returns a function that signs and posts the n-th delivery to the sink. Takes BENCH_URL, BENCH_CA and BENCH_SECRET; see
 * programEnv.
 */
export function createPoster(): (n: number) => Promise<void> {
  const { BENCH_URL = '', BENCH_CA = '', BENCH_SECRET = '' } = process.env;
  const { origin, pathname } = new URL(BENCH_URL);
  const pool = new Pool(origin, { connections: CONNECTIONS, pipelining: 1, connect: { ca: BENCH_CA } });
  return async (n) => {
    const delivery = nthDelivery(n);
    const headers = signedHeaders(delivery, BENCH_SECRET);
    const answer = await pool.request({ method: 'POST', path: pathname, headers, body: delivery.body });
    await answer.body.dump();
    if (answer.statusCode !== 200) throw new Error(`the sink answered ${answer.statusCode}`);
  };
}
