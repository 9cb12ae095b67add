import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { signHeaders, signingSecrets } from '../../webhooks/signature.ts';
import { notFound } from '../errors.ts';
import { attemptsWithAnswers } from '../webhook/store.ts';
import { ownDelivery } from './store.ts';

const SIGNATURES = new Set(['X-Service-Signature', 'webhook-signature']);

/**
 * The exact request of a delivery, with the headers of each attempt. Signatures are not stored: they are computed with the
 * current secrets, for readers who may see them (`mayReadSecret`). Throws NOT_FOUND.
 */
export async function deliveryRequest(
  deps: Pick<Deps, 'db' | 'box' | 'clock'>,
  deliveryId: Id<'dlv'>,
  merchantId: Id<'mer'>,
  mayReadSecret: boolean,
) {
  const row = await ownDelivery(deps.db.read, deliveryId, merchantId);
  if (row === undefined) throw notFound();
  const secrets = signingSecrets(deps.box, merchantId, row, deps.clock.now());
  const attempts = await attemptsWithAnswers(deps.db.read, row.id);
  return {
    /** The current URL; the URL of an earlier attempt is not stored. */
    url: row.webhook_url,
    body: row.body,
    attempts: attempts.map(({ number, startedAt }) => {
      const headers = signHeaders({
        body: row.body,
        kind: row.kind,
        eventId: row.event_id,
        deliveryId: row.id,
        now: startedAt,
        secrets,
      });
      return {
        number,
        headers: Object.entries(headers).map(([name, value]) => {
          const signature = SIGNATURES.has(name);
          return { name, value: signature && !mayReadSecret ? null : value, signature };
        }),
      };
    }),
  };
}

export type DeliveryRequest = Awaited<ReturnType<typeof deliveryRequest>>;
