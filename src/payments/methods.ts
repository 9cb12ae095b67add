import type { PaymentMethod } from '../db/tables/payments.ts';
import type { Deps } from '../deps.ts';
import { ERROR_TEXTS, ServiceError } from '../kernel/errors.ts';
import { type Cents, eurosFromCents } from '../kernel/money.ts';
import type { MethodsOutput } from './contract.ts';

export const METHOD_NAMES = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const satisfies Record<
  PaymentMethod,
  string
>;

export function isWithinMbwayLimit({ settings }: Pick<Deps, 'settings'>, amount: Cents): boolean {
  return amount <= settings.mbwayMaxCents;
}

/** Throws AMOUNT_ABOVE_METHOD_LIMIT when the amount exceeds the limit of MB WAY. */
export function requireWithinMbwayLimit(deps: Pick<Deps, 'settings'>, amount: Cents): void {
  if (isWithinMbwayLimit(deps, amount)) return;
  const text = ERROR_TEXTS.AMOUNT_ABOVE_METHOD_LIMIT(eurosFromCents(deps.settings.mbwayMaxCents));
  throw new ServiceError('AMOUNT_ABOVE_METHOD_LIMIT', text);
}

export function listMethods(): MethodsOutput {
  return {
    methods: [
      { id: 'MBWAY', name: METHOD_NAMES.MBWAY, active: true },
      { id: 'REFERENCE', name: METHOD_NAMES.REFERENCE, active: true },
      { id: 'CARD', name: 'Card', active: false, reason: 'Card payments are not available yet.' },
    ],
  };
}
