import type { Insertable, Selectable } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { MerchantBrandTable } from '../db/tables/checkout.ts';
import type { Id } from '../kernel/ids.ts';

export type BrandRow = Selectable<MerchantBrandTable>;

/** The brand of a merchant, without the logo's bytes. */
export async function brandOfMerchant(db: Queryable, id: Id<'mer'>) {
  return db
    .selectFrom('merchant_brands')
    .select(['accent', 'logo_hash'])
    .where('merchant_id', '=', id)
    .executeTakeFirst();
}

export async function findLogo(db: Queryable, hash: string) {
  return db
    .selectFrom('merchant_brands')
    .select(['logo', 'logo_type'])
    .where('logo_hash', '=', hash)
    .executeTakeFirst();
}

export async function saveBrand(
  tx: Tx,
  { merchant_id, ...changes }: Insertable<MerchantBrandTable>,
): Promise<void> {
  await tx
    .insertInto('merchant_brands')
    .values({ merchant_id, ...changes })
    .onConflict((conflict) => conflict.column('merchant_id').doUpdateSet(changes))
    .execute();
}
