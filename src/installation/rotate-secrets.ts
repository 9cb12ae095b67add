import { recordAudit } from '../audit/store.ts';
import type { Tx } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import { OperatorError } from '../kernel/errors.ts';
import { SEALED_PLACES, type SealedPlace } from './encrypted-columns.ts';
import { replaceSealed, sealedAfter } from './encrypted-columns-store.ts';
import { isKnownToService, settleKey } from './identity.ts';

/** Secrets that one unit looks at: payments wait for it no longer than for any other. */
const PAGE_MAX = 100;
/** Each pass finds what was sealed with the old key while the one before it ran; a service that knows the new key seals none. */
const PASSES_MAX = 5;
const UNREADABLE_NAMED_MAX = 20;

export interface RotatedSecrets {
  /** Secrets that are there. */
  secrets: number;
  /** Those that this run sealed anew. */
  renewed: number;
  /** How many opened with neither key; they stay as they are, and nothing could have read them before. */
  unreadable: number;
  /** The places of the first of them. */
  unreadablePlaces: string[];
}

type RotateDeps = Pick<Deps, 'db' | 'box' | 'clock' | 'ids' | 'actor'>;

/**
 * Seals every secret that the previous key sealed with the present one, page by page, each in a unit of its own; yields how many
 * were looked at so far. It can be broken off and begun again at any moment. When all is through it notes so, and the previous key
 * is of no more use. Throws OperatorError when there is no previous key, or when the service does not know the new one yet.
 */
export async function* rotateSecrets(
  deps: RotateDeps,
  options: { serviceStopped: boolean },
): AsyncGenerator<number, RotatedSecrets> {
  await deps.db.unit((tx) => demandBegun(tx, deps, options.serviceStopped));
  let renewed = 0;
  for (let pass = 0; pass < PASSES_MAX; pass++) {
    const seen = { secrets: 0, renewed: 0, missed: 0, unreadablePlaces: [] as string[] };
    for (const place of SEALED_PLACES) {
      let after = '';
      for (;;) {
        const page = await deps.db.unit((tx) => renewPage(tx, deps, place, after));
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
    await deps.db.unit((tx) => settle(tx, deps, { secrets, renewed }));
    const named = unreadablePlaces.slice(0, UNREADABLE_NAMED_MAX);
    return { secrets, renewed, unreadable: unreadablePlaces.length, unreadablePlaces: named };
  }
  throw new OperatorError(
    'secrets are still being sealed with the old key: a service or a command runs without the new one; end it and run this again',
  );
}

async function demandBegun(tx: Tx, { box }: RotateDeps, serviceStopped: boolean): Promise<void> {
  if (!box.hasPrevious) {
    throw new OperatorError(
      'SERVICE_SECRET_KEY_PREVIOUS is not set: to change the key, set SERVICE_SECRET_KEY to the new one and SERVICE_SECRET_KEY_PREVIOUS to the old one, start the service with both, then run this with both',
    );
  }
  if (serviceStopped || (await isKnownToService(tx, box))) return;
  throw new OperatorError(
    'the service has not been started with the new key yet and could not read what this seals; start it with SERVICE_SECRET_KEY and SERVICE_SECRET_KEY_PREVIOUS first, or give --stopped when no service runs',
  );
}

async function renewPage(tx: Tx, { box }: RotateDeps, place: SealedPlace, after: string) {
  const rows = await sealedAfter(tx, place, after, PAGE_MAX);
  const unreadable: string[] = [];
  let renewed = 0;
  // Changed by somebody else since it was read: the next pass looks at it.
  let missed = 0;
  for (const row of rows) {
    const anew = renewedOrNull(
      () => box.renew(row.sealed, place.boundTo(row.key)),
      () => {
        unreadable.push(`${place.table}.${place.column} of ${row.key}`);
      },
    );
    if (anew === null) continue;
    if (await replaceSealed(tx, place, row, anew)) renewed++;
    else missed++;
  }
  return { count: rows.length, renewed, missed, unreadable, last: rows.at(-1)?.key ?? after };
}

function renewedOrNull(renew: () => string | null, onFailure: () => void): string | null {
  try {
    return renew();
  } catch {
    onFailure();
    return null;
  }
}

async function settle(
  tx: Tx,
  deps: RotateDeps,
  details: { secrets: number; renewed: number },
): Promise<void> {
  await settleKey(tx, deps.box);
  await recordAudit(tx, deps, { action: 'secret_key.changed', merchantId: null, target: null, details });
}
