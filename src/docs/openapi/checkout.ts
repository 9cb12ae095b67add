import { generateOpenApiDocument } from 'trpc-to-openapi';
import type { CreateSessionInput, CreateSessionOutput, SessionOutput } from '../../checkout/contract.ts';
import { CHECKOUT_PREFIX } from '../../http/paths.ts';
import { ERROR_TEXTS } from '../../kernel/errors.ts';
import { operations } from '../../router.ts';
import { createRouter } from '../../rpc/trpc.ts';
import {
  components,
  type Described,
  describe,
  describePaths,
  type OpenApiDocument,
  text,
} from './document.ts';
import { GET_CODES, INIT_CODES } from './errors.ts';
import type { Json } from './headers.ts';

/** The server address in the committed document. */
export const PLACEHOLDER_CHECKOUT_SERVER = `https://payments.example${CHECKOUT_PREFIX}`;

const router = createRouter({ checkout: operations.checkout });

const session = {
  sessionId: 'cs_01kaj2x4d0a6e9hpt2vq7mznjs',
  url: 'https://payments.example/pay/mVbq3n0vC9mG8y7lq1Q2Aw',
  status: 'open',
  expiresAt: '2026-11-22T10:03:12.000Z',
} as const satisfies CreateSessionOutput;

const request: CreateSessionInput = {
  orderId: 'ORDER-1001',
  amount: 49.9,
  customer: { name: 'Ana Silva', email: 'ana.silva@demo-shop.example' },
  items: [{ id: 'MUG-1', name: 'Mug', quantity: 2, priceInCents: 2495 }],
  storeUrl: 'https://demo-shop.example',
  successUrl: 'https://demo-shop.example/thanks?order=1001',
  cancelUrl: 'https://demo-shop.example/cart',
};

const state: SessionOutput = {
  ...session,
  transactionId: 'tx_01kaj2x4d0a6e9hpt2vq7mznjs',
  externalOrderId: 'ORDER-1001',
  amount: 49.9,
  currency: 'EUR',
};

const OPERATIONS: Readonly<Record<string, Described & { readonly name: string }>> = {
  post: {
    name: 'createSession',
    idempotent: true,
    requests: { session: { summary: 'A session that returns to the shop', value: request } },
    responses: { created: { summary: 'Created', value: session } },
    codes: [...INIT_CODES, 'AMOUNT_ABOVE_METHOD_LIMIT', 'AMOUNT_BELOW_METHOD_LIMIT', 'INTERNAL_ERROR'],
    errors: {
      INVALID_FIELDS: {
        error: 'successUrl: must be an https URL on a registered store domain, without credentials.',
        fields: ['successUrl'],
      },
      AMOUNT_BELOW_METHOD_LIMIT: { error: ERROR_TEXTS.AMOUNT_BELOW_METHOD_LIMIT('MB WAY and Multibanco', 1) },
    },
  },
  get: {
    name: 'session',
    idempotent: false,
    requests: {},
    responses: {
      open: { summary: 'Not paid yet', value: state },
      complete: { summary: 'Paid', value: { ...state, status: 'complete' } },
    },
    codes: [...GET_CODES, 'INVALID_FIELDS', 'TRANSACTION_NOT_FOUND', 'INTERNAL_ERROR'],
    notFound: 'The account has no such session.',
    errors: {
      INVALID_FIELDS: { error: 'sessionId: is required.', fields: ['sessionId'] },
      TRANSACTION_NOT_FOUND: {
        error:
          'The account has no such session. Send the sessionId that the creation of the session returned.',
      },
    },
  },
};

/** Returns the OpenAPI 3.1 document of the checkout operations. `server` is the base address with the version prefix. */
export function createCheckoutDocument(server: string): Omit<OpenApiDocument, 'webhooks'> {
  const generated = generateOpenApiDocument(router, { title: '', version: '', baseUrl: server });
  const schemas: Record<string, Json> = {};
  const paths = describePaths(generated.paths, (_path, method, operation) => {
    const described = OPERATIONS[method];
    if (described === undefined) throw new Error(`The checkout document has no texts for ${method}.`);
    return describe(described.name, method, described, operation, schemas);
  });
  return {
    openapi: '3.1.0',
    info: {
      title: 'Payment Collection Service: Checkout',
      version: '1.0.0',
      summary: 'Send customers to a hosted payment page for MB WAY and Multibanco.',
      description: text('checkout'),
      contact: { name: 'The operator of the service' },
      license: { name: 'MIT', identifier: 'MIT' },
    },
    servers: [{ url: server }],
    tags: [{ name: 'checkout', description: 'Create a session with its payment page, read its state.' }],
    security: [{ apiKey: [] }],
    paths,
    components: components(schemas),
  };
}
