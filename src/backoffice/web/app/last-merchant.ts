const KEY = 'backoffice-merchant';

/** Stores the last viewed merchant in this browser. */
export function rememberMerchant(merchantId: string): void {
  try {
    localStorage.setItem(KEY, merchantId);
  } catch {
    // Storage may be unavailable.
  }
}

/** Returns the only merchant of the list, or the last viewed one if it is in the list. */
export function lastMerchant(among: readonly { readonly merchantId: string }[]): string | undefined {
  if (among.length === 1) return among[0]?.merchantId;
  try {
    const kept = localStorage.getItem(KEY);
    return among.find(({ merchantId }) => merchantId === kept)?.merchantId;
  } catch {
    return undefined;
  }
}
