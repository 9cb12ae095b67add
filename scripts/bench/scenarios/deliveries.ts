import { join } from 'node:path';
import { startPostgresServer } from '../../../test/support/postgres-server.ts';
import type { RatioOf } from '../comparison.ts';
import { compareSenders, type StartSender } from '../delivery/race.ts';
import { startLoop, startOurs, startPgBoss } from '../delivery/senders.ts';
import { chosen, PEERS } from '../options.ts';
import { requirePgBoss } from '../packages.ts';
import type { Scenario } from '../types.ts';

const NAME = 'deliveries';
const RATIOS: readonly RatioOf[] = [
  ['ours', 'loop', { better: 'higher', floor: 0.3, target: 0.5 }],
  ['ours', 'pg-boss', { better: 'higher', floor: 1.5, target: 2.5 }],
];

/** Deliveries per second from a full queue to one endpoint over TLS. */
export const deliveries: Scenario = {
  name: NAME,
  async run(folder, options) {
    const peers: { name: string; start: StartSender }[] = [
      { name: 'ours', start: (sink) => startOurs(join(folder, 'ours'), sink) },
      { name: 'loop', start: startLoop },
      {
        name: 'pg-boss',
        async start(sink) {
          const server = await startPostgresServer({ durable: true });
          const sender = await startPgBoss(await server.create('boss'), sink);
          return { ...sender, stop: () => sender.stop().then(server.stop) };
        },
      },
    ];
    const able = chosen(peers, options.peers, PEERS).filter(
      ({ name }) => name !== 'pg-boss' || requirePgBoss(options),
    );
    const starts = able.map(({ start }) => start);
    return await compareSenders({ title: NAME, starts, ratios: RATIOS }, folder, options);
  },
};
