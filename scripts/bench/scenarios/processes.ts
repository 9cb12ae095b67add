import { join } from 'node:path';
import { canLimitProcesses } from '../cpu-limit.ts';
import { onPostgres } from '../database.ts';
import { compareSenders } from '../delivery/senders.ts';
import type { Sink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { startOurs } from '../servers.ts';
import { mapValues, progress, type Row } from '../statistics.ts';
import { compareServers, INIT } from './http.ts';

const TITLE = 'a quarter of a processor each';
const PAIR = { '1 process': 1, '2 processes': 2 };
const ALL = { ...PAIR, '4 processes': 4 };
const LIMITED = {
  ratios: [
    ['2 processes', '1 process', { better: 'higher', floor: 1.8, target: 1.8 }],
    ['4 processes', '1 process', { better: 'higher', floor: 3.2, target: 3.2 }],
  ],
  quarter: true,
} as const;

/**
 * Init and deliveries of one, two and four processes on one PostgreSQL database, each process limited to a quarter of a
 * processor.
 */
export async function processes(folder: string, options: Options): Promise<Row[]> {
  if (!canLimitProcesses()) {
    progress('processes: not measured; control groups of Linux need root');
    return [];
  }
  return await onPostgres(async (server) => {
    const each = (kind: string) =>
      mapValues(options.smoke ? PAIR : ALL, (count) => async (sink: Sink | null = null) => {
        const database = `${kind}_${count}`;
        const settings = { SERVICE_DATABASE_URL: await server.create(database), SERVICE_BANK: 'ifthenpay' };
        return await startOurs(join(folder, database), sink, settings, count);
      });
    const inits = { ...INIT, ...LIMITED, title: `init, ${TITLE}` };
    const deliveries = { ...LIMITED, title: `deliveries, ${TITLE}` };
    return [
      ...(await compareServers(inits, each('init'), options)),
      ...(await compareSenders(deliveries, each('deliveries'), folder, options)),
    ];
  });
}
