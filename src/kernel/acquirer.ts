/** The acquirers that the service can work with. */
export const ACQUIRERS = ['ifthenpay', 'eupago'] as const;
export type Acquirer = (typeof ACQUIRERS)[number];
