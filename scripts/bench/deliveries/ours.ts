import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import Sqlite from 'better-sqlite3';
import { BenchError } from '../contest.ts';
import type { Options } from '../options.ts';
import { install, launch } from '../service.ts';
import type { Sink } from '../sink.ts';
import { dueStatements, SQLITE } from './due.ts';
import type { Sender } from './sender.ts';

const SETTLE_MS_MAX = 30_000;
const POLL_MS = 50;
const BUSY_MS_MAX = 30_000;

/** The service, whose outbox is given due deliveries of one merchant by one commit. */
export async function startOurSender(folder: string, sink: Sink, options: Options): Promise<Sender> {
  const installation = await install(join(folder, 'ours'), sink);
  const profileFolder = options.profile === null ? null : join(options.profile, 'deliveries-ours');
  const running = await launch(installation, { profileFolder });
  const handle = new Sqlite(installation.file, { timeout: BUSY_MS_MAX });
  const delivered = handle.prepare("select count(*) from deliveries where state = 'delivered'").pluck();
  return {
    name: 'ours',
    about: 'the service: outbox and attempts on SQLite, synchronous=FULL, one merchant',
    pid: running.pid,
    secret: installation.webhookSecret,
    fill: async () => {},
    async go(after, count) {
      const { merchantId } = installation;
      handle.exec('begin immediate');
      for (const statement of dueStatements(SQLITE, { merchantId, after, count })) handle.exec(statement);
      handle.exec('commit');
    },
    async settled(total) {
      const giveUpAt = performance.now() + SETTLE_MS_MAX;
      while (Number(delivered.get()) !== total) {
        if (performance.now() > giveUpAt)
          throw new BenchError(`ours: ${delivered.get()} of ${total} deliveries are recorded as delivered`);
        await wait(POLL_MS);
      }
    },
    async stop() {
      handle.close();
      await running.stop();
    },
  };
}
