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
    async pageOf({ merchant, path = '', ...options }: Wish) {
      // Pages poll every few seconds; `soon` advances the clock instead of waiting.
      const page = await office.signIn({ merchantId: merchant.merchantId, clock: true, ...options });
      await page.goto(`/m/${merchant.merchantId}${path}`);
      return page;
    },
  };
}

export const soon = (page: WatchedPage) => page.clock.fastForward(5_000);

/** Begins a payment by MB WAY. Resolves to the transaction. */
export async function pay(merchant: TestMerchant, order: Record<string, unknown>, phoneNumber = '911000001') {
  return await merchant.push(phoneNumber, order);
}

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
