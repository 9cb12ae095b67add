import type { Deps } from '../../deps.ts';
import { AMOUNT_MAX_CENTS } from '../../kernel/money.ts';
import { listMethods } from '../../payments/methods.ts';

export interface MethodLimits {
  id: 'MBWAY' | 'REFERENCE' | 'CARD';
  name: string;
  active: boolean;
  /** The smallest and largest amount that it takes, both included; null while it is not active. */
  minCents: number | null;
  maxCents: number | null;
  /** How long the customer has to confirm (MB WAY); null elsewhere. */
  windowMs: number | null;
  /** For how many days after today a reference can be paid (Multibanco); null elsewhere. */
  days: number | null;
}

/** The payment methods as the API lists them, with what each takes and for how long. */
export function methodLimits({ settings }: Pick<Deps, 'settings'>): MethodLimits[] {
  return listMethods().methods.map(({ id, name, active }) => ({
    id,
    name,
    active,
    minCents: active ? 1 : null,
    maxCents: active ? (id === 'MBWAY' ? settings.mbwayMaxCents : AMOUNT_MAX_CENTS) : null,
    windowMs: id === 'MBWAY' ? settings.mbwayWindowMs : null,
    days: id === 'REFERENCE' ? settings.multibancoDays : null,
  }));
}
