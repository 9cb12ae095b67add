import { expect, test } from 'vitest';
import { ownershipViolations } from '../../scripts/table-owners.ts';

test('a table written by a folder that does not own it is reported, however the statement is built', () => {
  const files = {
    'payments/store.ts': "db.insertInto('transactions').values(row)",
    'leads/store.ts': "db.updateTable('transactions').set(row)",
    'http/store.ts': 'sql`delete from receipts where id = 1`',
    'rpc/answer-store.ts': 'sql`update api_keys set secret = 1`',
    'retention/store.ts': 'db.deleteFrom(name)',
    'webhooks/store.ts': "db.selectFrom('merchants').selectAll()",
  };
  expect(ownershipViolations(new Map(Object.entries(files)))).toEqual([
    'src/leads/store.ts writes the table transactions, which belongs to payments',
    'src/http/store.ts writes the table receipts, which belongs to payments',
    'src/rpc/answer-store.ts writes the table api_keys, which belongs to merchants',
    'src/retention/store.ts writes the table *, which belongs to no folder',
  ]);
});
