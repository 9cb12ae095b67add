import { z } from 'zod';
import { EVENT_KINDS, EVENT_PAYLOADS } from '../../webhooks/contract.ts';
import { exampleEventBody, exampleEventHeaders } from './examples.ts';

type Json = Record<string, unknown>;
type EventKind = (typeof EVENT_KINDS)[number];

export const SCHEMA_NAMES: Record<EventKind, string> = {
  'payment.success': 'PaymentSuccessEvent',
  'payment.failed': 'PaymentFailedEvent',
  'payment.cancelled': 'PaymentCancelledEvent',
  'webhook.test': 'WebhookTestEvent',
};

const SUMMARIES: Record<EventKind, string> = {
  'payment.success': 'Payment confirmed by the bank',
  'payment.failed': 'Payment failed',
  'payment.cancelled': 'Payment cancelled or lapsed',
  'webhook.test': 'Test of the webhook settings',
};

/** What receivers must know about every delivery, in Markdown. */
export const WEBHOOKS_TEXT = `Signed POST requests to the merchant's https address, sent when a transaction changes state. They are the authoritative confirmation of payment.

- **Verify first.** \`X-Service-Signature\` is \`sha256=\` and the lower-case hex of HMAC-SHA256 over the raw body, keyed with the UTF-8 bytes of the whole webhookSecret (\`whsec_…\`). Compare lengths, then compare in constant time, before the body is parsed; answer 401 when they differ. The Standard Webhooks headers (\`webhook-id\`, \`webhook-timestamp\`, \`webhook-signature\`) come along for whoever has a library for them.
- **Answer 2xx within 8 seconds**, better within one; work on it afterwards. A redirect is a failure. There are 4 attempts: at once, then 200 ms, 1 s and 5 s after the failed one. Then the delivery is undelivered and can be resent.
- **Deduplicate on \`data.id\` together with \`event\`.** The same event may arrive more than once, and one transaction can send two events: \`payment.cancelled\` or \`payment.failed\`, then \`payment.success\` when money arrives late. By \`data.id\` alone that money would be missed.
- Events of one transaction arrive in order.
- **A secret can be changed without a gap.** For 24 hours after a rotation \`webhook-signature\` carries the signatures of both secrets, the old one first, and \`X-Service-Signature\` stays that of the old one: take up the new secret, then finish the rotation. A leaked secret is rotated at once instead, and the new one signs alone.
- **Nothing is lost while an endpoint is down.** What ended undelivered, or was skipped while the webhook was off, can be sent again from a moment on, oldest first, also the latest event of each transaction alone. The events of an account are numbered without gaps and can be exported with the exact bytes that were sent.

\`\`\`js
const { createHmac, timingSafeEqual } = require('node:crypto');
function isGenuine(rawBody, header, webhookSecret) {
  const expected = Buffer.from('sha256=' + createHmac('sha256', webhookSecret).update(rawBody).digest('hex'));
  const given = Buffer.from(header || '');
  return given.length === expected.length && timingSafeEqual(given, expected);
}
\`\`\``;

/** Parameters of every delivery, less Content-Type, which OpenAPI tells by the body. */
function deliveryHeaders(kind: EventKind): Json[] {
  const examples = exampleEventHeaders(kind);
  const header = (name: string, description: string, schema: Json): Json => ({
    name,
    in: 'header',
    required: true,
    description,
    schema: { type: 'string', ...schema },
    example: examples[name],
  });
  return [
    header(
      'X-Service-Signature',
      '`sha256=` and the lower-case hex of HMAC-SHA256 over the raw body, keyed with the webhookSecret.',
      { pattern: '^sha256=[0-9a-f]{64}$' },
    ),
    header('X-Service-Event', 'The event kind.', { const: kind }),
    header('X-Service-Delivery-Id', 'The delivery: the same for its 4 attempts, new on a manual resend.', {}),
    header('User-Agent', 'The sender.', { const: 'Service-Webhook/1.0' }),
    header('webhook-id', "Standard Webhooks: the event's id, the same on a resend.", {}),
    header('webhook-timestamp', 'Standard Webhooks: when this attempt was sent, in seconds since 1970.', {
      pattern: '^\\d+$',
    }),
    header(
      'webhook-signature',
      'Standard Webhooks: `v1,` and base64 of HMAC-SHA256 over id, timestamp and body; several, separated by spaces, while a secret is rotated.',
      {},
    ),
  ];
}

/** The `webhooks` section: one entry per event kind. */
export function webhooksSection(): Json {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: webhookOperation(kind) }]));
}

function webhookOperation(kind: EventKind): Json {
  return {
    operationId: `on${SCHEMA_NAMES[kind].replace(/Event$/, '')}`,
    summary: SUMMARIES[kind],
    description: EVENT_PAYLOADS[kind].meta()?.description,
    tags: ['webhooks'],
    security: [],
    parameters: deliveryHeaders(kind),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${SCHEMA_NAMES[kind]}` },
          examples: {
            [exampleName(kind)]: { summary: SUMMARIES[kind], value: JSON.parse(exampleEventBody(kind)) },
          },
        },
      },
    },
    responses: {
      '2XX': { description: 'Received, when answered within 8 seconds. The body is ignored.' },
      default: { description: 'Anything else, a redirect or silence included, is a failed attempt.' },
    },
  };
}

function exampleName(kind: EventKind): string {
  return kind.replace('.', '-');
}

/** The schemas of the payloads, as components. */
export function webhookSchemas(): Record<string, Json> {
  return Object.fromEntries(
    EVENT_KINDS.map((kind) => {
      const { $schema: _, ...schema } = z.toJSONSchema(EVENT_PAYLOADS[kind], { io: 'output' });
      return [SCHEMA_NAMES[kind], schema];
    }),
  );
}
