/**
 * Why a webhook was refused.
 * - `BODY_NOT_RAW`: the verified body is not the raw bytes: it was parsed, re-serialised or read before.
 * - `MISSING_HEADER`: the request has no signature, or only some of its headers.
 * - `INVALID_HEADER`: a signature or timestamp header cannot be read.
 * - `WRONG_SECRET`: no signature matches the body with this secret.
 * - `TIMESTAMP_TOO_OLD`, `TIMESTAMP_TOO_NEW`: genuine, but too old, or ahead of this machine's clock.
 * - `INVALID_SECRET`: the given secret is malformed; nothing was verified.
 * - `UNKNOWN_EVENT`: genuine, but of a kind that this version does not support.
 */
export type WebhookErrorCode =
  | 'BODY_NOT_RAW'
  | 'MISSING_HEADER'
  | 'INVALID_HEADER'
  | 'WRONG_SECRET'
  | 'TIMESTAMP_TOO_OLD'
  | 'TIMESTAMP_TOO_NEW'
  | 'INVALID_SECRET'
  | 'UNKNOWN_EVENT';

/** The message is for your log: respond to the sender with 401 and no reason. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
