import { expect, test } from 'vitest';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { behind } from '../payments/acquirers-kit.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { jsonHere, operatorOf } from './support.ts';

const GIVEN = {
  apiKey: 'an-api-key',
  clientId: 'a-client',
  clientSecret: 'a-secret',
  webhookKey: '0123456789abcdef0123456789abcdé',
};

/** A running service with its command line, which knows where both listen. `bank set` reads standard input, so it is a process. */
async function installation() {
  const folder = temporaryFolder();
  const service = await startService({ folder });
  const env = { SERVICE_SANDBOX_URL: service.sandboxUrl, SERVICE_PUBLIC_URL: service.url };
  const operator = operatorOf(folder);
  const json = (line: string, stdin = '') =>
    line.startsWith('bank set') ? operator.json(line, { env, stdin }) : jsonHere(folder, line, env);
  const run = (line: string, stdin: string, more = {}) =>
    operator.run(line, { env: { ...env, ...more }, stdin });
  return { service, json, run };
}

test('bank set without input opens an account at the sandbox, and credentials are registered there as given', async () => {
  const { service, json, run } = await installation();
  const merchant = await service.merchant();
  const id = merchant.merchantId;
  const opened = await json(`bank set --merchant ${id} --acquirer eupago`);
  expect(opened).toEqual({ account: expect.stringMatching(/^acc_/), acquirer: 'eupago' });
  const route = { acquirer: 'eupago', fallback: null };
  expect(await json(`bank route ${id}`)).toEqual({ mbway: route, multibanco: route });
  const paid = await merchant.pay();
  expect(await behind(service, paid)).toMatchObject({
    attempts: ['eupago paid'],
    receipts: ['eupago 19.99'],
  });
  const shown = await json(`transaction show ${paid}`);
  expect([shown.attempts[0].acquirer, shown.receipts[0].acquirer]).toEqual(['eupago', 'eupago']);
  const { createdAt, expiresAt } = shown.attempts[0];
  expect(Date.parse(expiresAt)).toBeGreaterThan(Date.parse(createdAt));

  const given = await json(`bank set --merchant ${id} --acquirer eupago`, JSON.stringify(GIVEN));
  expect(given.account).not.toBe(opened.account);
  await merchant.pay();
  const list = await json('bank list');
  expect(list.filter((one: { merchantId: string | null }) => one.merchantId === id)).toEqual([
    { ...given, merchantId: id, current: true, createdAt: expect.any(String) },
    { ...opened, merchantId: id, current: false, createdAt: expect.any(String) },
  ]);

  const short = await run('bank set --acquirer eupago', JSON.stringify({ ...GIVEN, webhookKey: 'short' }));
  expect(short).toMatchObject({ code: 1, stdout: '' });
  expect(short.stderr).toContain('webhookKey must have exactly 32 bytes in UTF-8');
});

test('bank register-callback names what a person enters at EuPago', async () => {
  const { service, json } = await installation();
  expect(await json('bank register-callback')).toEqual({ registered: `${service.url}/callbacks/ifthenpay` });
  const { account } = await json('bank set --acquirer eupago');
  expect(await json('bank register-callback')).toEqual({
    registered: `${service.url}/callbacks/ifthenpay`,
    byHand: [
      {
        acquirer: 'eupago',
        url: `${service.url}/callbacks/eupago`,
        accounts: [account],
        enter: expect.stringContaining('Webhooks 2.0'),
      },
    ],
  });
  const { merchantId } = await createMerchant(service.app.deps, { name: 'B', domains: ['b.pt'] });
  expect(
    await json(`bank route ${merchantId} --method mbway --acquirer eupago --fallback ifthenpay`),
  ).toEqual({
    mbway: { acquirer: 'eupago', fallback: 'ifthenpay' },
    multibanco: { acquirer: 'ifthenpay', fallback: null },
  });
});

test('a real installation at EuPago takes credentials, and registers no callback by itself', async () => {
  const folder = temporaryFolder();
  const operator = operatorOf(folder);
  const env = {
    SERVICE_BANK: 'eupago',
    SERVICE_SECRET_KEY: Buffer.alloc(32, 7).toString('base64'),
    SERVICE_PUBLIC_URL: 'https://pay.example.pt',
  };
  expect(await operator.run('bank set', { env })).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('{"apiKey", "clientId", "clientSecret", "webhookKey"}'),
  });
  const { account } = await operator.json('bank set', { env, stdin: JSON.stringify(GIVEN) });
  expect(await jsonHere(folder, 'bank register-callback', env)).toEqual({
    registered: null,
    byHand: [
      expect.objectContaining({ url: 'https://pay.example.pt/callbacks/eupago', accounts: [account] }),
    ],
  });
});
