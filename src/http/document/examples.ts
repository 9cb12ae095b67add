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
        email: 'ana.silva@shop.example',
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
      storeUrl: 'https://shop.example',
      trackingParameters: { utm_source: 'newsletter', utm_campaign: 'november' },
    },
  },
  aliases: {
    summary: 'The same members by their aliases',
    value: {
      orderId: 'ORDER-1002',
      amount: 12.5,
      customerName: 'Ana Silva',
      customer: { email: 'ana.silva@shop.example', zip: '4050-262' },
      shippingAddress: { address_line1: 'Rua do Sol 3', zip: '1200-001', city: 'Lisboa', country: 'PT' },
      items: [{ id: 'MUG-1', name: 'Mug', quantity: 1, price: 12.5 }],
      storeUrl: 'https://shop.example',
    },
  },
  minimal: {
    summary: 'The least, for an account that has paid sales',
    value: { orderId: 'ORDER-1003', amount: 5, storeUrl: 'https://shop.example' },
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

const event = (kind: string, data: Record<string, unknown>) => ({
  event: kind,
  timestamp: '2026-11-21T10:03:29.412Z',
  data: {
    id: EXAMPLE_TRANSACTION_ID,
    externalOrderId: 'ORDER-1001',
    amount: 49.9,
    currency: 'EUR',
    paymentMethod: 'MBWAY',
    ...data,
  },
});

/** One body of each event kind. */
export const eventExamples = {
  'payment.success': event('payment.success', { status: 'paid', paidAt: paid.paidAt }),
  'payment.failed': event('payment.failed', { status: 'failed', paidAt: null }),
  'payment.cancelled': event('payment.cancelled', { status: 'cancelled', paidAt: null }),
  'webhook.test': event('webhook.test', {
    id: 'tx_test_01kaj2x9v3c8w1fry6b4mgdkqe',
    externalOrderId: 'TEST',
    amount: 1,
    paymentMethod: null,
    status: 'pending',
    paidAt: null,
  }),
} as const;
