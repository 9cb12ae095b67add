import { createPaymentsClient } from '../../src/client/client.ts';
import { serve } from './serve.ts';
import { createShop } from './shop/shop.ts';

export interface OpenShopOptions {
  /** The service's API, ending in /api/v1. */
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
  sandboxUrl: string;
  certificate: { key: string; cert: string };
  /** The page's port; 0 chooses a free one. */
  port: number;
  mbwayWindowMs: number;
}

export interface OpenShop {
  /** The page's address, without a trailing slash. */
  url: string;
  webhookUrl: string;
  close(): Promise<void>;
}

/** Opens the shop on the loopback interface: its page over http, its webhook endpoint over https. */
export async function openShop(options: OpenShopOptions): Promise<OpenShop> {
  const { baseUrl, apiKey, webhookSecret, sandboxUrl, certificate, port, mbwayWindowMs } = options;
  const client = createPaymentsClient({ baseUrl, apiKey });
  const shop = createShop({
    client,
    webhookSecret,
    sandboxUrl,
    storeUrl: 'http://localhost',
    mbwayWindowMs,
  });
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
