import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import type { SigningSecrets } from '../signature.ts';

/** What a merchant's row says of its secrets; sealed. */
export interface SealedSecrets {
  webhook_secret: string;
  previous_webhook_secret: string | null;
  /** UTC milliseconds. */
  previous_secret_until: number | null;
}

/** Which secrets sign an attempt made at `now`: after a rotation both, until its overlap ends or is ended. */
export function secretsAt(
  sealed: SealedSecrets,
  now: number,
  open: (sealed: string) => string,
): SigningSecrets {
  const { previous_webhook_secret: previous, previous_secret_until: until } = sealed;
  const current = open(sealed.webhook_secret);
  return previous !== null && until !== null && now < Number(until)
    ? { current, previous: open(previous) }
    : { current };
}

const CACHED_MAX = 1000;

/** Opens merchants' webhook secrets, keeping the last opened ones by their sealed text. Throws when one does not open. */
export function createSecretReader(
  deps: Pick<Deps, 'box'>,
): (merchantId: Id<'mer'>, sealed: string) => string {
  const opened = new Map<string, string>();
  return (merchantId, sealed) => {
    const known = opened.get(sealed);
    if (known !== undefined) return known;
    const secret = deps.box.open(sealed, `merchants.webhook_secret:${merchantId}`);
    if (opened.size >= CACHED_MAX) opened.clear();
    opened.set(sealed, secret);
    return secret;
  };
}
