import { expect, test } from 'vitest';
import { call, jsonPost } from '../support/harness.ts';
import { refusalOf, run, takenPort } from '../support/process.ts';
import { until } from '../support/until.ts';

const MAIN = 'scripts/checkout/main.ts';

test('npm run shop opens the shop, prints its address and removes its files at the end', async () => {
  const program = run(MAIN, [], { SHOP_PORT: '0' });
  const url = await until(() => /Open (\S+)/.exec(program.out())?.[1], 'the address');
  expect(await (await fetch(url)).text()).toContain('TEST MONEY');
  const post = (path: string, body: unknown) => call(url + path, jsonPost(body));
  const placed = await post('orders', { quantity: 1, name: 'Ana Silva', email: 'ana@example.com' });
  const path = `orders/${placed.body.id}`;
  await post(`${path}/mbway`, { phoneNumber: '911000001' });
  const order = await until(async () => {
    const { body } = await call(url + path, {});
    return body.paid?.confirmedBy === 'webhook' ? body : null;
  }, 'the payment');
  expect(order).toMatchObject({
    paid: { confirmedBy: 'webhook' },
    webhooks: [{ event: 'payment.success', repeated: false }],
  });
  const second = await post('orders', { quantity: 2, name: 'Ana Silva', email: 'ana@example.com' });
  const { body: hosted } = await post(`orders/${second.body.id}/page`, {});
  const step = { method: 'MBWAY', phoneNumber: '911000001' };
  await fetch(hosted.url, { method: 'POST', body: new URLSearchParams(step), redirect: 'manual' });
  await until(
    async () => (await call(`${url}orders/${second.body.id}`, {})).body.paid?.confirmedBy === 'webhook',
    'the payment on the hosted page',
  );
  program.kill('SIGTERM');
  expect(await program.ended).toBe(0);
  expect(program.err()).toBe('');
});

test('a port in use stops the start with an error that names the setting', async () => {
  expect(await refusalOf(MAIN, [], { SHOP_PORT: String(await takenPort()) })).toMatch(/^SHOP_PORT/);
});
