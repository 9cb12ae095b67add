import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { createSecretReader, signHeaders } from '../../webhooks/signature.ts';
import { answeredAttempts, ownDelivery } from './store.ts';

/** What a delivery sends, byte for byte, and what came back. */
export interface DeliveryRequest {
  /** Where deliveries go now; the address of an earlier attempt is not kept. */
  url: string | null;
  /** The exact bytes of every attempt, UTF-8. */
  body: string;
  attempts: {
    number: number;
    headers: RequestHeader[];
    /** The first 4 kB of the answer; null when none came. */
    response: string | null;
  }[];
}

export interface RequestHeader {
  name: string;
  /** Null for a signature that the reader may not have. */
  value: string | null;
  /**
   * A signature is never stored: this one is made anew by today's secret, and after a rotation it differs from what was
   * sent.
   */
  signature: boolean;
}

const SIGNATURES = new Set(['X-Service-Signature', 'webhook-signature']);

/**
 * The request of a delivery, each attempt's headers as of its moment. Signatures are made for whoever may read the
 * secret itself. Null when the merchant has no such delivery.
 */
export async function deliveryRequest(
  deps: Pick<Deps, 'db' | 'box' | 'clock'>,
  deliveryId: string,
  merchantId: Id<'mer'>,
  mayReadSecret: boolean,
): Promise<DeliveryRequest | null> {
  const row = await ownDelivery(deps.db.read, deliveryId as Id<'dlv'>, merchantId);
  if (row === undefined) return null;
  const secrets = createSecretReader(deps.box)(merchantId, row, deps.clock.now());
  const attempts = await answeredAttempts(deps.db.read, row.id);
  return {
    url: row.webhook_url,
    body: row.body,
    attempts: attempts.map((attempt) => {
      const headers = signHeaders({
        body: row.body,
        kind: row.kind,
        eventId: row.event_id,
        deliveryId: row.id,
        now: Number(attempt.started_at),
        secrets,
      });
      return {
        number: attempt.number,
        headers: Object.entries(headers).map(([name, value]) => {
          const signature = SIGNATURES.has(name);
          return { name, value: signature && !mayReadSecret ? null : value, signature };
        }),
        response: attempt.response,
      };
    }),
  };
}
