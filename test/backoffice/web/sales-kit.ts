import type { TestMerchant } from '../../support/harness.ts';
import {
  type Language,
  openWithReceiver,
  type PageOptions,
  type PersonOptions,
  type WatchedPage,
} from './support.ts';

interface Wish extends PageOptions, PersonOptions {
  merchant: TestMerchant;
  path?: string;
}

/** A back office whose merchants' endpoint accepts everything, for the tests of a file. */
export async function openSales() {
  const { office, receiver } = await openWithReceiver({
    SERVICE_MBWAY_WINDOW_SECONDS: '120',
    SERVICE_REQUIRE_CHECKOUT_DATA: 'false',
  });
  return {
    office,
    receiver,
    /** A page of a member of the merchant; it polls again when `soon` is called. */
    pageOf({ merchant: { merchantId }, path = '', ...options }: Wish) {
      // Pages poll every few seconds; `soon` advances the clock instead of waiting.
      return office.signIn({ merchantId, clock: true, at: `/m/${merchantId}${path}`, ...options });
    },
  };
}

export const soon = (page: WatchedPage) => page.clock.fastForward(5_000);

/** Each language and each width once; all of them when pictures are wanted. */
export const VIEWS: readonly (readonly [Language, boolean])[] = [
  ['en', false],
  ['pt', true],
  ...(process.env.SHOTS === undefined
    ? []
    : ([
        ['pt', false],
        ['en', true],
      ] as const)),
];
