import { expect, test } from 'vitest';
import { folderCycles, ownershipViolations, wrongPaths } from '../../scripts/structure.ts';

test('a table written by a folder that does not own it is reported, however the statement is built', () => {
  const files = {
    'payments/store.ts': "db.insertInto('transactions').values(row)",
    'leads/store.ts': "db.updateTable('transactions').set(row)",
    'http/store.ts': 'sql`delete from receipts where id = 1`',
    'rpc/answer-store.ts': 'sql`update api_keys set secret = 1`',
    'retention/store.ts': 'db.deleteFrom(name)',
    'mail/store.ts': "db.insertInto('drafts').values(row)",
    'webhooks/store.ts': "db.selectFrom('merchants').selectAll()",
  };
  expect(ownershipViolations(new Map(Object.entries(files)))).toEqual([
    'src/leads/store.ts writes the table transactions, which belongs to payments: call a function of src/payments that writes it',
    'src/http/store.ts writes the table receipts, which belongs to payments: call a function of src/payments that writes it',
    'src/rpc/answer-store.ts writes the table api_keys, which belongs to merchants: call a function of src/merchants that writes it',
    'src/retention/store.ts writes a table that its text does not name: write the name of the table in the statement',
    'src/mail/store.ts writes the table drafts, which has no owner: add it to TABLES in scripts/structure.ts',
  ]);
});

test('folders that import each other, even types of a nested folder, are reported as a cycle', () => {
  const files = {
    'kernel/money.ts': 'export const cents = 1;',
    'db/database.ts':
      "import { cents } from '../kernel/money.ts';\nimport type { Paid } from '../payments/refunds/paid.ts';",
    'payments/refunds/paid.ts': 'export type Paid = true;',
    'payments/store.ts': "import { send } from '../webhooks/send.ts';",
    'webhooks/send.ts': "import { db } from '../db/database.ts';\nimport { other } from './other.ts';",
  };
  expect(folderCycles(new Map(Object.entries(files)))).toEqual([
    'cycle of folders: db → payments (db/database.ts → payments/refunds/paid.ts)',
    'cycle of folders: payments → webhooks (payments/store.ts → webhooks/send.ts)',
    'cycle of folders: webhooks → db (webhooks/send.ts → db/database.ts)',
  ]);
  expect(folderCycles(new Map(Object.entries({ ...files, 'db/database.ts': '' })))).toEqual([]);
});

test('a path in the map that no file has is reported', () => {
  const map =
    '`web/app/pages.ts`, ages.ts, `money.ts` in `kernel/`, LISTEN/NOTIFY, retries/ and `config-*.ts`';
  expect(wrongPaths(map, ['src/backoffice/web/app/pages.ts', 'src/kernel/money.ts'])).toEqual([
    'src/README.md names ages.ts, which does not exist',
    'src/README.md names retries/, which does not exist',
  ]);
});
