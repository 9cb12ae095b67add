import { createHash } from 'node:crypto';
import type { Random } from '../../kernel/random.ts';

const TOKEN_BYTES = 32;

/** A new secret of 256 bits for a cookie or a link, as text that a URL carries unchanged. */
export function newToken(random: Random): string {
  return random(TOKEN_BYTES).toString('base64url');
}

/** What is stored of a token: enough to know it again, useless to whoever reads the database. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('hex');
}
