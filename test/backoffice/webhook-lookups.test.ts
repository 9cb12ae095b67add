import { afterAll, expect, test, vi } from 'vitest';
import { startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { signedIn } from './support.ts';

const { lookups, answer } = vi.hoisted(() => ({
  lookups: new Set<string>(),
  answer: Promise.withResolvers<void>(),
}));

vi.mock('node:dns/promises', () => {
  const unknown = () => Promise.reject(Object.assign(new Error('unknown'), { code: 'ENOTFOUND' }));
  return {
    Resolver: class {
      resolve4 = unknown;
      resolve6 = unknown;
    },
    async lookup(host: string) {
      lookups.add(host);
      if (host === 'slow.internal') await answer.promise;
      return [{ address: '10.0.0.7', family: 4 }];
    },
  };
});

const service = await startService({ whenOver: afterAll });

test('the system looks up one webhook host at a time, because a lookup occupies a worker thread', async () => {
  const { merchantId } = await service.merchant();
  const owner = await signedIn(service, { role: 'owner', merchantId });
  const set = (host: string) => owner.mutate('webhook.setUrl', { merchantId, url: `https://${host}/` });
  const slow = set('slow.internal');
  await until(() => lookups.has('slow.internal'));
  expect(await set('shop.internal')).toMatchObject({ status: 400, error: { reason: 'url_unreachable' } });
  answer.resolve();
  expect((await slow).status).toBe(200);
  expect((await set('shop.internal')).status).toBe(200);
});
