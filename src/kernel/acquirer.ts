/** The acquirers that the service can work with. */
export const ACQUIRERS = ['ifthenpay', 'eupago'] as const;
export type Acquirer = (typeof ACQUIRERS)[number];

/** The acquirers' own spelling. */
export const ACQUIRER_NAMES: Readonly<Record<Acquirer, string>> = {
  ifthenpay: 'ifthenpay',
  eupago: 'EuPago',
};
