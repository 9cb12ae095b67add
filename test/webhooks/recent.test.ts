import { expect, test } from 'vitest';
import { recentDeliveries } from '../../src/webhooks/store.ts';
import { until } from '../support/until.ts';
import { delivering } from './kit.ts';

test('the newest deliveries of all merchants show the body, the outcome and only the host of the URL', async () => {
  const { receiver, kit } = await delivering();
  const reached = await kit.shop(`${receiver.url}/secret-token?key=secret`);
  const without = await kit.shop(null, false);
  await kit.announce(reached, await kit.payment(reached));
  await kit.clock.advance(1);
  await kit.announce(without, await kit.payment(without), 'payment.cancelled');
  const shown = await until(async () => {
    const newest = await recentDeliveries(kit.db.read, 10);
    return newest.length === 2 && newest.every(({ state }) => state !== 'due') ? newest : null;
  });
  expect(shown).toMatchObject([
    { event: 'payment.cancelled', state: 'skipped', host: null, attempts: 0, status: null, error: null },
    { event: 'payment.success', state: 'delivered', attempts: 1, status: 200, error: null },
  ]);
  expect(shown[1]?.host).toBe(`127.0.0.1:${receiver.port}`);
  expect(shown[1]?.body).toBe(String(receiver.requests[0]?.body));
  expect(JSON.stringify(shown)).not.toContain('secret');
  expect(await recentDeliveries(kit.db.read, 1)).toEqual(shown.slice(0, 1));
});
