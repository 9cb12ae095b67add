import { expect, test } from 'vitest';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { makeCertificate } from '../support/open-receiver.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { webhookKit } from '../webhooks/kit.ts';

const DAY_MS = 86_400_000;
const UNREACHABLE = 'The endpoint could not be reached over https.';

test('an expired certificate ends a delivery as undelivered, in the words for any endpoint out of reach; renewed, a resend arrives', async () => {
  const expired = await makeCertificate(new Date(Date.now() - DAY_MS));
  const renewed = await makeCertificate();
  const receiver = await startReceiver(undefined, expired);
  const kit = await webhookKit();
  kit.start({ ca: `${expired.cert}\n${renewed.cert}` });
  const shop = await kit.shop(receiver.url);
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  for (const [index, waitMs] of [0, 200, 1000, 5000].entries()) {
    await kit.clock.advance(waitMs);
    await until(
      async () => (await kit.attempts(deliveryId))[index]?.duration_ms === 0,
      `attempt ${index + 1}`,
    );
  }
  await until(async () => (await kit.delivery(deliveryId)).state === 'undelivered');
  const attempts = await kit.attempts(deliveryId);
  expect(attempts.map(({ status, error }) => [status, error])).toEqual(Array(4).fill([null, UNREACHABLE]));
  for (const { error_detail } of attempts) expect(error_detail).toContain('CERT_HAS_EXPIRED');
  expect(receiver.requests).toHaveLength(0);

  receiver.renew(renewed);
  const again = await resendDelivery(kit.deps, deliveryId);
  await until(async () => (await kit.delivery(again.deliveryId)).state === 'delivered');
  expect(receiver.requests).toHaveLength(1);
});
