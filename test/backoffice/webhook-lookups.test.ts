import type { LookupAddress } from 'node:dns';
import dns from 'node:dns/promises';
import { syncBuiltinESMExports } from 'node:module';
import { afterAll, expect, onTestFinished, test, vi } from 'vitest';
import { startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { shopWithOwner } from './support.ts';

const service = await startService({ whenOver: afterAll });

test('the system looks up one webhook host at a time, because a lookup occupies a worker thread', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const set = (host: string) => owner.mutate('webhook.setUrl', { merchantId, url: `https://${host}/` });
  const unknown = Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
  const addresses = [{ address: '10.0.0.7', family: 4 }];
  const slowAnswer = Promise.withResolvers<LookupAddress[]>();
  const lookup = vi.fn().mockResolvedValue(addresses).mockReturnValueOnce(slowAnswer.promise);
  const spies = [
    vi.spyOn(dns.Resolver.prototype, 'resolve4').mockRejectedValue(unknown),
    vi.spyOn(dns.Resolver.prototype, 'resolve6').mockRejectedValue(unknown),
    vi.spyOn(dns, 'lookup').mockImplementation(lookup),
  ];
  syncBuiltinESMExports();
  onTestFinished(() => {
    for (const spy of spies) spy.mockRestore();
    syncBuiltinESMExports();
  });
  const slow = set('slow.internal');
  await until(() => lookup.mock.calls.length === 1);
  expect(await set('shop.internal')).toMatchObject({ status: 400, error: { reason: 'url_unreachable' } });
  slowAnswer.resolve(addresses);
  expect((await slow).status).toBe(200);
  expect((await set('shop.internal')).status).toBe(200);
});
