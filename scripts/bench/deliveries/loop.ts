import { systemRandom } from '../../../src/kernel/random.ts';
import { newWebhookSecret } from '../../../src/merchants/secrets.ts';
import type { Options } from '../options.ts';
import { startProgram } from '../program.ts';
import type { Sink } from '../sink.ts';
import type { Sender } from './sender.ts';

/** What one Node process can send at all. */
export async function startLoop(sink: Sink, options: Options): Promise<Sender> {
  const secret = newWebhookSecret(systemRandom);
  const program = await startProgram(new URL('../programs/loop.ts', import.meta.url), {
    BENCH_URL: sink.url,
    BENCH_CA: sink.ca,
    BENCH_SECRET: secret,
    BENCH_CONNECTIONS: String(options.connections),
  });
  let sending: Promise<unknown> = Promise.resolve();
  return {
    name: 'loop',
    about: 'a bare undici loop: signs and posts, stores nothing',
    pid: program.pid,
    secret,
    fill: async () => {},
    async go(after, count) {
      sending = program.ask({ first: after + 1, count });
    },
    async settled() {
      await sending;
    },
    stop: () => program.stop(),
  };
}
