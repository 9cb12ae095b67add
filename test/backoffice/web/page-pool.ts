import { once } from 'node:events';
import { createServer } from 'node:net';
import type { Browser, Page } from 'playwright-core';
import { expect, onTestFinished } from 'vitest';
import { kept } from '../../support/browser.ts';

export type Language = 'pt' | 'en';

export interface PageOptions {
  /** The browser's own; `en` when it is left out. */
  language?: Language;
  /** 390 by 844 pixels instead of 1280 by 900. */
  phone?: boolean;
  /** With a clock that the test can advance. */
  clock?: boolean;
}

/** A page that records its errors. */
export interface WatchedPage extends Page {
  /** Errors of scripts and of the policy, and failed requests for files; empty when there were none. */
  troubles(): string[];
}

const LOCALES: Record<Language, string> = { pt: 'pt-PT', en: 'en-GB' };
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 390, height: 844 };
/** Below the ports that the system gives out. */
const PORT = 20_000 + (process.pid % 10_000);

/** Pages that tests have left, by their kind. The next test takes one, since a new context compiles every script again. */
const unused = new Map<string, WatchedPage[]>();

/** The port of the service for every file of this process, so that its pages stay at one address; 0, for any, while it is taken. */
export async function portOfPages(): Promise<number> {
  const server = createServer().listen(PORT, '127.0.0.1');
  const isFree = await once(server, 'listening').then(
    () => true,
    () => false,
  );
  server.close();
  return isFree ? PORT : 0;
}

/** A page as new for the service at `origin`. The test fails when the page had errors; afterwards another one may have it. */
export async function pageFor(browser: Browser, origin: string, wanted: PageOptions): Promise<WatchedPage> {
  const { language = 'en', phone = false, clock = false } = wanted;
  const kind = [origin, language, phone, clock].join(' ');
  const page = unused.get(kind)?.pop() ?? (await openPage(browser, origin, wanted));
  const context = page.context();
  kept.delete(context);
  if (clock) await page.clock.install();
  onTestFinished(async () => {
    const troubles = page.troubles().splice(0);
    const isNew = await reset(page, origin, phone ? PHONE : WIDE).catch(() => false);
    if (!isNew) await context.close();
    else {
      kept.add(context);
      unused.set(kind, [...(unused.get(kind) ?? []), page]);
    }
    expect(troubles).toEqual([]);
  });
  return page;
}

async function openPage(browser: Browser, origin: string, { language = 'en', phone = false }: PageOptions) {
  const context = await browser.newContext({
    locale: LOCALES[language],
    viewport: phone ? PHONE : WIDE,
    hasTouch: phone,
    isMobile: phone,
    baseURL: origin,
    reducedMotion: 'reduce',
  });
  // Below the time-out of a test, so that the error names the page that did not load.
  context.setDefaultTimeout(20_000);
  return watched(await context.newPage());
}

/** Makes a page as new. Resolves to false when it was closed or is at another address. */
async function reset(page: WatchedPage, origin: string, viewport: typeof WIDE): Promise<boolean> {
  if (page.isClosed() || !page.url().startsWith(`${origin}/`)) return false;
  const context = page.context();
  for (const other of context.pages()) if (other !== page) await other.close();
  await context.setOffline(false);
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  // This document runs no script and polls nothing. One of another site would end the process that has compiled the scripts.
  await page.goto(`${origin}/healthz`);
  await page.evaluate('localStorage.clear(); sessionStorage.clear()');
  await Promise.all([context.clearCookies(), context.clearPermissions()]);
  await page.emulateMedia({ media: null, colorScheme: null, reducedMotion: 'reduce' });
  await page.setViewportSize(viewport);
  await page.mouse.move(0, 0);
  page.troubles().length = 0;
  return true;
}

function watched(page: Page): WatchedPage {
  const troubles: string[] = [];
  page.on('pageerror', (error) => troubles.push(error.message));
  page.on('response', async (response) => {
    if (response.status() < 400 || !response.url().includes('/assets/')) return;
    troubles.push(`${response.status()} ${response.url()}: ${await response.text().catch(String)}`);
  });
  page.on('console', (message) => {
    // The browser reports each refused call, which many tests expect.
    const refused =
      message.text().startsWith('Failed to load resource') && /\/trpc\//.test(message.location().url);
    if (message.type() === 'error' && !refused) troubles.push(message.text());
  });
  const goto = page.goto.bind(page);
  return Object.assign(page, {
    troubles: () => troubles,
    // `/m/…` means the page at that path of the back office.
    goto: (path: string, options?: Parameters<Page['goto']>[1]) =>
      goto(/^(https?:|\/backoffice)/.test(path) ? path : `/backoffice${path}`, options),
  });
}
