import { queryObjects } from 'node:v8';
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, PostgresQueryCompiler } from 'kysely';
import { expect, test } from 'vitest';
import { PostgresClusterBus } from '../../src/db/postgres/cluster-bus.ts';
import type { Tables } from '../../src/db/tables/tables.ts';
import { until } from '../support/until.ts';

test('a process that publishes for days keeps no result of its publications', async () => {
  class Result {
    readonly rows = [];
  }
  let sentCount = 0;
  const db = new Kysely<Tables>({
    dialect: {
      createAdapter: () => new PostgresAdapter(),
      createDriver: () => new DummyDriver(),
      createIntrospector: (kysely) => new PostgresIntrospector(kysely),
      createQueryCompiler: () => new PostgresQueryCompiler(),
    },
    plugins: [
      {
        transformQuery: ({ node }) => node,
        async transformResult() {
          sentCount++;
          return new Result();
        },
      },
    ],
  });
  const bus = new PostgresClusterBus(db, 'postgres://127.0.0.1/none');
  for (let count = 1; count <= 20; count++) {
    bus.publish('deliveries');
    await until(() => sentCount === count, 'the publication');
  }
  expect(queryObjects(Result, { format: 'count' })).toBeLessThan(3);
  await bus.close();
});
