import { resolve } from 'node:path';
import type { Command } from '../command.ts';
import { runPaged } from '../paged.ts';

export const INSTALLATION: readonly Command[] = [
  {
    name: 'secrets rotate',
    usage: '[--stopped]',
    summary:
      'Re-encrypts all secrets from SERVICE_SECRET_KEY_PREVIOUS to SERVICE_SECRET_KEY while the service runs with both. Use --stopped when no service is running.',
    async run(input, cli) {
      const { rotateSecrets } = await import('../../installation/rotate-secrets.ts');
      const secrets = rotateSecrets(await cli.open(), { serviceStopped: input.on('stopped') });
      const value = await runPaged(secrets, (count) => cli.report(`${count} secrets checked`));
      const note =
        'SERVICE_SECRET_KEY_PREVIOUS can be removed now. Backups made before this rotation still need the old key.';
      if (value.unreadable === 0) return { value, note };
      const failure = `${value.unreadable} secrets cannot be decrypted with either key and are unchanged; replace them with "key roll", "webhook rotate --now", "bank set" or "user reset --totp"`;
      return { value, note, failure };
    },
  },
  {
    name: 'backup',
    usage: 'FILE',
    summary: 'Copies the database to a new file while the service runs.',
    async run(input, cli) {
      const { backUp } = await import('../../installation/backup.ts');
      const value = await backUp(await cli.open(), resolve(input.word(0)));
      const note =
        'The backup does not contain the secret key (SERVICE_SECRET_KEY, or secret.key in the data folder) and cannot be used without it. Store the key separately.';
      return { value, note };
    },
  },
  {
    name: 'migrate',
    usage: '',
    summary:
      'Updates the database schema, as the service does when it starts, and shows the applied migrations.',
    async run(_input, cli) {
      const { readConfig } = await import('../../config.ts');
      const { openDatabase } = await import('../../db/open.ts');
      let value: unknown;
      const { secrets } = readConfig(cli.env);
      const db = await openDatabase(secrets.databaseUrl, {
        onMigrated(migrated) {
          value = migrated;
        },
      });
      await db.close();
      return { value };
    },
  },
  {
    name: 'copy',
    usage: '--from URL --to URL | --from URL --undo',
    summary:
      'Copies the database of a stopped service into an empty database (sqlite:FILE or postgres://…) and compares every row. An interrupted copy resumes when you run it again. --undo makes the first database usable again, as it was when it was copied.',
    run: async (input, cli) => (await import('../copy.ts')).copy(input, cli),
  },
];
