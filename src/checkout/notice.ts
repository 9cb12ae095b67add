/**
 * Why the last step of a page started no payment: the phone number is malformed, or unknown to MB WAY; the method is not available
 * for the payment, for example because of its amount; too many pushes of the session or to the phone; too many from the client's
 * address; another push is open; the bank did not accept the request.
 */
export type NoticeKind =
  | 'phone'
  | 'phone-unknown'
  | 'method'
  | 'limit'
  | 'limit-address'
  | 'push-open'
  | 'bank';

/** `until`, in UTC milliseconds, is when a step is possible again, or how long the page shows the notice. */
export interface Notice {
  readonly kind: NoticeKind;
  readonly until: number;
}

const SHOWN_MS = 2 * 60_000;

export function noticeOf(kind: NoticeKind, now: number): Notice {
  return { kind, until: now + SHOWN_MS };
}

/** The stored notice, until it expires. */
export function currentNotice(stored: string | null, now: number): Notice | null {
  if (stored === null) return null;
  const notice = JSON.parse(stored) as Notice;
  return notice.until > now ? notice : null;
}
