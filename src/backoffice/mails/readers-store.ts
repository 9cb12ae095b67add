import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';

const READERS_MAX = 100;

/** The active owners of a merchant. */
export async function activeOwners(db: Queryable, merchantId: Id<'mer'>): Promise<Id<'usr'>[]> {
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select('users.id')
    .where('memberships.merchant_id', '=', merchantId)
    .where('memberships.role', '=', 'owner')
    .where('users.active', '=', 1)
    .orderBy('users.id')
    .limit(READERS_MAX)
    .execute();
  return rows.map(({ id }) => id);
}

/** The active operators. */
export async function activeOperators(db: Queryable): Promise<Id<'usr'>[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('operator', '=', 1)
    .where('active', '=', 1)
    .orderBy('id')
    .limit(READERS_MAX)
    .execute();
  return rows.map(({ id }) => id);
}
