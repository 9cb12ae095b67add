import { type PostgresServer, startPostgresServer } from '../../test/support/postgres-server.ts';
import type { ScenarioResult } from './types.ts';

/** Runs measurements on a PostgreSQL server with fsync and joins their results. */
export async function onPostgres(
  measure: (server: PostgresServer) => Promise<ScenarioResult[]>,
): Promise<ScenarioResult> {
  const server = await startPostgresServer({ durable: true });
  try {
    const results = await measure(server);
    return {
      text: results.flatMap(({ text }) => text ?? []).join('\n\n'),
      ratios: results.flatMap(({ ratios }) => ratios),
      figures: results.flatMap(({ figures }) => figures),
    };
  } finally {
    await server.stop();
  }
}
