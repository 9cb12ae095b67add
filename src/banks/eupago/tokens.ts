import type { Clock } from '../../kernel/clock.ts';
import type { BankCalls } from '../calls.ts';
import type { EupagoCredentials } from './profile.ts';
import { readToken } from './wire.ts';

/** A token is replaced this long before it expires. */
const SPARE_MS = 60_000;

export type Tokens = ReturnType<typeof createTokens>;

interface CachedToken {
  token: Promise<string>;
  /** Null until the bank answers. */
  value: string | null;
  /** Infinity until the bank answers, so that concurrent calls share one request. */
  expiresAt: number;
}

/** Creates the store of tokens of the management API at `base`. */
export function createTokens(clock: Clock, ask: BankCalls['ask'], base: string) {
  const tokens = new Map<string, CachedToken>();

  function request(key: string, { clientId, clientSecret }: EupagoCredentials): Promise<string> {
    const askedAt = clock.now();
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answered = ask('token', { method: 'POST', url: `${base}/api/auth/token`, form }, readToken);
    const cached: CachedToken = {
      value: null,
      expiresAt: Number.POSITIVE_INFINITY,
      token: answered.then(
        ({ token, lifeMs }) => {
          cached.value = token;
          cached.expiresAt = askedAt + lifeMs - SPARE_MS;
          return token;
        },
        (error: unknown) => {
          cached.expiresAt = 0;
          throw error;
        },
      ),
    };
    tokens.set(key, cached);
    return cached.token;
  }

  return {
    /** Returns the token of these credentials and requests one if necessary. Throws BankUnavailable. */
    async of(credentials: EupagoCredentials): Promise<string> {
      const key = keyOf(credentials);
      const cached = tokens.get(key);
      return cached !== undefined && clock.now() < cached.expiresAt
        ? cached.token
        : request(key, credentials);
    },
    /** Discards a token that the bank refused, unless a concurrent call has already replaced it. */
    discard(credentials: EupagoCredentials, refused: string): void {
      const key = keyOf(credentials);
      if (tokens.get(key)?.value === refused) tokens.delete(key);
    },
  };
}

function keyOf({ clientId, clientSecret }: EupagoCredentials): string {
  return JSON.stringify([clientId, clientSecret]);
}
