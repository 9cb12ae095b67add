import { fileURLToPath } from 'node:url';
import type { Peer } from './comparison.ts';
import { startServer } from './process.ts';
import type { Shop } from './types.ts';

const LIMIT = fileURLToPath(new URL('./programs/limit.ts', import.meta.url));
const LIMIT_SHOP = {
  authorization: 'Bearer sk_bench_of_the_same_length_as_a_real_key_0000',
  domain: 'bench-shop.example',
};

/** A server under load. */
export interface Server extends Pick<Peer, 'pids' | 'stop'> {
  /** One for each process; the connections are distributed over them. */
  readonly ports: readonly number[];
  /** Its merchant. */
  readonly shop: Shop;
  /** Its database, and the table of its transactions. */
  readonly url: string;
  readonly table: 'payments' | 'transactions';
  createShops(count: number): Promise<readonly Shop[]>;
}

/** The upper limit of one Node.js process: the least work that stores a payment durably. */
export async function startLimit(folder: string, url: string): Promise<Server> {
  const env = { BENCH_DATABASE: url, NODE_ENV: 'production' };
  const server = await startServer(folder, [LIMIT], env);
  return {
    ports: [server.port],
    pids: [server.pid],
    shop: LIMIT_SHOP,
    stop: server.stop,
    ...({ url, table: 'payments' } as const),
    createShops: async (count) => Array.from({ length: count }, () => LIMIT_SHOP),
  };
}
