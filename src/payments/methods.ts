import type { PaymentMethod } from '../db/tables/payments.ts';
import type { MethodsOutput } from './contract.ts';

/** The display names. */
export const METHOD_NAMES = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const satisfies Record<
  PaymentMethod,
  string
>;

/** The payment methods of the platform. */
export function listMethods(): MethodsOutput {
  return {
    methods: [
      { id: 'MBWAY', name: METHOD_NAMES.MBWAY, active: true },
      { id: 'REFERENCE', name: METHOD_NAMES.REFERENCE, active: true },
      { id: 'CARD', name: 'Card', active: false, reason: 'Card payments are not available yet.' },
    ],
  };
}
