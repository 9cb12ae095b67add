import type { Tables } from '../db/tables/tables.ts';

/** A column of encrypted secrets. A new one must be added here, or key rotation loses its secrets. */
export interface EncryptedColumn {
  readonly table: keyof Tables;
  readonly column: string;
  /** The column that identifies a row. */
  readonly key: string;
  /** When only some rows hold a secret: their keys. */
  readonly only?: readonly string[];
  /** The context that the secret of a row is bound to; see `SecretBox`. */
  readonly boundTo: (key: string) => string;
}

const byId = (table: keyof Tables, column: string, name = column): EncryptedColumn => ({
  table,
  column,
  key: 'id',
  boundTo: (id) => `${table}.${name}:${id}`,
});

/** All encrypted columns except the check text of the key, which `identity.ts` manages. */
export const ENCRYPTED_COLUMNS: readonly EncryptedColumn[] = [
  byId('merchants', 'webhook_secret'),
  byId('merchants', 'previous_webhook_secret', 'webhook_secret'),
  byId('api_keys', 'secret'),
  byId('bank_accounts', 'credentials'),
  byId('refunds', 'iban'),
  byId('checkout_sessions', 'token'),
  byId('payment_links', 'token'),
  byId('mails', 'link'),
  byId('users', 'totp_secret'),
  byId('users', 'totp_pending', 'totp_secret'),
  { table: 'meta', column: 'value', key: 'key', only: ['demo_login'], boundTo: (key) => `meta.${key}` },
];
