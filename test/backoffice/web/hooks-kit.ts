import type { ServerResponse } from 'node:http';
import type { TestMerchant } from '../../support/harness.ts';
import { openWithReceiver, PASSWORD, type WatchedPage } from './support.ts';

type Answer = (response: ServerResponse) => void;

export const accept: Answer = (response) => void response.end('{"ok":true}');

/** A back office whose merchants have an endpoint, for the tests of a file. */
export async function openHooks() {
  let answer = accept;
  const { office, receiver } = await openWithReceiver({}, (_, response) => answer(response));
  return {
    office,
    receiver,
    /** How the merchants' endpoint answers from now on. */
    answerBy(wanted: Answer) {
      answer = wanted;
    },
    /** A merchant whose endpoint accepts. */
    async shop(webhook = true) {
      answer = accept;
      const hook = webhook ? { webhookUrl: receiver.url } : {};
      return await office.service.merchant({ name: 'Loja da Ana', ...hook });
    },
    /** The owner of the merchant on one of its pages: `keys`, `webhook`, `domains`. */
    ownerAt: ({ merchantId }: Pick<TestMerchant, 'merchantId'>, at: string) =>
      office.signIn({ role: 'owner', merchantId, at }),
  };
}

export async function givePassword(page: WatchedPage): Promise<void> {
  const dialog = page.getByRole('dialog').filter({ has: page.locator('input[type=password]') });
  await dialog.locator('input[type=password]').fill(PASSWORD);
  await dialog.getByRole('button', { name: 'Continue' }).click();
}
