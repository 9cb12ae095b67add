/** One call of the address that the bank was given, as the page shows it. */
export interface SentCallback {
  /** UTC milliseconds. */
  at: number;
  durationMs: number;
  /** `MBWAY` or `MULTIBANCO`. */
  method: string;
  /** EUR, as the bank recorded it. */
  amount: number;
  requestId: string;
  /** From 1. */
  attempt: number;
  /** The status that came back, or what went wrong. */
  answer: string;
}

export interface CallbackLog {
  add(sent: SentCallback): void;
  /** Newest first. */
  newest(): readonly SentCallback[];
}

const KEPT_MAX = 30;

/** The last calls since the start: what only the page needs is not worth a table. */
export function createCallbackLog(): CallbackLog {
  let kept: SentCallback[] = [];
  return {
    add(sent) {
      kept = [sent, ...kept].slice(0, KEPT_MAX);
    },
    newest: () => kept,
  };
}
