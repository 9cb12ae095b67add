import { join } from 'node:path';
import pRetry from 'p-retry';
import { registerCallbacks } from './banks/register-callbacks.ts';
import type { Settings } from './config.ts';
import type { Deps } from './deps.ts';
import { systemClock } from './kernel/clock.ts';
import { errorText } from './kernel/errors.ts';
import { systemRandom } from './kernel/random.ts';
import { createLogger } from './log.ts';
import { recentDeliveries } from './webhooks/store.ts';

/** The most webhooks on the sandbox's page. */
const SHOWN_WEBHOOKS_MAX = 20;

type Tools = Pick<Deps, 'clock' | 'random' | 'log'>;

/** Starts the sandbox without the service, for `npm run sandbox`. */
export async function startSandboxAlone(
  settings: Settings,
): Promise<{ url: string; close(): Promise<void> }> {
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  return startSandbox(
    sandboxOptions(settings, { clock: systemClock, random: systemRandom, log: createLogger(settings) }),
  );
}

/** Starts the sandbox in this process, unless another one is set; resolves to its address, or to null with a real bank. */
export async function openSandbox(
  settings: Settings,
  { db, ...tools }: Tools & Pick<Deps, 'db'>,
  closers: (() => Promise<void>)[],
): Promise<string | null> {
  if (settings.bank !== 'sandbox') return null;
  if (settings.sandboxUrl !== null) return settings.sandboxUrl;
  const { startSandbox } = await import('./sandbox/sandbox.ts');
  const sandbox = await startSandbox({
    ...sandboxOptions(settings, tools),
    webhooks: () => recentDeliveries(db.read, SHOWN_WEBHOOKS_MAX),
  });
  closers.push(() => sandbox.close());
  return sandbox.url;
}

function sandboxOptions(settings: Settings, tools: Tools) {
  const { clock, random, log } = tools;
  return {
    host: settings.sandboxHost,
    port: settings.sandboxPort,
    file: join(settings.dataFolder, 'sandbox.db'),
    clock,
    random,
    mbwayWindowMs: settings.mbwayWindowMs,
    mbwayGraceMs: settings.mbwayGraceMs,
    addresses: {
      hosts: [settings.sandboxHost, ...settings.sandboxPublicHosts, hostOf(settings.sandboxUrl)],
      serviceHosts: [urlHost(settings.host)],
      serviceUrl: settings.publicUrl,
    },
    log: (line: string) => log.debug({ part: 'sandbox' }, line),
  };
}

/** Returns the address of the sandbox's page in a browser. A public host is behind a proxy with a certificate. */
export function sandboxPage({ sandboxPublicHosts: [host] }: Settings, url: string): string {
  return host === undefined ? `${url}/` : `https://${host}/`;
}

function hostOf(url: string | null): string {
  return url === null ? '' : new URL(url).hostname;
}

/** Registers the callback address at the sandbox, and retries until the sandbox is running. */
export function registerAtSandbox(deps: Deps, publicUrl: string, closers: (() => Promise<void>)[]): void {
  const stopping = new AbortController();
  const registered = pRetry(
    async () => {
      await registerCallbacks(deps, publicUrl);
    },
    { retries: 100, minTimeout: 200, maxTimeout: 10_000, signal: stopping.signal },
  ).catch((error: unknown) => {
    if (!stopping.signal.aborted)
      deps.log.error({ detail: errorText(error) }, 'callback not registered at the sandbox');
  });
  closers.push(async () => {
    stopping.abort();
    await registered;
  });
}

/** Returns a host in URL form: an IPv6 address in brackets. */
export function urlHost(host: string): string {
  return host.includes(':') ? `[${host}]` : host;
}
