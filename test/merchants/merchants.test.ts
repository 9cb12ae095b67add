import { expect, test } from 'vitest';
import type { Database } from '../../src/db/database.ts';
import { DAY_MS, HOUR_MS } from '../../src/kernel/clock.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import { rollKey } from '../../src/merchants/keys.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { listMerchants } from '../../src/merchants/view.ts';
import { keyLives, testDeps } from './support.ts';

test('a new merchant is active, with an API key and a webhook secret of 32 bytes, and without a webhook', async () => {
  const deps = await testDeps();
  const made = await createMerchant(deps, { name: ' Loja ', domains: ['Shop.pt', 'shop.pt', '*.loja.pt'] });
  expect(made.merchantId).toMatch(/^mer_/);
  expect(made.apiKey).toMatch(/^sk_[A-Za-z0-9_-]{43}$/);
  expect(made.webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(await keyLives(deps.db, made.apiKey, deps.clock.now())).toBe(true);
  expect(await listMerchants(deps, { limit: 10 })).toEqual([
    {
      merchantId: made.merchantId,
      name: 'Loja',
      active: true,
      hold: false,
      domains: ['*.loja.pt', 'shop.pt'],
      webhookUrl: null,
      webhookEnabled: false,
      refunds: true,
      refundEvents: false,
      autoRecover: false,
      customerMails: false,
      alerts: true,
      createdAt: '2026-01-15T12:00:00.000Z',
    },
  ]);
});

test.each([
  [{ name: ' ', domains: ['shop.pt'] }, 'name'],
  [{ name: 'x'.repeat(101), domains: ['shop.pt'] }, 'name'],
  [{ name: 'a\nb', domains: ['shop.pt'] }, 'name'],
  [{ name: 'Loja', domains: [] }, 'at least one store domain'],
  [{ name: 'Loja', domains: ['shop.pt', 'com.pt'] }, 'public suffix'],
  [{ name: 'Loja', domains: ['shop.pt'], webhookUrl: 'http://shop.pt' }, 'https://'],
  [{ name: 'Loja', domains: ['shop.pt'], webhookUrl: 'https://127.0.0.1' }, 'not public'],
])('%j creates no merchant and names the fault: %s', async (input, sentence) => {
  const deps = await testDeps();
  await expect(createMerchant(deps, input)).rejects.toThrow(sentence);
  expect(await listMerchants(deps, { limit: 1 })).toEqual([]);
});

test('a URL turns the webhook on; settings change one by one', async () => {
  const deps = await testDeps();
  const { merchantId } = await createMerchant(deps, {
    name: 'Loja',
    domains: ['shop.pt'],
    webhookUrl: 'https://shop.pt/a',
  });
  expect(await setMerchant(deps, merchantId, { active: false })).toMatchObject({
    active: false,
    hold: false,
    webhookUrl: 'https://shop.pt/a',
    webhookEnabled: true,
  });
  const change = { hold: true, webhookUrl: 'https://shop.pt/b', webhookEnabled: false };
  expect(await setMerchant(deps, merchantId, change)).toMatchObject({ active: false, ...change });
  expect(await setMerchant(deps, merchantId, {})).toMatchObject({ active: false, ...change });
  await expect(setMerchant(deps, merchantId, { webhookUrl: 'ftp://shop.pt' })).rejects.toThrow('https://');
  await expect(setMerchant(deps, 'mer_unknown', { active: true })).rejects.toThrow('no merchant mer_unknown');
});

test('a first URL turns the webhook on, but not when a retried transaction finds another URL', async () => {
  const deps = await testDeps();
  const shop = async () => (await createMerchant(deps, { name: 'A', domains: ['a.pt'] })).merchantId;
  const first = { webhookUrl: 'https://a.pt/hook', enableWithFirstUrl: true };
  const alone = await shop();
  expect(await setMerchant(deps, alone, first)).toMatchObject({ webhookEnabled: true });
  const late = await shop();
  const unit: Database['unit'] = async (work) => {
    const cut = deps.db.unit(async (tx) => {
      await work(tx);
      throw new Error('cut');
    });
    await expect(cut).rejects.toThrow('cut');
    await setMerchant(deps, late, { webhookUrl: 'https://a.pt/other' });
    return await deps.db.unit(work);
  };
  expect(await setMerchant({ ...deps, db: { ...deps.db, unit } }, late, first)).toMatchObject({
    webhookUrl: 'https://a.pt/hook',
    webhookEnabled: false,
  });
});

test('with a grace period several keys work, and a later roll does not extend an old one', async () => {
  const deps = await testDeps();
  const { merchantId, apiKey: first } = await createMerchant(deps, { name: 'Loja', domains: ['shop.pt'] });
  const { apiKey: second } = await rollKey(deps, merchantId, { graceHours: 2 });
  const { apiKey: third } = await rollKey(deps, merchantId, { graceHours: 24 });
  const start = deps.clock.now();
  const alive = (ms: number) =>
    Promise.all([first, second, third].map((key) => keyLives(deps.db, key, start + ms)));
  expect(await alive(2 * HOUR_MS - 1)).toEqual([true, true, true]);
  expect(await alive(2 * HOUR_MS)).toEqual([false, true, true]);
  expect(await alive(DAY_MS)).toEqual([false, false, true]);
});

test.each([-1, 8785, Number.NaN])(
  'a grace period of %d hours is refused and no key changes',
  async (graceHours) => {
    const deps = await testDeps();
    const { merchantId, apiKey } = await createMerchant(deps, { name: 'Loja', domains: ['shop.pt'] });
    await expect(rollKey(deps, merchantId, { graceHours })).rejects.toThrow('0 to 8784 hours');
    expect(await keyLives(deps.db, apiKey, deps.clock.now() + 8785 * HOUR_MS)).toBe(true);
  },
);

test('pages of the list follow each other', async () => {
  const deps = await testDeps();
  const ids: string[] = [];
  for (let i = 0; i < 5; i++) {
    ids.push((await createMerchant(deps, { name: `M${i}`, domains: [`m${i}.pt`] })).merchantId);
  }
  const first = await listMerchants(deps, { limit: 2 });
  const rest = await listMerchants(deps, { limit: 10, after: first[1]?.merchantId });
  expect([...first, ...rest].map((merchant) => merchant.merchantId)).toEqual(ids);
  expect(rest.map((merchant) => merchant.domains)).toEqual([['m2.pt'], ['m3.pt'], ['m4.pt']]);
});
