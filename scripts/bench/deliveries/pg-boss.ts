import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../program.ts';
import type { Sink } from '../sink.ts';
import type { Sender } from './sender.ts';

const ABOUT = {
  'pg-boss':
    'pg-boss on PostgreSQL with fsync, doing the same: attempts, outcomes, settings read at the claim, order',
  'pg-boss, driven':
    'the same on a driver of our own under it, and a batch fetched ahead: the fastest we could make it',
};

/** pg-boss on a PostgreSQL server that forces its commits to disk. */
export async function startPgBoss(
  name: keyof typeof ABOUT,
  database: string,
  sink: Sink,
  options: Options,
): Promise<Sender> {
  const secret = newWebhookSecret(systemRandom);
  const program = await startProgram(new URL('../peers/servers/pg-boss.ts', import.meta.url), {
    BENCH_DATABASE: database,
    BENCH_URL: sink.url,
    BENCH_CA: sink.ca,
    BENCH_SECRET: secret,
    BENCH_CONNECTIONS: String(options.connections),
    BENCH_DRIVEN: name === 'pg-boss' ? '0' : '1',
  });
  let draining: Promise<unknown> = Promise.resolve();
  return {
    name,
    about: ABOUT[name],
    pid: program.pid,
    secret,
    fill: async (after, count) => {
      await program.ask({ ask: 'fill', first: after + 1, count });
    },
    async go(_after, count) {
      draining = program.ask({ ask: 'drain', count });
    },
    // It answers when all were completed, and dies when one was not.
    async settled() {
      await draining;
    },
    stop: () => program.stop(),
  };
}
