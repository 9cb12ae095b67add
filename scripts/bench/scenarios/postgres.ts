import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { compare } from '../comparison.ts';
import { race } from '../delivery/race.ts';
import { startOurs } from '../delivery/senders.ts';
import { startSink } from '../delivery/sink.ts';
import type { Options } from '../options.ts';
import { type CreateDatabase, chosenPeers, limit, ours } from '../peers.ts';
import { type Postgres, startPostgres } from '../postgres.ts';
import type { Scenario, ScenarioResult } from '../types.ts';
import { deliveryResult } from './deliveries.ts';
import { INIT, STATUS } from './http.ts';

const NAME = 'postgres';
/** Init, status and deliveries of one process on a PostgreSQL server with fsync. */
export const postgres: Scenario = {
  name: NAME,
  async run(folder, options) {
    const server = await startPostgres();
    try {
      const results: ScenarioResult[] = [];
      for (const comparison of [INIT, STATUS]) {
        const { scenario } = comparison;
        const own = join(folder, scenario);
        mkdirSync(own);
        const createDatabase: CreateDatabase = (name) => server.create(`${scenario}_${name}`);
        const peers = chosenPeers([ours(createDatabase), limit(createDatabase)], options);
        const named = { scenario: NAME, title: `PostgreSQL ${scenario}`, threshold: null };
        results.push(await compare({ ...comparison, ...named, peers }, own, options));
      }
      results.push(await deliver(server, join(folder, 'deliveries'), options));
      return {
        text: results.map(({ text }) => text).join('\n\n'),
        ratios: results.flatMap(({ ratios }) => ratios),
        figures: results.flatMap(({ figures }) => figures),
      };
    } finally {
      await server.stop();
    }
  },
};

async function deliver(server: Postgres, folder: string, options: Options): Promise<ScenarioResult> {
  mkdirSync(folder);
  const sink = await startSink(folder);
  const sender = await startOurs(join(folder, 'ours'), sink, await server.create('deliveries'));
  try {
    return deliveryResult(NAME, 'PostgreSQL deliveries', await race([sender], sink, options), options);
  } finally {
    await sender.stop();
    await sink.stop();
  }
}
