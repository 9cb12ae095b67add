import { onTestFinished } from 'vitest';
import { openShop } from '../../scripts/checkout/open-shop.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { startService } from '../support/harness.ts';
import { makeCertificate } from '../support/open-receiver.ts';

/** Starts the example shop with a service and a bank, as `npm run shop` does. */
export async function shopWithService(env: Record<string, string> = {}) {
  const certificate = await makeCertificate();
  const service = await startService({ webhookCa: certificate.cert, env });
  const merchant = await service.merchant({ name: 'Olaria Azul', domains: ['localhost'] });
  const shop = await openShop({
    baseUrl: `${service.url}/api/v1`,
    apiKey: merchant.apiKey,
    webhookSecret: merchant.webhookSecret,
    sandboxUrl: service.sandboxUrl,
    certificate,
    port: 0,
    mbwayWindowMs: service.app.deps.settings.mbwayWindowMs,
  });
  onTestFinished(() => shop.close());
  await setMerchant(service.app.deps, merchant.merchantId, {
    webhookUrl: shop.webhookUrl,
    webhookEnabled: true,
  });
  return { service, merchant, shop };
}
