import type { Queryable } from '../../db/database.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Audience } from '../../mail/worker.ts';

const READERS_MAX = 100;

/** The active operators, or the active owners of a merchant. */
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
