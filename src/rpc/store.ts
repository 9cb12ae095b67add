import { sql } from 'kysely';
import { isPostgres, type Queryable, type Tx } from '../db/database.ts';
import { gathered } from '../db/gather.ts';
import { queryByIds } from '../db/list-queries.ts';
import { prepared } from '../db/prepared.ts';
import { SerializationConflict } from '../db/row-locks.ts';
import type { Instant } from '../db/tables/columns.ts';
import type { Id } from '../kernel/ids.ts';

type KeyRow = Awaited<ReturnType<typeof byHash>>[number] & {
  /** The patterns of the merchant's store domains, null without any; absent on SQLite, where a separate query is cheap. */
  readonly domains?: string[] | null;
};

/** Returns the key with this SHA-256 `hash` (lower-case hex) and its merchant, if it works at `now`. */
export async function findKey(db: Queryable, hash: string, now: Instant): Promise<KeyRow | undefined> {
  const [row]: KeyRow[] = isPostgres(db) ? await byHashTogether(db, { hash }) : await byHash(db, { hash });
  if (row === undefined || (row.expiresAt !== null && row.expiresAt <= now)) return undefined;
  return row;
}

const OF_KEY = [
  'api_keys.hash',
  'api_keys.id as keyId',
  'api_keys.last_used_at as lastUsedAt',
  'api_keys.expires_at as expiresAt',
] as const;
const OF_MERCHANT = [
  'merchants.id',
  'merchants.name',
  'merchants.active',
  'merchants.first_paid_at as firstPaidAt',
] as const;

const byHash = prepared(
  (db, { hash }: { hash: string }) =>
    db
      .selectFrom('api_keys')
      .innerJoin('merchants', 'merchants.id', 'api_keys.merchant_id')
      .select(OF_KEY)
      .select(OF_MERCHANT)
      .where('api_keys.hash', '=', hash),
  { oncePerSnapshot: true },
);

const byHashes = prepared((db, { hashes }: { hashes: readonly string[] }) =>
  db
    .selectFrom('api_keys')
    // Reads each merchant by its id; with a plain join, PostgreSQL would read all merchants.
    .innerJoinLateral(
      (own) =>
        own
          .selectFrom('merchants')
          .select(OF_MERCHANT)
          .select((of) =>
            of
              .selectFrom('store_domains')
              .select(sql<string[]>`array_agg(domain)`.as('domains'))
              .whereRef('store_domains.merchant_id', '=', 'merchants.id')
              .as('domains'),
          )
          .whereRef('merchants.id', '=', 'api_keys.merchant_id')
          .limit(sql.lit(1))
          .as('merchant'),
      (join) => join.onTrue(),
    )
    .select(OF_KEY)
    .select(['merchant.id', 'merchant.name', 'merchant.active', 'merchant.firstPaidAt'])
    .select('merchant.domains')
    .where('api_keys.hash', '=', sql<string>`any(${hashes}::text[])`),
);

/** Runs `byHash` once for all calls of one event-loop turn. */
const byHashTogether = gathered(
  (db, keys: readonly { hash: string }[]) => byHashes(db, { hashes: keys.map(({ hash }) => hash) }),
  ({ hash }) => hash,
);

/** The shortest time between two updates of a key's last use. */
export const LAST_USED_INTERVAL_MS = 60_000;

export interface KeyUse {
  readonly id: Id<'key'>;
  readonly merchant_id: Id<'mer'>;
  readonly usedAt: Instant;
}

/** Records the uses of keys, except of keys with a recent recorded use or a row that another process has locked. */
export async function touchKeys(tx: Tx, uses: readonly KeyUse[]): Promise<void> {
  const usedAt = Math.max(...uses.map((use) => use.usedAt));
  await touched(tx, uses, { usedAt, since: usedAt - LAST_USED_INTERVAL_MS });
}

const touched = queryByIds((db, isListed, { usedAt, since }: { usedAt: Instant; since: Instant }) =>
  db
    .updateTable('api_keys')
    .set({ last_used_at: usedAt })
    .where('id', 'in', (keys) =>
      keys
        .selectFrom('api_keys')
        .select('id')
        .where(isListed('id', 'merchant_id'))
        .where((key) => key.or([key('last_used_at', 'is', null), key('last_used_at', '<=', since)]))
        .forUpdate()
        .skipLocked(),
    ),
);

/** Returns the answer stored under this key after `since`. */
export async function findAnswer(db: Queryable, merchantId: Id<'mer'>, key: string, since: Instant) {
  return await db
    .selectFrom('idempotency')
    .select(['fingerprint', 'response'])
    .where('merchant_id', '=', merchantId)
    .where('key', '=', key)
    .where('created_at', '>', since)
    .executeTakeFirst();
}

/**
 * Stores an answer and replaces an expired answer under the same key. Throws SerializationConflict when another process stored
 * one concurrently: an answer is never overwritten.
 */
export async function putAnswer(
  tx: Tx,
  merchantId: Id<'mer'>,
  key: string,
  answer: { fingerprint: string; response: string },
  now: Instant,
  expiredAt: Instant,
): Promise<void> {
  const row = { ...answer, created_at: now };
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('idempotency')
    .values({ merchant_id: merchantId, key, ...row })
    .onConflict((conflict) =>
      conflict
        .columns(['merchant_id', 'key'])
        .doUpdateSet(row)
        .where('idempotency.created_at', '<=', expiredAt),
    )
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 0n)
    throw new SerializationConflict(`another call with the same key was faster`);
}
