import type { Queryable, Tx } from '../../db/database.ts';
import type { Role } from '../../db/tables/backoffice.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Audience } from '../../mail/worker.ts';
import { A_PASSKEY } from './passkey-store.ts';

/** The role of a user at a merchant; null when there is none. */
export async function findRole(db: Queryable, userId: Id<'usr'>, merchantId: Id<'mer'>) {
  const row = await db
    .selectFrom('memberships')
    .select('role')
    .where('user_id', '=', userId)
    .where('merchant_id', '=', merchantId)
    .executeTakeFirst();
  return row?.role ?? null;
}

const MEMBERSHIPS_PER_USER_MAX = 500;

/** The memberships of several users, by merchant name. */
export async function listMemberships(db: Queryable, userIds: readonly Id<'usr'>[]) {
  if (userIds.length === 0) return [];
  const rows = await db
    .selectFrom('memberships')
    .innerJoin('merchants', 'merchants.id', 'memberships.merchant_id')
    .select(['memberships.user_id as userId', 'memberships.role as role'])
    .select(['merchants.id as merchantId', 'merchants.name as name', 'merchants.active as active'])
    .where('memberships.user_id', 'in', userIds)
    .orderBy('merchants.name')
    .orderBy('merchants.id')
    .limit(MEMBERSHIPS_PER_USER_MAX * userIds.length)
    .execute();
  return rows.map((row) => ({ ...row, active: row.active === 1 }));
}

/** The members of a merchant, by e-mail. */
export async function listMembers(db: Queryable, merchantId: Id<'mer'>) {
  return await db
    .selectFrom('memberships')
    .innerJoin('users', 'users.id', 'memberships.user_id')
    .select(['users.id as userId', 'users.email as email', 'users.totp_secret as totp'])
    .select(['memberships.role as role', 'users.signed_in_at as signedInAt', A_PASSKEY.as('passkey')])
    .where('memberships.merchant_id', '=', merchantId)
    .orderBy('users.email')
    .execute();
}

/** Adds a member; false, without a change of role, when the user is one already. */
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

const READERS_MAX = 100;

export async function activeReaders(db: Queryable, audience: Audience): Promise<Id<'usr'>[]> {
  const users = db.selectFrom('users').select('id').where('active', '=', 1);
  const chosen =
    audience === 'operators'
      ? users.where('operator', '=', 1)
      : users.where('id', 'in', (eb) =>
          eb
            .selectFrom('memberships')
            .select('user_id')
            .where('merchant_id', '=', audience.merchantId)
            .where('role', '=', 'owner'),
        );
  const rows = await chosen.orderBy('id').limit(READERS_MAX).execute();
  return rows.map(({ id }) => id);
}
