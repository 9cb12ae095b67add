import { mkdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Browser, Download, Locator, Page } from 'playwright-core';
import { afterAll, expect } from 'vitest';
import { createUser } from '../../../src/backoffice/people/create-user.ts';
import { insertMember } from '../../../src/backoffice/people/member-store.ts';
import { findUserByEmail } from '../../../src/backoffice/people/user-store.ts';
import type { Id } from '../../../src/kernel/ids.ts';
import { sharedBrowser } from '../../support/browser.ts';
import { type Service, startService } from '../../support/harness.ts';
import { openReceiver, type ReceiverHandler } from '../../support/open-receiver.ts';
import { startedSession } from '../support.ts';
import { type PageOptions, pageFor, portOfPages, type WatchedPage } from './page-pool.ts';

export type { Language, PageOptions, WatchedPage } from './page-pool.ts';

export interface PersonOptions {
  email?: string;
  /** At the merchant named by `merchantId`; an operator needs none. */
  role?: 'owner' | 'viewer' | 'operator';
  merchantId?: string;
  /** Gives a password made by the service, which must be changed at the first sign-in; else it is `PASSWORD`. */
  firstPassword?: boolean;
}

export interface Backoffice {
  service: Service;
  browser: Browser;
  /** Where the pages are, without a trailing slash. */
  url: string;
  /** Creates a person; an existing person is only given the role at one more merchant. */
  person(options?: PersonOptions): Promise<{ id: Id<'usr'>; email: string; password: string }>;
  /** A page of a person who is signed in, empty without `at`: a path below the back office, or without a slash below the merchant's pages. */
  signIn(options?: PersonOptions & PageOptions & { at?: string }): Promise<WatchedPage>;
  /** A page without a session. */
  open(path: string, options?: PageOptions): Promise<WatchedPage>;
  /** Makes every session so old that the password is required again. */
  growStale(): Promise<void>;
}

const WIDTHS = [390, 1093, 1280];

export const PASSWORD = 'quatro cavalos azuis 7';
const USER_AGENT = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:140.0) Gecko/20100101 Firefox/140.0';

/**
 * One service and one browser for the tests of a file. With `signIn().goto('/m/…')` a page's paths are those below
 * /backoffice, since that is its base.
 */
export async function openBackoffice(options: Parameters<typeof startService>[0] = {}): Promise<Backoffice> {
  const env = { SERVICE_PORT: String(await portOfPages()), ...options.env };
  const service = await startService({ whenOver: afterAll, ...options, env });
  const browser = await sharedBrowser(afterAll);
  const { deps } = service.app;
  const url = `${service.url}/backoffice`;
  let people = 0;

  const person: Backoffice['person'] = async (wanted = {}) => {
    people += 1;
    const { email = `person${people}@shop.pt`, role = 'owner', merchantId = null } = wanted;
    const known = await findUserByEmail(deps.db.read, email);
    if (known === null) {
      const made = await createUser(deps, {
        email,
        role,
        merchantId: merchantId as Id<'mer'> | null,
        password: wanted.firstPassword === true ? undefined : PASSWORD,
      });
      return { id: made.userId, email, password: made.password };
    }
    if (merchantId !== null && role !== 'operator') {
      const member = { user_id: known.id, merchant_id: merchantId as Id<'mer'>, role };
      await deps.db.unit((tx) => insertMember(tx, { ...member, created_at: deps.clock.now() }));
    }
    return { id: known.id, email, password: PASSWORD };
  };

  return {
    service,
    browser,
    url,
    person,
    async signIn(wanted = {}) {
      const { id } = await person(wanted);
      const token = await startedSession(service, id, { userAgent: USER_AGENT });
      const page = await pageFor(browser, service.url, wanted);
      const { hostname } = new URL(service.url);
      await page
        .context()
        .addCookies([
          { name: 'backoffice', value: token, domain: hostname, path: '/backoffice', httpOnly: true },
        ]);
      const { at, merchantId } = wanted;
      if (at !== undefined) await page.goto(at.startsWith('/') ? at : `/m/${merchantId}/${at}`);
      return page;
    },
    async open(path, wanted = {}) {
      const page = await pageFor(browser, service.url, wanted);
      await page.goto(path);
      return page;
    },
    async growStale() {
      await deps.db.unit((tx) => tx.updateTable('sessions').set({ verified_at: 1 }).execute());
    },
  };
}

/** A back office whose merchants' endpoint answers by `handler`, or else accepts everything. */
export async function openWithReceiver(env: Record<string, string> = {}, handler?: ReceiverHandler) {
  const receiver = await openReceiver(handler);
  afterAll(() => receiver.close());
  return { receiver, office: await openBackoffice({ webhookCa: receiver.ca, env }) };
}

/**
 * Finishes every fade, because colours during a fade are intermediate. An inherited colour fades again at each level, so this repeats
 * until nothing fades. Endless animations are not touched.
 */
const END_FADES = `(() => {
  for (let round = 0; round < 100; round += 1) {
    const fading = document.getAnimations().filter(
      (animation) => animation.playState !== 'finished' && animation.effect?.getComputedTiming().iterations !== Infinity,
    );
    if (fading.length === 0) return;
    for (const animation of fading) animation.finish();
  }
})()`;

const AXE = readFileSync(fileURLToPath(import.meta.resolve('axe-core/axe.min.js')), 'utf8');

interface Axe {
  run(options: object): Promise<{
    violations: { id: string; impact: string | null; nodes: { html: string; failureSummary?: string }[] }[];
  }>;
}

