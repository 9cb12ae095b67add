import { startPostgresServer } from '../../test/support/postgres-server.ts';

/** A PostgreSQL server with fsync. */
export interface Postgres {
  /** Creates a database and returns its URL. */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  const server = await startPostgresServer({ durable: true });
  return {
    async create(name) {
      await server.create(name);
      return server.url(name);
    },
    stop: () => server.stop(),
  };
}
