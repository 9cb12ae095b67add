import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';

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
