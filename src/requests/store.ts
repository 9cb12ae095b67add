import type { Tx } from '../db/database.ts';
import { namesOf, type RecordColumns, recordsOf, selectRecords } from '../db/recordset.ts';
import type { ApiRequestTable } from '../db/tables/requests.ts';

const COLUMNS = {
  id: 'text',
  merchant_id: 'text',
  key_id: 'text',
  at: 'bigint',
  method: 'text',
  path: 'text',
  status: 'bigint',
  code: 'text',
  duration_ms: 'bigint',
  idempotent: 'bigint',
  transaction_id: 'text',
  skipped_count: 'bigint',
} as const satisfies RecordColumns & Record<keyof ApiRequestTable, unknown>;

export async function insertRequests(tx: Tx, rows: readonly ApiRequestTable[]): Promise<void> {
  await tx
    .insertInto('api_requests')
    .columns(namesOf(COLUMNS))
    .expression(selectRecords(tx, recordsOf(rows), COLUMNS))
    .execute();
}
