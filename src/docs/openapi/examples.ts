import type { EventKind, StatusEventKind } from '../../db/tables/webhooks.ts';
import { cents } from '../../kernel/money.ts';
import type * as payments from '../../payments/contract.ts';
import { listMethods } from '../../payments/methods.ts';
import { type EventContent, eventBody, type TransactionData } from '../../webhooks/append.ts';
import { signHeaders } from '../../webhooks/signature.ts';

type Examples<T> = Readonly<Record<string, { readonly summary: string; readonly value: T }>>;

export const EXAMPLE_REQUEST_ID = 'req_01kaj2x5r7m3q8vtwz5kd6ybcf';
const EXAMPLE_TRANSACTION_ID = 'tx_01kaj2x4d0a6e9hpt2vq7mznjs';

const paid = {
  transactionId: EXAMPLE_TRANSACTION_ID,
  externalOrderId: 'ORDER-1001',
  status: 'paid',
  paymentMethod: 'MBWAY',
  amount: 49.9,
  currency: 'EUR',
  paidAt: '2026-11-21T10:03:27.000Z',
} as const;

const initRequests: Examples<payments.InitInput> = {
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
    summary: 'With aliases',
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
    summary: 'The minimum, for an account that has paid sales',
    value: { orderId: 'ORDER-1003', amount: 5, storeUrl: 'https://demo-shop.example' },
  },
};

const initResponses: Examples<payments.InitOutput> = {
  created: {
    summary: 'Created',
    value: { transactionId: EXAMPLE_TRANSACTION_ID, amount: 49.9, currency: 'EUR' },
  },
};

const mbwayRequests: Examples<payments.MbwayInput> = {
  push: {
    summary: 'An MB WAY push',
    value: { transactionId: EXAMPLE_TRANSACTION_ID, phoneNumber: '912345678' },
  },
};

const mbwayResponses: Examples<payments.MbwayOutput> = {
  sent: {
    summary: 'Push sent',
    value: {
      success: true,
      message: 'The MB WAY notification was sent. The customer has 4 minutes to confirm it in the app.',
    },
  },
};

const multibancoRequests: Examples<payments.MultibancoInput> = {
  reference: { summary: 'A Multibanco reference', value: { transactionId: EXAMPLE_TRANSACTION_ID } },
};

const mb = { entity: '11473', reference: '512345678', expiresAt: '2026-11-24T23:59:59.000Z' };

const multibancoResponses: Examples<payments.MultibancoOutput> = {
  reference: {
    summary: 'The reference to show to the customer',
    value: { entity: mb.entity, reference: mb.reference, amount: 49.9, expiresAt: mb.expiresAt },
  },
};

const statusResponses: Examples<payments.StatusOutput> = {
  paid: { summary: 'Paid by MB WAY', value: paid },
  waiting: {
    summary: 'A Multibanco reference that is not paid yet',
    value: { ...paid, status: 'pending', paymentMethod: 'REFERENCE', paidAt: null, mb },
  },
  created: {
    summary: 'No payment method started',
    value: { ...paid, status: 'pending', paymentMethod: null, paidAt: null },
  },
};

const methodsResponses: Examples<payments.MethodsOutput> = {
  methods: { summary: 'All methods', value: listMethods() },
};

export const EXAMPLES = {
  init: { requests: initRequests, responses: initResponses },
  mbway: { requests: mbwayRequests, responses: mbwayResponses },
  multibanco: { requests: multibancoRequests, responses: multibancoResponses },
  status: { requests: {}, responses: statusResponses },
  methods: { requests: {}, responses: methodsResponses },
} as const;

export type OperationName = keyof typeof EXAMPLES;

/** When the example transaction changed status, and when its event was sent. */
const EXAMPLE_CHANGED_AT = Date.UTC(2026, 10, 21, 10, 3, 29, 412);
const EXAMPLE_SENT_AT = Date.UTC(2026, 10, 21, 10, 3, 29, 440);
/** The secret that signs the examples and nothing else. */
export const EXAMPLE_WEBHOOK_SECRET = `whsec_${Buffer.from('an example, never a real secret!').toString('base64')}`;

const exampleData: Record<StatusEventKind, Partial<TransactionData>> = {
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

/** Returns the body of an example event, made by the code that makes real events. */
export function exampleEventBody(kind: EventKind): string {
  return eventBody(EXAMPLE_CHANGED_AT, exampleContent(kind));
}

function exampleContent(kind: EventKind): EventContent {
  if (kind === 'payment.refunded') {
    const refund = { id: 'ref_01kaj2x7w1d5z8m3q9t4v6b2hc', amount: cents(1000) } as const;
    const order = { transactionId: EXAMPLE_TRANSACTION_ID, externalOrderId: paid.externalOrderId };
    return { kind, data: { ...refund, ...order, paymentMethod: 'MBWAY', refundedAt: EXAMPLE_CHANGED_AT } };
  }
  const data: TransactionData = {
    id: EXAMPLE_TRANSACTION_ID,
    externalOrderId: paid.externalOrderId,
    amount: cents(4990),
    paymentMethod: 'MBWAY',
    status: 'pending',
    paidAt: null,
    ...exampleData[kind],
  };
  return { kind, data };
}

/** Returns the headers of an example delivery, signed with the example secret. */
export function exampleEventHeaders(kind: EventKind): Readonly<Record<string, string>> {
  return signHeaders({
    body: exampleEventBody(kind),
    kind,
    eventId: 'evt_01kaj2x6p8e4y1k7b2r9fzgq3a',
    deliveryId: 'dlv_01kaj2x6q2v9s4n8d0t3m5hcwz',
    now: EXAMPLE_SENT_AT,
    secrets: [EXAMPLE_WEBHOOK_SECRET],
  });
}
