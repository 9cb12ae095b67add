import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';

export interface RequestContext {
  readonly deps: Deps;
  readonly merchant: Merchant;
  /** The headers as received; `undefined` when absent. */
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Adds a header to the response of this call. */
  setHeader(name: string, value: string): void;
}

/** The authenticated account. */
export interface Merchant {
  readonly id: Id<'mer'>;
  readonly keyId: Id<'key'>;
  readonly name: string;
  /** When the first transaction became paid, in UTC milliseconds; from then on checkout data is optional. */
  readonly firstPaidAt: number | null;
  /** The patterns of its store domains; null when they were not read with the key. */
  readonly domains: readonly string[] | null;
}
