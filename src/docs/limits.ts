import type { Settings } from '../config.ts';
import { AMOUNT_MAX_CENTS, eurosFromCents } from '../kernel/money.ts';

/** Returns the limits that the settings of this service determine, as text for `{{limit NAME}}` in a page. */
export function limitTexts(settings: Settings): Readonly<Record<string, string>> {
  return {
    postRateLimit: settings.postRateLimit === 0 ? 'off' : `${settings.postRateLimit} per minute`,
    amountMax: `${eurosFromCents(AMOUNT_MAX_CENTS)} EUR`,
    mbwayWindow: duration(settings.mbwayWindowMs),
    mbwayGrace: duration(settings.mbwayGraceMs),
    mbwayMax: `${settings.mbwayMaxCents / 100} EUR`,
    multibancoDays: settings.multibancoDays === 0 ? 'the same day' : `${settings.multibancoDays} days`,
    multibancoGrace: duration(settings.multibancoGraceMs),
    pending: duration(settings.pendingMs),
  };
}

/** 240000 is `4 minutes`. */
function duration(ms: number): string {
  const units = [
    [3_600_000, 'hour'],
    [60_000, 'minute'],
    [1000, 'second'],
  ] as const;
  const [size, unit] = units.find(([length]) => ms >= length && ms % length === 0) ?? [1000, 'second'];
  const count = ms / size;
  return `${count} ${unit}${count === 1 ? '' : 's'}`;
}
