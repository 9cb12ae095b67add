import { sql } from 'kysely';
import type { Tx } from '../db/database.ts';
import { prepared } from '../db/prepared.ts';
import { namesOf, recordset, recordsOf } from '../db/recordset.ts';
import { localSettings } from '../db/row-locks.ts';
import { distinctLeads, type leadOf, upsertRecords } from '../leads/record.ts';
import { NEW_COLUMNS, type NewTransaction } from './store.ts';
import { createdSums } from './totals.ts';
import { upsertDays } from './totals-store.ts';

/** A new transaction and the lead that its customer becomes; null without an address or number. */
export interface NewOrder {
  readonly lead: ReturnType<typeof leadOf>;
  readonly transaction: NewTransaction;
}

const NEW_NAMES = namesOf(NEW_COLUMNS);

/**
 * For PostgreSQL, where each statement is a round trip: stores the orders of all units that share a commit, with their leads and
 * the sums of the day.
 */
export async function storeOrders(tx: Tx, orders: readonly NewOrder[]): Promise<void> {
  await insertOrders(tx, {
    leads: recordsOf(distinctLeads(orders.flatMap(({ lead }) => lead ?? []))),
    transactions: recordsOf(
      orders.map(({ lead, transaction }) => ({ ...transaction, identity: lead?.identity ?? null })),
    ),
    days: recordsOf(createdSums(orders.map(({ transaction }) => transaction))),
  });
}

/**
 * The condition makes PostgreSQL write the leads first and the sums last, as everywhere, so that transactions do not deadlock.
 * The statement may run without BEGIN.
 */
const insertOrders = prepared(
  (db, { leads, transactions, days }: { leads: string; transactions: string; days: string }) => {
    const given = recordset(db, transactions, { ...NEW_COLUMNS, identity: 'text' });
    const inserted = db
      .insertInto('transactions')
      .columns([...NEW_NAMES, 'lead_id', 'status', 'held', 'events_count'])
      .expression(
        sql<never>`select ${sql.join(NEW_NAMES.map((name) => sql.ref(`given.${name}`)))}, lead.id, 'pending', 0, 0
          from ${given} left join lead on lead.merchant_id = given.merchant_id and lead.identity = given.identity
          where ${localSettings}`,
      )
      .returning('id');
    const summed = upsertDays(db, days, sql`(select count(*) from inserted) >= 0`);
    return sql`with lead as (${upsertRecords(db, leads)}), inserted as (${inserted}) ${summed}`;
  },
);
