import { createPaymentsClient } from '../../src/client/client.ts';
import { serve } from './serve.ts';
import { createShop, type ShopOptions } from './shop/shop.ts';

interface OpenShopOptions extends Omit<ShopOptions, 'client' | 'storeUrl'> {
  /** The service's API, ending in /api/v1. */
  baseUrl: string;
  apiKey: string;
  certificate: { key: string; cert: string };
  /** The page's port; 0 chooses a free one. */
  port: number;
}

/** Opens the shop on the loopback interface: its page over http, its webhook endpoint over https. */
export async function openShop(options: OpenShopOptions) {
  const { baseUrl, apiKey, certificate, port } = options;
  const client = createPaymentsClient({ baseUrl, apiKey });
  const shop = createShop({ ...options, client, storeUrl: 'http://localhost' });
  const page = await serve(shop, port);
  const webhooks = await serve(shop, 0, certificate);
  return {
    url: `http://localhost:${page.port}`,
    webhookUrl: `https://127.0.0.1:${webhooks.port}/webhook`,
    close: async () => {
      await Promise.all([page.close(), webhooks.close()]);
    },
  };
}
