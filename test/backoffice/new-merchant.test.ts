import { afterAll, expect, test } from 'vitest';
import { createMerchantWithOwner } from '../../src/backoffice/merchants/create.ts';
import type { IdSource } from '../../src/kernel/ids.ts';
import { startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { signedIn } from './support.ts';

const service = await startService({ whenOver: afterAll });

const NEW = { domains: ['shop.pt'], ownerEmail: 'dona@loja.pt' };

const merchantsNamed = async (name: string) =>
  (await selectRows(service.app.deps.db, 'merchants', { name })).length;

test('a merchant and its owner’s invitation are created atomically', async () => {
  const { deps } = service.app;
  const ids: IdSource = (prefix) => {
    if (prefix === 'usr') throw new Error('no user can be made');
    return deps.ids(prefix);
  };
  const input = { ...NEW, name: 'Metade' };
  await expect(createMerchantWithOwner({ ...deps, ids }, input)).rejects.toThrow('no user can be made');
  expect(await merchantsNamed('Metade')).toBe(0);
  const made = await createMerchantWithOwner(deps, input);
  expect(made).toMatchObject({
    apiKey: expect.stringMatching(/^sk_/),
    webhookSecret: expect.stringMatching(/^whsec_/),
  });
  expect(made.invitation).toMatch(/^\/backoffice\/link#/);
  expect(await merchantsNamed('Metade')).toBe(1);
});

test('every wrong field of a new merchant is named at once, and nothing is created', async () => {
  const operator = await signedIn(service, { role: 'operator' });
  const merchants = async () => (await operator.query('merchants.count', {})).value.count;
  const before = await merchants();
  const wrong = {
    name: ' ',
    domains: ['um.pt', 'co.uk', 'https://dois.pt'],
    webhookUrl: 'http://um.pt/hook',
    ownerEmail: 'dona',
  };
  const { status, error } = await operator.mutate('merchants.create', wrong);
  expect([status, error.fields]).toEqual([400, ['name', 'domains', 'webhookUrl', 'ownerEmail']]);
  expect(error.faults).toMatchObject([
    { field: 'name', reason: 'name_length', values: { max: 100 } },
    { field: 'domains', reason: 'domain_suffix', values: { domain: 'co.uk' } },
    { field: 'domains', reason: 'domain_url', values: { domain: 'https://dois.pt' } },
    { field: 'webhookUrl', reason: 'url_scheme' },
    { field: 'ownerEmail', reason: 'email_invalid' },
  ]);
  const onlyDomain = { name: 'Duas Lojas', domains: ['um.pt', ' co.uk ', 'dois.pt'] };
  expect((await operator.mutate('merchants.create', onlyDomain)).error).toMatchObject({
    reason: 'domain_suffix',
    fields: ['domains'],
    values: { domain: 'co.uk' },
  });
  const none = await operator.mutate('merchants.create', { name: 'Sem Loja', domains: [] });
  expect(none.error.faults).toMatchObject([{ field: 'domains', reason: 'domain_blank' }]);
  expect(await merchants()).toBe(before);
});
