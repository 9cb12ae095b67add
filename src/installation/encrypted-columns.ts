import type { Tables } from '../db/tables/tables.ts';

/** A column of sealed secrets. Whoever adds one adds it here, or it is lost when the key is changed. */
export interface SealedPlace {
  readonly table: keyof Tables;
  readonly column: string;
  /** The column that tells its rows apart. */
  readonly key: string;
  /** When only some rows hold a secret: their keys. */
  readonly only?: readonly string[];
  /** What the secret of a row is bound to; see `SecretBox`. */
  readonly boundTo: (key: string) => string;
}

const byId = (table: keyof Tables, column: string, name = column): SealedPlace => ({
  table,
  column,
  key: 'id',
  boundTo: (id) => `${table}.${name}:${id}`,
});

/** Every sealed place but the proof of the key itself, which tells whether the others have been renewed. */
export const SEALED_PLACES: readonly SealedPlace[] = [
  byId('merchants', 'webhook_secret'),
  byId('merchants', 'previous_webhook_secret', 'webhook_secret'),
  byId('api_keys', 'secret'),
  byId('bank_accounts', 'credentials'),
  byId('users', 'totp_secret'),
  byId('users', 'totp_pending', 'totp_secret'),
  { table: 'meta', column: 'value', key: 'key', only: ['demo_login'], boundTo: (key) => `meta.${key}` },
];
