import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import { ENCRYPTED_COLUMNS, type EncryptedColumn } from './encrypted-columns.ts';
import { replaceSecret, secretsAfter } from './encrypted-columns-store.ts';
import { beginKeyChange, isKnownToService, settleKey } from './identity.ts';

/** Secrets per transaction; payments wait for the transaction. */
const PAGE_MAX = 100;
/** Passes over all secrets; each finds what was encrypted with the old key during the pass before. */
const PASSES_MAX = 5;
const UNREADABLE_NAMED_MAX = 20;

type RotateDeps = Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'actor'>;

/**
 * Encrypts every secret of the previous key with the current one, one transaction per page; yields the number of secrets checked
 * so far. Secrets that neither key decrypts stay as they are; the first of them are returned. Can be interrupted and repeated at
 * any time. At the end it records that the previous key is no longer needed. Throws OperatorError when there is no previous key, or
 * when the service does not know the new one yet.
 */
export async function* rotateSecrets(deps: RotateDeps, options: { serviceStopped: boolean }) {
  await deps.db.unit((tx) => requireStarted(tx, deps, options.serviceStopped));
  let renewed = 0;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const seen = { secrets: 0, renewed: 0, missed: 0, unreadablePlaces: [] as string[] };
    for (const column of ENCRYPTED_COLUMNS) {
      let after = '';
      for (;;) {
        const page = await deps.db.unit((tx) => renewPage(tx, deps, column, after));
        seen.secrets += page.count;
        seen.renewed += page.renewed;
        seen.missed += page.missed;
        seen.unreadablePlaces.push(...page.unreadable);
        yield seen.secrets;
        if (page.count < PAGE_MAX) break;
        after = page.last;
      }
    }
    renewed += seen.renewed;
    if (seen.renewed + seen.missed > 0) continue;
    const { secrets, unreadablePlaces } = seen;
    const details = { secrets, renewed };
    await deps.db.unit(async (tx) => {
      await settleKey(tx, deps.box);
      await recordAudit(tx, deps, { action: 'secret_key.changed', merchantId: null, target: null, details });
    });
    const named = unreadablePlaces.slice(0, UNREADABLE_NAMED_MAX);
    return { secrets, renewed, unreadable: unreadablePlaces.length, unreadablePlaces: named };
  }
  throw new OperatorError(
    'secrets are still being encrypted with the old key: a service or a command runs without the new one; stop it and run this again',
  );
}

async function requireStarted(tx: Tx, { box }: RotateDeps, serviceStopped: boolean): Promise<void> {
  if (!box.hasPrevious) {
    throw new OperatorError(
      'SERVICE_SECRET_KEY_PREVIOUS is not set: to change the key, set SERVICE_SECRET_KEY to the new one and SERVICE_SECRET_KEY_PREVIOUS to the old one, start the service with both, then run this with both',
    );
  }
  if (await isKnownToService(tx, box)) return;
  if (serviceStopped) return await beginKeyChange(tx, box);
  throw new OperatorError(
    'the service has not been started with the new key yet and could not read what this encrypts; start it with SERVICE_SECRET_KEY and SERVICE_SECRET_KEY_PREVIOUS first, or give --stopped when no service runs',
  );
}

async function renewPage(tx: Tx, { box }: RotateDeps, column: EncryptedColumn, after: string) {
  const rows = await secretsAfter(tx, column, after, PAGE_MAX);
  const unreadable: string[] = [];
  let renewed = 0;
  // Changed since it was read; the next pass checks it.
  let missed = 0;
  for (const row of rows) {
    let encrypted: string | null;
    try {
      encrypted = box.renew(row.encrypted, column.boundTo(row.key));
    } catch {
      unreadable.push(`${column.table}.${column.column} of ${row.key}`);
      continue;
    }
    if (encrypted === null) continue;
    if (await replaceSecret(tx, column, row, encrypted)) renewed++;
    else missed++;
  }
  return { count: rows.length, renewed, missed, unreadable, last: rows.at(-1)?.key ?? after };
}
