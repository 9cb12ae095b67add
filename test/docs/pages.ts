import fastify, { type FastifyInstance } from 'fastify';
import type { Browser, Page } from 'playwright-core';
import { afterAll, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { docsRoutes } from '../../src/docs/plugin.ts';
import { sharedBrowser } from '../support/browser.ts';
import { temporaryFolder } from '../support/database.ts';

let shared: Browser;

/** Opens one browser for the tests of a file. */
export async function withBrowser(): Promise<Browser> {
  shared = await sharedBrowser(afterAll);
  return shared;
}

/** Serves the documentation alone on a free port. */
export async function serveDocs({
  bank = 'sandbox',
  publicUrl = null,
}: {
  bank?: 'sandbox' | 'ifthenpay';
  publicUrl?: string | null;
}): Promise<{ server: FastifyInstance; url: string }> {
  const server = fastify({ exposeHeadRoutes: false });
  const { settings } = readConfig({ SERVICE_DATABASE_URL: `sqlite:${temporaryFolder()}/service.db` });
  server.register(docsRoutes({ ...settings, bank, publicUrl }));
  onTestFinished(() => server.close());
  return { server, url: await server.listen({ host: '127.0.0.1', port: 0 }) };
}

/** Opens a page that records its requests and the errors of the browser. */
export async function openPage(
  url: string,
  { width = 1280 } = {},
): Promise<{ page: Page; requests: string[]; complaints: string[] }> {
  const page = await shared.newPage({ viewport: { width, height: 900 }, colorScheme: 'light' });
  onTestFinished(() => page.close());
  const [requests, complaints]: [string[], string[]] = [[], []];
  page.on('request', (request) => requests.push(request.url()));
  page.on('requestfailed', (request) => complaints.push(`failed: ${request.url()}`));
  page.on('response', (response) => {
    if (response.status() >= 400) complaints.push(`${response.status()}: ${response.url()}`);
  });
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(url);
  return { page, requests, complaints };
}
