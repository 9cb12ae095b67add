import type { EventKind } from '../../db/tables/tables.ts';
import { cents } from '../../kernel/money.ts';
import type {
  InitInput,
  InitOutput,
  MbwayInput,
  MbwayOutput,
  MethodsOutput,
  MultibancoInput,
  MultibancoOutput,
  StatusOutput,
} from '../../payments/contract.ts';
import { listMethods } from '../../payments/methods.ts';
import { eventBody, type NewEvent } from '../../webhooks/append.ts';
import { signHeaders } from '../../webhooks/signature.ts';

/** One named example of a body. */
export interface Example<T = unknown> {
  readonly summary: string;
  readonly value: T;
}

type Examples<T> = Readonly<Record<string, Example<T>>>;

export const EXAMPLE_REQUEST_ID = 'req_01kaj2x5r7m3q8vtwz5kd6ybcf';
export const EXAMPLE_TRANSACTION_ID = 'tx_01kaj2x4d0a6e9hpt2vq7mznjs';

const paid = {
  transactionId: EXAMPLE_TRANSACTION_ID,
  externalOrderId: 'ORDER-1001',
  status: 'paid',
  paymentMethod: 'MBWAY',
  amount: 49.9,
  currency: 'EUR',
  paidAt: '2026-11-21T10:03:27.000Z',
} as const;

export const initRequests: Examples<InitInput> = {
  full: {
    summary: 'With customer, items and tracking',
    value: {
      orderId: 'ORDER-1001',
      amount: 49.9,
      currency: 'EUR',
      customer: {
        name: 'Ana Silva',
        email: 'ana.silva@demo-shop.example',
        phone: '912345678',
        address: 'Rua das Flores 12',
        city: 'Porto',
        postalCode: '4050-262',
        country: 'PT',
      },
      shippingAddress: { line1: 'Rua do Sol 3', city: 'Lisboa', postalCode: '1200-001', country: 'PT' },
      items: [
        { id: 'MUG-1', name: 'Mug', quantity: 2, priceInCents: 1250 },
        { id: 204, name: 'Teapot', quantity: 1, price: 24.9 },
      ],
      storeUrl: 'https://demo-shop.example',
      trackingParameters: { utm_source: 'newsletter', utm_campaign: 'november' },
    },
  },
  aliases: {
    summary: 'The same members by their aliases',
    value: {
      orderId: 'ORDER-1002',
      amount: 12.5,
      customerName: 'Ana Silva',
      customer: { email: 'ana.silva@demo-shop.example', zip: '4050-262' },
      shippingAddress: { address_line1: 'Rua do Sol 3', zip: '1200-001', city: 'Lisboa', country: 'PT' },
      items: [{ id: 'MUG-1', name: 'Mug', quantity: 1, price: 12.5 }],
      storeUrl: 'https://demo-shop.example',
    },
  },
  minimal: {
    summary: 'The least, for an account that has paid sales',
    value: { orderId: 'ORDER-1003', amount: 5, storeUrl: 'https://demo-shop.example' },
  },
};

export const initAnswers: Examples<InitOutput> = {
  created: {
    summary: 'Created, pending',
    value: { transactionId: EXAMPLE_TRANSACTION_ID, amount: 49.9, currency: 'EUR' },
  },
};

export const mbwayRequests: Examples<MbwayInput> = {
  push: {
    summary: 'A push to a phone',
    value: { transactionId: EXAMPLE_TRANSACTION_ID, phoneNumber: '912345678' },
  },
};

export const mbwayAnswers: Examples<MbwayOutput> = {
  sent: {
    summary: 'Sent; the customer decides',
    value: {
      success: true,
      message: 'The MB WAY notification was sent. The customer has 4 minutes to confirm it in the app.',
    },
  },
};

export const multibancoRequests: Examples<MultibancoInput> = {
  reference: { summary: 'A reference', value: { transactionId: EXAMPLE_TRANSACTION_ID } },
};

const mb = { entity: '11473', reference: '512345678', expiresAt: '2026-11-24T23:59:59.000Z' };

export const multibancoAnswers: Examples<MultibancoOutput> = {
  reference: {
    summary: 'What the customer types at the bank',
    value: { entity: mb.entity, reference: mb.reference, amount: 49.9, expiresAt: mb.expiresAt },
  },
};

export const statusAnswers: Examples<StatusOutput> = {
  paid: { summary: 'Paid by MB WAY', value: paid },
  waiting: {
    summary: 'A Multibanco reference, not paid yet',
    value: { ...paid, status: 'pending', paymentMethod: 'REFERENCE', paidAt: null, mb },
  },
  created: {
    summary: 'No method step yet',
    value: { ...paid, status: 'pending', paymentMethod: null, paidAt: null },
  },
};

export const methodsAnswers: Examples<MethodsOutput> = {
  methods: { summary: 'All methods', value: listMethods() },
};

/** When the example's state changed, and when its event was sent. */
const EXAMPLE_CHANGED_AT = Date.UTC(2026, 10, 21, 10, 3, 29, 412);
const EXAMPLE_SENT_AT = Date.UTC(2026, 10, 21, 10, 3, 29, 440);
/** Signs the examples alone. */
export const EXAMPLE_WEBHOOK_SECRET = `whsec_${Buffer.from('an example, never a real secret!').toString('base64')}`;

const exampleData: Record<EventKind, Partial<NewEvent['data']>> = {
  'payment.success': { status: 'paid', paidAt: Date.parse(paid.paidAt) },
  'payment.failed': { status: 'failed' },
  'payment.cancelled': { status: 'cancelled' },
  'webhook.test': {
    id: 'tx_test_01kaj2x9v3c8w1fry6b4mgdkqe',
    externalOrderId: 'TEST',
    amount: cents(100),
    paymentMethod: null,
    status: 'pending',
  },
};

/** The bytes of one event of each kind, made as the service makes those that it sends. */
export function exampleEventBody(kind: EventKind): string {
  return eventBody(kind, EXAMPLE_CHANGED_AT, {
    id: EXAMPLE_TRANSACTION_ID,
    externalOrderId: paid.externalOrderId,
    amount: cents(4990),
    paymentMethod: 'MBWAY',
    status: 'pending',
    paidAt: null,
    ...exampleData[kind],
  });
}

/** The headers that would carry that body, signed with the example's secret. */
export function exampleEventHeaders(kind: EventKind): Readonly<Record<string, string>> {
  return signHeaders({
    body: exampleEventBody(kind),
    kind,
    eventId: 'evt_01kaj2x6p8e4y1k7b2r9fzgq3a',
    deliveryId: 'dlv_01kaj2x6q2v9s4n8d0t3m5hcwz',
    now: EXAMPLE_SENT_AT,
    secrets: { current: EXAMPLE_WEBHOOK_SECRET },
  });
}
