import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { newToken } from './session.ts';

/** How long a browser stays known after its last sign-in. */
export const DEVICE_MS = 180 * 24 * 3_600_000;
/** The context that the cookie is encrypted for. */
const PLACE = 'cookie.device';

interface Device {
  readonly id: string;
  readonly userId: string;
  readonly at: number;
}

/** A cookie that makes the browser known to a person who has just signed in. It gives no access. */
export function newDevice(deps: Pick<Deps, 'box' | 'clock' | 'random'>, userId: Id<'usr'>): string {
  const device: Device = { id: newToken(deps.random), userId, at: deps.clock.now() };
  return deps.box.encrypt(JSON.stringify(device), PLACE);
}

/** The id of the browser if its cookie makes it known to this person; else null. */
export function knownDevice(
  { box, clock }: Pick<Deps, 'box' | 'clock'>,
  cookie: string | null,
  userId: Id<'usr'>,
): string | null {
  if (cookie === null) return null;
  try {
    const device = JSON.parse(box.decrypt(cookie, PLACE)) as Device;
    return device.userId === userId && clock.now() - device.at < DEVICE_MS ? device.id : null;
  } catch {
    // Altered, or made with another secret key.
    return null;
  }
}
