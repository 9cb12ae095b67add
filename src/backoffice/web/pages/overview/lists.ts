type Method = 'MBWAY' | 'REFERENCE';

/** The list of sales since a day, of one method on request. */
export function paidSince(merchantId: string, from: string, method?: Method): string {
  return `/m/${merchantId}/transactions?state=paid&by=paid&from=${from}${method === undefined ? '' : `&method=${method}`}`;
}

export function paidOn(merchantId: string, day: string): string {
  return `${paidSince(merchantId, day)}&to=${day}`;
}
