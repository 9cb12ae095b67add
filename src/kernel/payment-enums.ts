/** The values that the contract, the tables and the back office share, in the order of lists and documentation. */
export const TRANSACTION_STATUSES = ['pending', 'paid', 'failed', 'cancelled'] as const;
export const METHODS = ['MBWAY', 'REFERENCE'] as const;
export const EVENT_KINDS = [
  'payment.success',
  'payment.failed',
  'payment.cancelled',
  'payment.refunded',
  'webhook.test',
] as const;
