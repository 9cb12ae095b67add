import { expect, test } from 'vitest';
import { pruneCallbacks } from '../../src/banks/prune-store.ts';
import type { Tx } from '../../src/db/database.ts';
import { pruneAnswers } from '../../src/rpc/prune-store.ts';
import { pruneDeliveryAttempts } from '../../src/webhooks/delivery/prune-store.ts';
import { explainedDatabase } from '../support/explained.ts';

test('what is old is found by a key in the order of age: no table is read from end to end, nothing is sorted', async () => {
  const { db, handle, explained } = await explainedDatabase();
  const tx = db as unknown as Tx;
  // One old row of each, so that the second statement of a batch is asked for as well.
  handle.exec(`
    pragma foreign_keys = off;
    insert into delivery_attempts (delivery_id, number, started_at) values ('dlv_00', 1, 1);
    insert into bank_hints (id, account_id, identity, params, received_at, checks_count) values ('hnt_00', 'acc_1', 'i', '{}', 1, 1);
  `);
  const longAgo = Date.UTC(2020, 0, 1);
  await pruneDeliveryAttempts(tx, longAgo, '');
  await pruneCallbacks(tx, longAgo, '');
  await pruneAnswers(tx, longAgo);
  expect(explained.map(({ plan }) => plan[0])).toEqual([
    'SEARCH delivery_attempts USING COVERING INDEX sqlite_autoindex_delivery_attempts_1 (delivery_id>? AND delivery_id<?)',
    'SEARCH delivery_attempts USING COVERING INDEX sqlite_autoindex_delivery_attempts_1 (delivery_id=?)',
    'SEARCH bank_hints USING COVERING INDEX sqlite_autoindex_bank_hints_1 (id>? AND id<?)',
    'SEARCH bank_hints USING INDEX sqlite_autoindex_bank_hints_1 (id=?)',
    'SEARCH idempotency USING INDEX sqlite_autoindex_idempotency_1 (merchant_id=? AND key=?)',
  ]);
  const details = explained.flatMap(({ plan }) => plan);
  expect(details).toContain('SEARCH idempotency USING INDEX idempotency_age (created_at<?)');
  expect(details.filter((detail) => /^SCAN |TEMP B-TREE/.test(detail))).toEqual([]);
});