/** One line for each finding of axe that is serious or critical, and in the back office for each bad contrast in the dark theme. */
export async function axe(page: Page): Promise<string[]> {
  // The page's policy forbids an added script, so it is brought in by the debugger.
  if (!(await page.evaluate('"axe" in globalThis'))) await page.evaluate(AXE);
  const found = await findings(page, {});
  if ((await page.locator('html[data-mantine-color-scheme]').count()) === 0) return found;
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('html[data-mantine-color-scheme="dark"]').waitFor({ state: 'attached' });
  const inDark = await badContrasts(page);
  await page.emulateMedia({ colorScheme: null });
  await page.locator('html[data-mantine-color-scheme="light"]').waitFor({ state: 'attached' });
  return [...found, ...inDark.map((finding) => `dark: ${finding}`)];
}

/** The same for contrast alone, the only rule that another theme can break; after `axe`. */
export function badContrasts(page: Page): Promise<string[]> {
  return findings(page, { runOnly: ['color-contrast'] });
}

async function findings(page: Page, options: object): Promise<string[]> {
  await page.evaluate(END_FADES);
  return await page.evaluate(async (wanted) => {
    const { axe: tool } = globalThis as unknown as { axe: Axe };
    // No page has media, and no finding shows its selector.
    const unused = { preload: false, selectors: false };
    const { violations } = await tool.run({ resultTypes: ['violations'], ...unused, ...wanted });
    return violations
      .filter(({ impact }) => impact === 'serious' || impact === 'critical')
      .flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html} ${node.failureSummary ?? ''}`));
  }, options);
}

/** Whether the page is wider than its window, which a phone would show as a sideways scroll. */
export async function overflows(page: Page): Promise<boolean> {
  return await page.evaluate(`document.documentElement.scrollWidth > window.innerWidth
    || [...document.querySelectorAll('[role="dialog"]')].some((dialog) => dialog.scrollWidth > dialog.clientWidth)`);
}

/** What a finger can miss: controls below 44 by 44 pixels, and below 24 for a mouse. A row or a card is followed from anywhere in it. */
async function smallTargets(page: Page): Promise<string[]> {
  return await page.evaluate(`(() => {
    const coarse = matchMedia('(pointer: coarse)').matches;
    const least = coarse ? 43.5 : 23.5;
    const found = [];
    // A mouse may meet a link of the height of its line.
    const kinds = (coarse ? 'a[href], ' : '') + 'button, summary, input:not(.mantine-PasswordInput-innerInput), textarea, .mantine-SegmentedControl-label';
    for (const control of document.querySelectorAll(kinds)) {
      const hidden = !control.checkVisibility({ opacityProperty: true, visibilityProperty: true });
      if (hidden || control.closest('[class*="_linked_"], [class*="_over_"], [class*="_skip_"], [inert]') || control.type === 'file') continue;
      const around = getComputedStyle(control, '::after');
      const reach = around.position === 'absolute' && around.content !== 'none' ? -2 * parseFloat(around.top) || 0 : 0;
      const { width, height } = control.getBoundingClientRect();
      const isText = control.tagName === 'A';
      if (width > 1 && (height + reach < least || (!isText && width + reach < least))) {
        found.push(Math.round(width) + ' x ' + Math.round(height) + ': ' + control.outerHTML.slice(0, 160));
      }
    }
    return found;
  })()`);
}

/** The buttons whose text is cut off. */
async function clippedButtons(page: Page): Promise<string[]> {
  return await page.evaluate(`[...document.querySelectorAll('.mantine-Button-root')]
    .filter((button) => button.checkVisibility() && (button.scrollWidth > button.clientWidth + 1
      || [...button.querySelectorAll('.mantine-Button-label')].some((label) => label.scrollWidth > label.clientWidth + 1)))
    .map((button) => button.textContent)`);
}

/** Whether a table is wider than its frame, so that its last columns are not visible. */
export async function tableOverflows(page: Page): Promise<boolean> {
  return await page.evaluate(
    '[...document.querySelectorAll("table")].some(({ parentElement: frame }) => frame.scrollWidth > frame.clientWidth)',
  );
}

/** Writes a screenshot of the full page to `$SHOTS/name.png`; does nothing when SHOTS is not set. */
export async function shoot(page: Page, name: string): Promise<void> {
  const folder = process.env.SHOTS;
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  await page.screenshot({ path: join(folder, `${name}.png`), fullPage: true });
}

/** The file that a click on this button or link downloads. */
export async function downloaded(trigger: Locator): Promise<Download> {
  const [file] = await Promise.all([trigger.page().waitForEvent('download'), trigger.click()]);
  return file;
}

/** Pictures in the three widths, none with a sideways scroll. */
export async function pictures(page: Page, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    expect(await overflows(page)).toBe(false);
    await shoot(page, `${name}-${width}`);
  }
}

/** The page in the three widths, sound in each. */
export async function expectSoundInWidths(page: WatchedPage, name: string): Promise<void> {
  for (const width of WIDTHS) {
    await page.setViewportSize({ width, height: 900 });
    await expectSound(page, `${name}-${width}`);
  }
}

/** A picture under that name, and no finding of axe, no sideways scroll, no small target, no text cut off in a button and no trouble in the page. */
export async function expectSound(page: WatchedPage, name: string): Promise<void> {
  await shoot(page, name);
  expect(await axe(page), name).toEqual([]);
  expect(await overflows(page), name).toBe(false);
  expect(await smallTargets(page), name).toEqual([]);
  expect(await clippedButtons(page), name).toEqual([]);
  expect(page.troubles(), name).toEqual([]);
}
