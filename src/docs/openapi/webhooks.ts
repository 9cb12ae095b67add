import { z } from 'zod';
import type { EventKind } from '../../db/tables/webhooks.ts';
import { EVENT_KINDS } from '../../kernel/payment-enums.ts';
import { EVENT_PAYLOADS } from '../../webhooks/contract.ts';
import { ATTEMPT_DELAYS_MS, ATTEMPT_TIMEOUT_MS } from '../../webhooks/delivery/schedule.ts';
import { exampleEventBody, exampleEventHeaders } from './examples.ts';
import type { Json } from './headers.ts';

/** The name of an event's schema: `PaymentSuccessEvent`. */
export function eventSchemaName(kind: EventKind): string {
  return `${eventName(kind)}Event`;
}

function eventName(kind: EventKind): string {
  return kind.replace(/(?:^|\.)(\w)/g, (_match, letter: string) => letter.toUpperCase());
}

/** The headers of a delivery, except Content-Type, which OpenAPI derives from the body. */
function deliveryHeaders(kind: EventKind): Json[] {
  const examples = exampleEventHeaders(kind);
  const header = (name: string, description: string, schema: Json = {}): Json => ({
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
      '`sha256=` and the lower-case hex HMAC-SHA256 of the raw body, keyed with the webhookSecret.',
      { pattern: '^sha256=[0-9a-f]{64}$' },
    ),
    header('X-Service-Event', 'The kind of event.', { const: kind }),
    header(
      'X-Service-Delivery-Id',
      `The delivery. The same for its ${ATTEMPT_DELAYS_MS.length} attempts, new for a manual resend.`,
    ),
    header('User-Agent', 'The sender.', { const: 'Service-Webhook/1.0' }),
    header('webhook-id', 'Standard Webhooks: the identifier of the event. The same for a resend.'),
    header(
      'webhook-timestamp',
      'Standard Webhooks: when this attempt was sent, as a Unix timestamp in seconds.',
      { pattern: '^\\d+$' },
    ),
    header(
      'webhook-signature',
      'Standard Webhooks: `v1,` and the base64 HMAC-SHA256 of id, timestamp and body. Several values, separated by spaces, during a rotation.',
    ),
  ];
}

export function webhooksSection(): Json {
  return Object.fromEntries(EVENT_KINDS.map((kind) => [kind, { post: webhookOperation(kind) }]));
}

function webhookOperation(kind: EventKind): Json {
  const { title, description } = EVENT_PAYLOADS[kind].meta() ?? {};
  return {
    operationId: `on${eventName(kind)}`,
    summary: title,
    description,
    tags: ['webhooks'],
    security: [],
    parameters: deliveryHeaders(kind),
    requestBody: {
      required: true,
      content: {
        'application/json': {
          schema: { $ref: `#/components/schemas/${eventSchemaName(kind)}` },
          examples: {
            [kind.replace('.', '-')]: { summary: title, value: JSON.parse(exampleEventBody(kind)) },
          },
        },
      },
    },
    responses: {
      '2XX': {
        description: `Delivered, if the response arrives within ${ATTEMPT_TIMEOUT_MS / 1000} seconds and has at most 256 KiB. Its content is ignored.`,
      },
      default: { description: 'Any other response, a redirect or a timeout is a failed attempt.' },
    },
  };
}

export function webhookSchemas(): Record<string, Json> {
  return Object.fromEntries(
    EVENT_KINDS.map((kind) => {
      const { $schema: _, title: __, ...schema } = z.toJSONSchema(EVENT_PAYLOADS[kind], { io: 'output' });
      return [eventSchemaName(kind), schema];
    }),
  );
}
