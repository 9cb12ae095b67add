import type { ServerResponse } from 'node:http';
import { afterAll } from 'vitest';
import type { TestMerchant } from '../../support/harness.ts';
import { openReceiver, type Receiver } from '../../support/open-receiver.ts';
import { type Backoffice, openBackoffice, PASSWORD, type WatchedPage } from './support.ts';

type Answer = (response: ServerResponse) => void;

export const accept: Answer = (response) => void response.end('{"ok":true}');

export interface Hooks {
  office: Backoffice;
  receiver: Receiver;
  /** How the merchants' endpoint answers from now on. */
  answerBy(answer: Answer): void;
  /** A merchant whose endpoint accepts. */
  shop(webhook?: boolean): Promise<TestMerchant>;
  /** The owner of the merchant on one of its pages: `keys`, `webhook`, `domains`. */
  ownerAt(merchant: Pick<TestMerchant, 'merchantId'>, path: string): Promise<WatchedPage>;
  /** Makes every session so old that the password is required again. */
  growStale(): Promise<void>;
}

/** A back office whose merchants have an endpoint, for the tests of a file. */
export async function openHooks(): Promise<Hooks> {
  let answer = accept;
  const receiver = await openReceiver((_, response) => answer(response));
  afterAll(() => receiver.close());
  const office = await openBackoffice({ webhookCa: receiver.ca });
  return {
    office,
    receiver,
    answerBy(wanted) {
      answer = wanted;
    },
    async shop(webhook = true) {
      answer = accept;
      const hook = webhook ? { webhookUrl: receiver.url } : {};
      return await office.service.merchant({ name: 'Loja da Ana', ...hook });
    },
    async ownerAt({ merchantId }, path) {
      const page = await office.signIn({ role: 'owner', merchantId });
      await page.goto(`/m/${merchantId}/${path}`);
      return page;
    },
    async growStale() {
      const { db } = office.service.app.deps;
      await db.unit((tx) => tx.updateTable('sessions').set({ verified_at: 1 }).execute());
    },
  };
}

export async function givePassword(page: WatchedPage): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('input[type=password]') });
  await dialog.locator('input[type=password]').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}
