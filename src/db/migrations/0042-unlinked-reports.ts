import { type Kysely, sql } from 'kysely';

/** Finds the open reports of refunds that name no receipt by the bank's id of their payment. It only adds. */
export async function up(db: Kysely<unknown>): Promise<void> {
  await sql`create index if not exists reported_refunds_unlinked on reported_refunds (request_id)
    where settled_at is null and receipt_id is null`.execute(db);
}
