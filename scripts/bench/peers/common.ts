import { bareServer } from './bare-server.ts';

/** The same payment, with key, validation, domain and lead, as it is commonly written. */
export const plain = bareServer({
  name: 'plain',
  about: 'Fastify, zod and Kysely on SQLite, a commit for each request',
  file: './servers/plain.ts',
  table: 'transactions',
  packaged: true,
});

export const stock = bareServer({
  name: 'stock',
  about: "a tRPC router behind trpc-to-openapi's own handler, Kysely, a commit for each request",
  file: './servers/stock.ts',
  table: 'transactions',
  packaged: true,
});

export const express = bareServer({
  name: 'express',
  about: 'Express, zod and SQL by hand on better-sqlite3, a commit for each request',
  file: './servers/express.ts',
  table: 'transactions',
  packaged: true,
});
