import { bareServer } from './bare-server.ts';

/** What one Node process can do at all: the least work that still is a durable payment. */
export const limit = bareServer({
  name: 'limit',
  about: 'bare node:http, SQL by hand on better-sqlite3, shared commits, one insert, no validation, no key',
  file: './limit-server.ts',
  table: 'payments',
});
