import { afterAll, expect, test } from 'vitest';
import { EUPAGO_CREDENTIALS } from '../banks/conformance-kit.ts';
import { startService } from '../support/harness.ts';
import { shopWithOwner, signedIn } from './support.ts';

const service = await startService({ whenOver: afterAll });
const { merchant: shop, merchantId, owner } = await shopWithOwner(service, { name: 'Loja' });
const operator = await signedIn(service, { role: 'operator' });
const bank = async () => (await operator.query('merchants.show', { merchantId })).value.bank;
const route = (change: object, by = operator) =>
  by.mutate('merchants.setRoute', {
    merchantId,
    method: 'MBWAY',
    acquirer: 'eupago',
    fallback: null,
    ...change,
  });

test('without an account at the acquirer a route is refused, and the answer names it', async () => {
  expect((await operator.query('merchants.defaultBank')).value).toMatchObject({
    own: [],
    defaults: [{ acquirer: 'ifthenpay', current: true }],
    routes: null,
    standard: 'ifthenpay',
  });
  const standard = { acquirer: 'ifthenpay', fallback: null };
  expect((await bank()).routes).toEqual({ mbway: standard, multibanco: standard });
  expect((await route({})).error).toMatchObject({
    reason: 'route_no_account',
    values: { acquirer: 'eupago' },
  });
  const twice = await route({ acquirer: 'ifthenpay', fallback: 'ifthenpay' });
  expect(twice.error.reason).toBe('route_same_fallback');
});

test('credentials are checked by the rules of their acquirer, and an error repeats none of them', async () => {
  const credentials = { ...EUPAGO_CREDENTIALS, webhookKey: 'too-short-to-be-repeated' };
  const short = { merchantId, acquirer: 'eupago', credentials };
  const { error } = await operator.mutate('merchants.setBank', short);
  expect(error.message).toContain('webhookKey must have exactly 32 bytes');
  expect(JSON.stringify(error)).not.toContain('too-short');
  const missing = { merchantId, acquirer: 'ifthenpay', credentials: EUPAGO_CREDENTIALS };
  const { message } = (await operator.mutate('merchants.setBank', missing)).error;
  expect(message).toContain('mbWayKey is missing');
});

test('an account at EuPago takes the payments of both methods at once, and routes can be changed back', async () => {
  const set = { merchantId, acquirer: 'eupago', credentials: EUPAGO_CREDENTIALS };
  expect((await owner.mutate('merchants.setBank', set)).error.code).toBe('FORBIDDEN');
  expect((await operator.mutate('merchants.setBank', set)).value).toMatchObject({ acquirer: 'eupago' });
  const at = { acquirer: 'eupago', fallback: null };
  const shown = await bank();
  expect(shown).toMatchObject({
    own: [{ acquirer: 'eupago', current: true }],
    defaults: [{ acquirer: 'ifthenpay' }],
    routes: { mbway: at, multibanco: at },
  });
  expect(JSON.stringify(shown)).not.toContain(EUPAGO_CREDENTIALS.clientSecret);
  // The sandbox knows the account without a restart of the service.
  const paid = await shop.pay();
  const { value } = await owner.query('transaction.show', { merchantId, id: paid });
  expect(value).toMatchObject({ attempts: [{ acquirer: 'eupago' }], receipts: [{ acquirer: 'eupago' }] });

  const back = { acquirer: 'ifthenpay', fallback: 'eupago' };
  expect((await route(back, owner)).error.code).toBe('FORBIDDEN');
  expect((await route(back)).value).toEqual({ mbway: back, multibanco: at });
  const { value: notices } = await operator.query('system.bankNotices');
  expect(notices).toMatchObject([
    { action: 'bank.routed', merchantName: 'Loja', actor: operator.email },
    { action: 'bank.changed', merchantName: 'Loja', actor: operator.email },
  ]);
  expect((await operator.query('system.show')).value.bank.accounts).toEqual(
    expect.arrayContaining([expect.objectContaining({ merchantName: 'Loja', acquirer: 'eupago' })]),
  );
});
