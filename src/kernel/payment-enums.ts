/** The values that the contract, the tables and the back office share, in the order of lists and documentation. */
export const TRANSACTION_STATUSES = ['pending', 'paid', 'failed', 'cancelled'] as const;
export const METHODS = ['MBWAY', 'REFERENCE'] as const;
/** The ways in which a receipt can differ from its order. */
export const ORDER_FLAGS = ['late', 'duplicate', 'under', 'over'] as const;
export const RECEIPT_FLAGS = [...ORDER_FLAGS, 'unmatched'] as const;
export const EVENT_KINDS = [
  'payment.success',
  'payment.failed',
  'payment.cancelled',
  'payment.refunded',
  'webhook.test',
] as const;
