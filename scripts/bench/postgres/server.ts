import pg from 'pg';
import { startPostgresServer } from '../../../test/support/postgres-server.ts';

/** A PostgreSQL server of its own that forces every commit to disk. */
export interface Postgres {
  /** Makes a database; resolves to its address. */
  create(name: string): Promise<string>;
  stop(): Promise<void>;
}

export async function startPostgres(): Promise<Postgres> {
  const server = await startPostgresServer({ durable: true });
  return {
    async create(name) {
      const admin = new pg.Client({ connectionString: server.url('postgres') });
      await admin.connect();
      await admin.query(`create database ${name}`);
      await admin.end();
      return server.url(name);
    },
    stop: () => server.stop(),
  };
}
