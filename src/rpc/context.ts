import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';

/** What one call brings along, whichever door it came through. */
export interface RequestContext {
  readonly deps: Deps;
  readonly requestId: string;
  /** The headers as they came; `undefined` when absent. */
  readonly authorization: string | undefined;
  readonly origin: string | undefined;
  readonly referer: string | undefined;
  readonly idempotencyKey: string | undefined;
  /** Set by a door that has authenticated the key before it read the body; else the procedure does it. */
  readonly merchant?: Merchant | undefined;
  /** Adds a header to the answer of this call. */
  setHeader(name: string, value: string): void;
}

/** The account that a key opened, as the procedures see it. */
export interface Merchant {
  readonly id: Id<'mer'>;
  readonly name: string;
  readonly active: boolean;
  /** Whether full receipts wait for the operator's release. */
  readonly hold: boolean;
  /** When the first transaction became paid, in UTC milliseconds; from then on checkout data is optional. */
  readonly firstPaidAt: number | null;
}
