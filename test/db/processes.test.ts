import { expect, test } from 'vitest';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { sharedPrograms } from '../installation/programs.ts';
import { api } from '../support/harness.ts';
import { run } from '../support/process.ts';
import type { ReceiverHandler } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';

/** Three programs of a second of processor each start in it, on a machine that does other things. */
const TIMEOUT_MS = 60_000;

/** The programs of an installation on PostgreSQL, and a merchant with a receiver. */
async function installation(handler?: ReceiverHandler) {
  const { env, receiver, start, url, connect } = await sharedPrograms(handler);
  const merchant = await createMerchant(await connect(), {
    name: 'Shop',
    domains: ['shop.pt'],
    webhookUrl: receiver.url,
  });
  return {
    receiver,
    merchant,
    start: (more?: Record<string, string>) => start(url, more),
    command: (args: string[], more: Record<string, string>) =>
      run('src/cli.ts', args, { ...env, SERVICE_DATABASE_URL: url, ...more }),
  };
}

/** Shifts the time that a program reads. */
function clockOff(minutes: number): Record<string, string> {
  return {
    NODE_OPTIONS: `--import=data:text/javascript,const%20now=Date.now;Date.now=()=>now()+${minutes * 60_000}`,
  };
}

test('two processes whose clocks are five minutes fast and five minutes slow repeat no delivery and end no push early', {
  timeout: TIMEOUT_MS,
}, async () => {
  const { start, command, receiver, merchant } = await installation((_request, response) => {
    setTimeout(() => response.end(), 2000);
  });
  const [fast, slow] = await Promise.all([start(clockOff(5)), start(clockOff(-5))]);
  const clients = [api(fast.address, merchant.apiKey), api(slow.address, merchant.apiKey)] as const;
  const open = await Promise.all(clients.map((client) => client.push('911000003')));
  const paid = await Promise.all([...clients, ...clients].map((client) => client.pay()));
  await until(() => receiver.requests.length === paid.length, 'the webhooks');
  const next = await clients[0].pay();
  await until(() => receiver.requests.length > paid.length, 'the next webhook');
  const received = receiver.requests.map(({ body }) => JSON.parse(String(body)).data.id);
  expect(received.toSorted()).toEqual([...paid, next].toSorted());
  for (const { headers } of receiver.requests)
    expect(Math.abs(Number(headers['webhook-timestamp']) * 1000 - Date.now())).toBeLessThan(60_000);
  for (const id of open) expect((await clients[1].status(id)).status).toBe('pending');
  const announced = receiver.requests.length;
  const test = command(['webhook', 'test', merchant.merchantId], clockOff(5));
  expect(await test.ended, test.err()).toBe(0);
  await until(() => receiver.requests.length > announced, 'the test event of a command');
  expect(fast.out()).toContain('differs from the database server');
});
