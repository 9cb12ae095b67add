import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';

/** What a procedure knows of one call. */
export interface RequestContext {
  readonly deps: Deps;
  readonly merchant: Merchant;
  /** The headers as they came; `undefined` when absent. */
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Adds a header to the answer of this call. */
  setHeader(name: string, value: string): void;
}

/** The authenticated account, as procedures see it. */
export interface Merchant {
  readonly id: Id<'mer'>;
  /** The key of the request. */
  readonly keyId: Id<'key'>;
  readonly name: string;
  readonly active: boolean;
  /** Whether full receipts wait for the operator's release. */
  readonly hold: boolean;
  /** When the first transaction became paid, in UTC milliseconds; from then on checkout data is optional. */
  readonly firstPaidAt: number | null;
  /** The patterns of its store domains, if they were read with the key; null if not. */
  readonly domains: readonly string[] | null;
}
