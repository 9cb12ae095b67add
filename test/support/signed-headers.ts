import { type Signable, signHeaders } from '../../src/webhooks/signature.ts';

/** The headers with which the service sends `body` now, of a successful payment unless told otherwise. */
export function signedHeaders(
  body: string,
  secrets: Signable['secrets'],
  { kind = 'payment.success', now = Date.now() }: Partial<Signable> = {},
): Record<string, string> {
  return signHeaders({ body, kind, eventId: 'evt_1', deliveryId: 'dlv_1', now, secrets });
}
