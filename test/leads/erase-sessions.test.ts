import { expect, test } from 'vitest';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { createSession } from '../checkout/support.ts';
import { startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';

const customer = { name: 'Brites Pombal', email: 'brites+loja@correio.pt', phone: '961 222 333' };

test('an erasure cuts the return addresses that name the person, and no others', async () => {
  const service = await startService();
  const { deps } = service.app;
  const merchant = await service.merchant();
  const named = [
    'https://shop.pt/thanks?order=7&email=brites%2Bloja%40correio.pt',
    'https://shop.pt/thanks?email=brites+loja@correio.pt',
    'https://shop.pt/thanks?name=Brites+Pombal&sale=100%',
    'https://shop.pt/brites%20pombal/thanks',
    'https://shop.pt/thanks#tel=%2B351961222333',
  ];
  const other = 'https://shop.pt/thanks?order=7&by=Brito';
  for (const successUrl of named)
    await createSession(service, merchant, { customer, successUrl, cancelUrl: other });
  const [lead] = await selectRows(deps.db, 'leads');
  await eraseLead(deps, lead?.id as Id<'led'>);
  const urls = await selectRows(deps.db, 'checkout_sessions');
  expect(urls.map(({ success_url }) => success_url)).toEqual(named.map(() => 'https://shop.pt/'));
  expect(urls.map(({ cancel_url }) => cancel_url)).toEqual(named.map(() => other));
});
