import { hash } from 'node:crypto';
import type { ApiKeyTable } from '../db/tables/merchants.ts';
import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import type { Random } from '../kernel/random.ts';
import { selectKeys } from './store.ts';

const SECRET_BYTES = 32;
/** The newest keys among which the current one is. */
const KEYS_MAX = 100;

/** Creates a webhook secret: `whsec_` and base64 of 32 bytes. */
export function newWebhookSecret(random: Random): string {
  return `whsec_${random(SECRET_BYTES).toString('base64')}`;
}

/** Creates an API key (`sk_` and base64url of 32 bytes) with its row, which holds the hash and the encrypted key. */
export function newApiKey(
  deps: Pick<Deps, 'clock' | 'ids' | 'random' | 'box'>,
  merchantId: Id<'mer'>,
): { apiKey: string; row: ApiKeyTable } {
  const id = deps.ids('key');
  const apiKey = `sk_${deps.random(SECRET_BYTES).toString('base64url')}`;
  return {
    apiKey,
    row: {
      id,
      merchant_id: merchantId,
      hash: hash('sha256', apiKey, 'hex'),
      secret: deps.box.encrypt(apiKey, `api_keys.secret:${id}`),
      name: null,
      created_at: deps.clock.now(),
      expires_at: null,
      last_used_at: null,
    },
  };
}

/** Decrypts the merchant's newest key without name and expiry; null when there is none. */
export async function revealApiKey(
  deps: Pick<Deps, 'db' | 'box'>,
  merchantId: Id<'mer'>,
): Promise<string | null> {
  const keys = await selectKeys(deps.db.read, merchantId, KEYS_MAX);
  const row = keys.find(({ name, expires_at }) => name === null && expires_at === null);
  return row === undefined ? null : deps.box.decrypt(row.secret, `api_keys.secret:${row.id}`);
}
