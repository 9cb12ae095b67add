import { execSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { onPostgres } from '../database.ts';
import { compareSenders, type Sender, startSender } from '../delivery/senders.ts';
import type { Sink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { startOurs } from '../servers.ts';
import type { Row } from '../statistics.ts';

const PEERS = join(import.meta.dirname, '../peers');
const RATIOS = [
  ['ours', 'loop', { better: 'higher', floor: 0.3, target: 0.5 }],
  ['ours', 'pg-boss', { better: 'higher', floor: 1.5, target: 2.5 }],
] as const;

/** Deliveries per second from a full queue to one endpoint over TLS. */
export function deliveries(folder: string, options: Options): Promise<Row[]> {
  return onPostgres((server) => {
    const pgBoss = async (sink: Sink) =>
      startSender('peers/servers/pg-boss.ts', sink, { BENCH_DATABASE: await server.create('boss') });
    const senders: Record<string, (sink: Sink) => Promise<Sender>> = {
      ours: (sink) => startOurs(folder, sink, { SERVICE_LOG_LEVEL: 'error' }),
      loop: (sink) => startSender('programs/loop.ts', sink),
      ...(hasPgBoss(options) && { 'pg-boss': pgBoss }),
    };
    return compareSenders({ title: 'deliveries', ratios: RATIOS }, senders, folder, options);
  });
}

/** Installs pg-boss from its lock file. A smoke run never does, because it must work without a registry. */
function hasPgBoss({ smoke }: Options): boolean {
  if (smoke) return existsSync(join(PEERS, 'node_modules/pg-boss'));
  execSync('npm install --ignore-scripts --no-audit --no-fund', {
    cwd: PEERS,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  return true;
}
