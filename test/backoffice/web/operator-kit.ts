import type { TestMerchant } from '../../support/harness.ts';
import { type Backoffice, openBackoffice, type PageOptions, type WatchedPage } from './support.ts';

const OPERATOR = { email: 'operadora@plataforma.pt', role: 'operator' } as const;
const PERSON = { name: 'Brites Pombal', email: 'brites.pombal@correio.pt', phone: '911000001' };

export interface Platform {
  office: Backoffice;
  /** It has leads, one of whom has paid, and an endpoint that does not listen. */
  shop: TestMerchant;
  /** The operator on a page of theirs, its list loaded. */
  operatorAt(path: string, options?: PageOptions): Promise<WatchedPage>;
}

/** Two merchants and an operator, for the tests of a file. */
export async function openPlatform(): Promise<Platform> {
  const office = await openBackoffice();
  const shop = await office.service.merchant({
    name: 'Casa das Sementes',
    domains: ['shop.pt'],
    // Nothing listens there.
    webhookUrl: 'https://127.0.0.1:9/hook',
  });
  await office.service.merchant({ name: 'Padaria da Praça', domains: ['padaria.pt'] });
  await shop.pay({
    customer: PERSON,
    orderId: 'S-1001',
    amount: 42.5,
    trackingParameters: { utm_source: 'newsletter', utm_campaign: 'primavera' },
  });
  await shop.init({ customer: { name: 'Rui Alves', email: 'rui.alves@correio.pt' }, orderId: 'S-1002' });
  await shop.init({ customer: { phone: '961 222 333' }, orderId: 'S-1003' });
  return {
    office,
    shop,
    async operatorAt(path, options = {}) {
      const page = await office.signIn({ ...OPERATOR, ...options });
      await page.goto(`/operator/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      return page;
    },
  };
}
