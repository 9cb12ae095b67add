import { onTestFinished } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { exchange } from '../../src/webhooks/transport/exchange.ts';
import { createTransport } from '../../src/webhooks/transport/transport.ts';

export const UNREACHABLE = 'The endpoint could not be reached over https.';

/** A transport to any network unless told otherwise, destroyed after the test. */
export function transport(options: Partial<Parameters<typeof createTransport>[0]> = {}) {
  const made = createTransport({ allowPrivateNetworks: true, connectionsMax: 4, ...options });
  onTestFinished(() => made.destroy());
  return made;
}

/** Sends one request. */
export const post = (by: ReturnType<typeof transport>, url: string) =>
  exchange({ clock: systemClock, transport: by }, 'mer_1', { url, headers: {}, body: '{}' });
