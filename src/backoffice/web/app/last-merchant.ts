const KEY = 'backoffice-merchant';

/** Keeps the merchant that was looked at last, in this browser. */
export function rememberMerchant(merchantId: string): void {
  try {
    localStorage.setItem(KEY, merchantId);
  } catch {
    // A browser that keeps nothing asks again.
  }
}

/** The merchant that was looked at last, when it is still among these. */
export function lastMerchant(among: readonly { readonly merchantId: string }[]): string | undefined {
  try {
    const kept = localStorage.getItem(KEY);
    return among.find(({ merchantId }) => merchantId === kept)?.merchantId;
  } catch {
    return undefined;
  }
}
