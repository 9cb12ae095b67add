import type { ServerResponse } from 'node:http';
import { afterAll } from 'vitest';
import type { TestMerchant } from '../../support/harness.ts';
import { openReceiver, type Receiver } from '../../support/open-receiver.ts';
import { type Backoffice, type Language, openBackoffice, type WatchedPage } from './support.ts';

interface Wish {
  merchant: TestMerchant;
  path?: string;
  language?: Language;
  phone?: boolean;
  role?: 'owner' | 'viewer';
}

export interface Sales {
  office: Backoffice;
  receiver: Receiver;
  /** A page of a member of the merchant; it polls again when `soon` is called. */
  pageOf(wish: Wish): Promise<WatchedPage>;
}

/** A back office whose merchants' endpoint accepts everything, for the tests of a file. */
export async function openSales(): Promise<Sales> {
  const receiver = await openReceiver((_, response: ServerResponse) => void response.end());
  afterAll(() => receiver.close());
  const office = await openBackoffice({
    webhookCa: receiver.ca,
    env: { SERVICE_MBWAY_WINDOW_SECONDS: '120', SERVICE_REQUIRE_CHECKOUT_DATA: 'false' },
  });
  return {
    office,
    receiver,
    async pageOf({ merchant, path = '', ...options }) {
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
