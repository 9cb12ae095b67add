import type { Tx } from '../../db/database.ts';
import type { UserLinkTable } from '../../db/tables/backoffice.ts';
import type { Deps } from '../../deps.ts';
import { clearEndedLinks, insertLink } from './link-store.ts';
import { hashToken, newToken } from './tokens.ts';

const LINK_MS = 24 * 3_600_000;
/** The token stands behind the `#`: browsers keep that part to themselves, and no server writes it into a log. */
const LINK_PATH = '/backoffice/link#';

/** Makes a link that can be used once, within 24 h. Resolves to its path, which is told to nobody else. */
export async function makeLink(
  tx: Tx,
  deps: Pick<Deps, 'clock' | 'random'>,
  link: Pick<UserLinkTable, 'user_id' | 'kind' | 'merchant_id' | 'role' | 'totp'>,
): Promise<string> {
  const now = deps.clock.now();
  const token = newToken(deps.random);
  await clearEndedLinks(tx, now);
  await insertLink(tx, {
    ...link,
    token_hash: hashToken(token),
    created_at: now,
    expires_at: now + LINK_MS,
    used_at: null,
  });
  return LINK_PATH + token;
}
