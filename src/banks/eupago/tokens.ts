import type { Clock } from '../../kernel/clock.ts';
import type { BankCalls } from '../calls.ts';
import type { EupagoCredentials } from './profile.ts';
import { readToken } from './wire.ts';

/** A token is replaced this long before it lapses. */
const SPARE_MS = 60_000;

/** Bearer tokens of the management API. */
export type Tokens = ReturnType<typeof createTokens>;

interface Kept {
  token: Promise<string>;
  /** Infinity until the bank answers, so that concurrent calls share one request. */
  lapsesAt: number;
}

/** Creates the store of tokens of the management API at `base`. */
export function createTokens(clock: Clock, ask: BankCalls['ask'], base: string) {
  const tokens = new Map<string, Kept>();

  function request(key: string, { clientId, clientSecret }: EupagoCredentials): Promise<string> {
    const askedAt = clock.now();
    const form = { grant_type: 'client_credentials', client_id: clientId, client_secret: clientSecret };
    const answered = ask('token', { method: 'POST', url: `${base}/api/auth/token`, form }, readToken);
    const kept: Kept = {
      lapsesAt: Number.POSITIVE_INFINITY,
      token: answered.then(
        ({ token, lifeMs }) => {
          kept.lapsesAt = askedAt + lifeMs - SPARE_MS;
          return token;
        },
        (error: unknown) => {
          kept.lapsesAt = 0;
          throw error;
        },
      ),
    };
    tokens.set(key, kept);
    return kept.token;
  }

  return {
    /** Returns the token of these credentials and requests one if necessary. Throws BankUnavailable. */
    async of(credentials: EupagoCredentials): Promise<string> {
      const key = keyOf(credentials);
      const kept = tokens.get(key);
      return kept !== undefined && clock.now() < kept.lapsesAt ? kept.token : request(key, credentials);
    },
    /** Discards the token of these credentials, which the bank refused. */
    discard(credentials: EupagoCredentials): void {
      tokens.delete(keyOf(credentials));
    },
  };
}

function keyOf({ clientId, clientSecret }: EupagoCredentials): string {
  return JSON.stringify([clientId, clientSecret]);
}
