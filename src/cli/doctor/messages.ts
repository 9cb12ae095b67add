import type { EventKind, TransactionStatus } from '../../db/tables/tables.ts';
import type { Cents } from '../../kernel/money.ts';
import { type Random, randomText } from '../../kernel/random.ts';
import { eventBody } from '../../webhooks/append.ts';
import { type SigningSecrets, signHeaders } from '../../webhooks/signature.ts';
import type { Post } from '../post.ts';

const LETTERS = '0123456789abcdefghjkmnpqrstvwxyz';
const ID_LENGTH = 20;

const STATUS_OF: Readonly<Record<EventKind, TransactionStatus>> = {
  'payment.success': 'paid',
  'payment.failed': 'failed',
  'payment.cancelled': 'cancelled',
  'webhook.test': 'pending',
};

/** What all invented payments of one examination have in common. */
export interface Invented {
  random: Random;
  orderId: string;
  amount: Cents;
}

/** One event, as the service would make it, of a payment that never was. */
export interface InventedEvent {
  kind: EventKind;
  eventId: `evt_${string}`;
  body: string;
}

/** A new data.id. */
export function newPayment({ random }: Invented): string {
  return `tx_doctor_${randomText(random, ID_LENGTH, LETTERS)}`;
}

/** An event of the payment `id`; `at` is when its state changed, UTC milliseconds. */
export function newEvent(invented: Invented, kind: EventKind, id: string, at: number): InventedEvent {
  const test = kind === 'webhook.test';
  const body = eventBody(kind, at, {
    id: test ? id.replace('tx_', 'tx_test_') : id,
    externalOrderId: test ? 'TEST' : invented.orderId,
    amount: invented.amount,
    paymentMethod: test ? null : 'MBWAY',
    status: STATUS_OF[kind],
    paidAt: kind === 'payment.success' ? at : null,
  });
  return { kind, eventId: `evt_doctor_${randomText(invented.random, ID_LENGTH, LETTERS)}`, body };
}

/** The same event with another text of its body; what it tells stays the same. */
export function rewritten(
  event: InventedEvent,
  write: (value: Record<string, unknown>) => string,
): InventedEvent {
  return { ...event, body: write(JSON.parse(event.body) as Record<string, unknown>) };
}

/** The event as one attempt of a delivery sends it at `now`; another call is another delivery, unless it is given the id of one. */
export function signedPost(
  { random }: Pick<Invented, 'random'>,
  event: InventedEvent,
  secrets: SigningSecrets,
  { now, deliveryId }: { now: number; deliveryId?: `dlv_${string}` },
): Post {
  const id = deliveryId ?? newDeliveryId(random);
  return { headers: signHeaders({ ...event, secrets, deliveryId: id, now }), body: event.body };
}

export function newDeliveryId(random: Random): `dlv_${string}` {
  return `dlv_doctor_${randomText(random, ID_LENGTH, LETTERS)}`;
}

/** The post without the headers of these names. */
export function without(post: Post, ...names: string[]): Post {
  return {
    ...post,
    headers: Object.fromEntries(Object.entries(post.headers).filter(([name]) => !names.includes(name))),
  };
}

/** JSON that says the same in other bytes: indented, and with every letter beyond ASCII escaped. */
export function indented(value: unknown): string {
  return JSON.stringify(value, null, 2).replace(
    /[\u0080-\uffff]/g,
    (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
