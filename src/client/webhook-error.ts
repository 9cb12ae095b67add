/**
 * Why a webhook was refused.
 * - `BODY_NOT_RAW`: what was verified are not the bytes that arrived: parsed, serialised again, changed or read before.
 * - `MISSING_HEADER`: the request carries no signature, or only a part of one.
 * - `INVALID_HEADER`: a signature or timestamp header cannot be read.
 * - `WRONG_SECRET`: the bytes look as the service writes them, but none of the signatures is made with this secret.
 * - `TIMESTAMP_TOO_OLD`, `TIMESTAMP_TOO_NEW`: genuine, but sent too long ago, or later than this machine's clock says.
 * - `INVALID_SECRET`: the secret given is none; nothing was checked.
 * - `UNKNOWN_EVENT`: genuine, but of a kind that this version does not know.
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

/** The message is for your log: the sender is answered 401 and no reason. */
export class WebhookVerificationError extends Error {
  override readonly name = 'WebhookVerificationError';
  readonly code: WebhookErrorCode;

  constructor(code: WebhookErrorCode, sentence: string) {
    super(sentence);
    this.code = code;
  }
}
