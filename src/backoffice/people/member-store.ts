import { sql } from 'kysely';
import type { Queryable, Tx } from '../../db/database.ts';
import type { Role } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';

/** What a user is at a merchant; null when nothing, also when there is no such merchant. */
export async function findRole(
  db: Queryable,
  userId: Id<'usr'>,
  merchantId: Id<'mer'>,
): Promise<Role | null> {
  const row = await db
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.role ?? null;
}

/** A merchant's name; null when there is no such merchant. */
export async function findMerchantName(db: Queryable, merchantId: Id<'mer'>): Promise<string | null> {
  const row = await db.selectFrom('merchants').select('name').where('id', '=', merchantId).executeTakeFirst();
  return row?.name ?? null;
}

const MEMBERSHIPS_MAX = 500;

/** The merchants of a user, by name. */
export async function listMemberships(
  db: Queryable,
  userId: Id<'usr'>,
): Promise<{ merchantId: Id<'mer'>; name: string; role: Role }[]> {
  return await db
    .selectFrom('memberships')
    .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
    .select(['merchants.id as merchantId', 'merchants.name as name', 'memberships.role as role'])
    .where('memberships.user_id', '=', userId)
    .orderBy('merchants.name')
    .orderBy('merchants.id')
    .limit(MEMBERSHIPS_MAX)
    .execute();
}

/** Merchants whose name holds `text` (in any case) or whose id it is; newest first, before the id given. */
export async function merchantsLike(
  db: Queryable,
  search: { text: string; before: string | null; limit: number },
): Promise<{ id: Id<'mer'>; name: string; active: 0 | 1; hold: 0 | 1 }[]> {
  let query = db.selectFrom('merchants').select(['id', 'name', 'active', 'hold']);
  const { text } = search;
  if (text !== '') {
    const pattern = `%${text.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    query = query.where((eb) =>
      eb.or([
        eb('id', '=', text as Id<'mer'>),
        sql<boolean>`lower(${eb.ref('name')}) like ${pattern} escape '\\'`,
      ]),
    );
  }
  if (search.before !== null) query = query.where('id', '<', search.before as Id<'mer'>);
  return await query.orderBy('id', 'desc').limit(search.limit).execute();
}

/** The members of a merchant, by e-mail. */
export async function listMembers(
  db: Queryable,
  merchantId: Id<'mer'>,
): Promise<
  {
    userId: Id<'usr'>;
    email: string;
    role: Role;
    totp: string | null;
    createdAt: number;
    signedInAt: number | null;
  }[]
> {
  return await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select([
      'users.id as userId',
      'users.email as email',
      'memberships.role as role',
      'users.totp_secret as totp',
      'memberships.created_at as createdAt',
      'users.signed_in_at as signedInAt',
    ])
    .where('memberships.merchant_id', '=', merchantId)
    .orderBy('users.email')
    .execute();
}

/** Takes the merchant's lock, so that changes of its team happen one after the other; false when there is no such merchant. */
export async function lockTeam(tx: Tx, merchantId: Id<'mer'>): Promise<boolean> {
  const result = await tx
    .updateTable('merchants')
    .set((eb) => ({ name: eb.ref('name') }))
    .where('id', '=', merchantId)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/** Makes a user a member; the role of one that is a member already stays, and the answer is false. */
export async function insertMember(
  tx: Tx,
  member: { user_id: Id<'usr'>; merchant_id: Id<'mer'>; role: Role; created_at: number },
): Promise<boolean> {
  const result = await tx
    .insertInto('memberships')
    .values(member)
    .onConflict((conflict) => conflict.columns(['user_id', 'merchant_id']).doNothing())
    .executeTakeFirst();
  return result.numInsertedOrUpdatedRows === 1n;
}

export async function updateMember(
  tx: Tx,
  userId: Id<'usr'>,
  merchantId: Id<'mer'>,
  role: Role,
): Promise<void> {
  await tx
    .updateTable('memberships')
    .set({ role })
    .where('user_id', '=', userId)
    .where('merchant_id', '=', merchantId)
    .execute();
}

export async function deleteMember(tx: Tx, userId: Id<'usr'>, merchantId: Id<'mer'>): Promise<void> {
  await tx
    .deleteFrom('memberships')
    .where('user_id', '=', userId)
    .where('merchant_id', '=', merchantId)
    .execute();
}

/** The memberships of several users. */
export async function membershipsOf(
  db: Queryable,
  userIds: readonly Id<'usr'>[],
): Promise<{ userId: Id<'usr'>; merchantId: Id<'mer'>; name: string; role: Role }[]> {
  if (userIds.length === 0) return [];
  return await db
    .selectFrom('memberships')
    .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
    .select([
      'memberships.user_id as userId',
      'merchants.id as merchantId',
      'merchants.name as name',
      'memberships.role as role',
    ])
    .where('memberships.user_id', 'in', userIds)
    .orderBy('merchants.name')
    .limit(MEMBERSHIPS_MAX)
    .execute();
}
