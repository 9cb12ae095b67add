import { readConfig } from '../config.ts';
import type { Migrated } from '../db/migrate.ts';
import { openDatabase } from '../db/open.ts';
import type { RunAlone } from './command.ts';

export const migrate: RunAlone = async (_input, { env }) => {
  const { secrets } = readConfig(env);
  let value: Migrated | undefined;
  const onMigrated = (migrated: Migrated) => {
    value = migrated;
  };
  await (await openDatabase(secrets.databaseUrl, { onMigrated })).close();
  return { value };
};
