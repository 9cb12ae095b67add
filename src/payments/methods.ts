import type { MethodsOutput } from './contract.ts';

/** The payment methods of the platform. */
export function listMethods(): MethodsOutput {
  return {
    methods: [
      { id: 'MBWAY', name: 'MB WAY', active: true },
      { id: 'REFERENCE', name: 'Multibanco', active: true },
      { id: 'CARD', name: 'Card', active: false, reason: 'Card payments are not available yet.' },
    ],
  };
}
