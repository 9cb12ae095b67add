import { createPaymentsClient } from '../../src/client/client.ts';
import { serve } from './serve.ts';
import { createShop } from './shop/shop.ts';

export interface OpenShopOptions {
  /** Of the service, ending in /api/v1. */
  baseUrl: string;
  apiKey: string;
  webhookSecret: string;
  sandboxUrl: string;
  certificate: { key: string; cert: string };
  /** Of the page; 0 takes a free one. */
  port: number;
  mbwayWindowMs: number;
}

export interface OpenShop {
  /** Of the page, without a trailing slash. */
  url: string;
  webhookUrl: string;
  close(): Promise<void>;
}

/** Opens the shop on this machine: its page over http, and over https what takes the webhooks, which go nowhere else. */
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
