export const ACQUIRERS = ['ifthenpay', 'eupago'] as const;
export type Acquirer = (typeof ACQUIRERS)[number];

export const ACQUIRER_NAMES: Readonly<Record<Acquirer, string>> = {
  ifthenpay: 'ifthenpay',
  eupago: 'EuPago',
};

/** The forms of the keys in ifthenpay's credentials. */
export const IFTHENPAY_KEYS = {
  method: /^[A-Z]{3}-\d{6}$/,
  backoffice: /^\d{4}-\d{4}-\d{4}-\d{4}$/,
  antiPhishing: /^(?!0+$)[!-~]{8,100}$/,
};

/** The forms of the keys in EuPago's credentials. The webhook key is one of AES-256. */
export const EUPAGO_KEYS = { printable: /^[!-~]{1,200}$/, webhookBytes: 32 };
