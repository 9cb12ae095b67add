const KEY = 'backoffice-merchant';

/** Stores the last viewed merchant in this browser. */
export function rememberMerchant(merchantId: string): void {
  try {
    localStorage.setItem(KEY, merchantId);
  } catch {
    // Storage may be unavailable.
  }
}

/** Returns the last viewed merchant if it is in the list. */
export function lastMerchant(among: readonly { readonly merchantId: string }[]): string | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return among.find(({ merchantId }) => merchantId === kept)?.merchantId;
  } catch {
    return undefined;
  }
}
