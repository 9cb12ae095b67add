import type { CustomerAct } from './store.ts';

/** How a test phone behaves without a hand. Any other number waits for one. */
export interface SelfActing {
  act: CustomerAct | null;
  /** Milliseconds after the push was made, or `answered`: as soon as the create has been answered. */
  when: 'answered' | number;
  /** The bank takes the push but never answers the create. */
  answerLost?: boolean;
  /** MB WAY does not know this phone: the create is refused. */
  unknown?: boolean;
  /** How many callbacks a payment by this phone makes. */
  callbacks?: number;
}

const DECLINE_AFTER_MS = 500;
const ACCEPT_UNANSWERED_AFTER_MS = 1000;
const WITHIN_GRACE_MS = 1000;
const BEYOND_GRACE_MS = 5000;

/** The behaviour of a self-acting phone, null for every other one. */
export function selfActing(
  phoneNumber: string,
  times: { mbwayWindowMs: number; mbwayGraceMs: number },
): SelfActing | null {
  switch (phoneNumber) {
    case '911000001':
      return { act: 'accept', when: 'answered' };
    case '911000002':
      return { act: 'reject', when: 'answered' };
    case '911000003':
      return { act: null, when: 'answered' };
    case '911000004':
      return { act: 'decline', when: DECLINE_AFTER_MS };
    case '911000005':
      return { act: null, when: 'answered', unknown: true };
    case '911000006':
      return { act: 'accept', when: 'answered', callbacks: 0 };
    case '911000007':
      return { act: 'accept', when: 'answered', callbacks: 3 };
    case '911000008':
      return { act: 'accept', when: ACCEPT_UNANSWERED_AFTER_MS, answerLost: true };
    case '911000009':
      return { act: 'accept', when: times.mbwayWindowMs + WITHIN_GRACE_MS };
    case '911000010':
      return { act: 'accept', when: times.mbwayWindowMs + times.mbwayGraceMs + BEYOND_GRACE_MS };
    default:
      return null;
  }
}
