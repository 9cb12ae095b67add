import { Validator } from '@seriousme/openapi-schema-validator';
import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument, PLACEHOLDER_SERVER } from '../../src/docs/openapi/document.ts';
import { DOCUMENT_PATH } from '../../src/docs/plugin.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import * as contract from '../../src/payments/contract.ts';
import { EVENT_KINDS, EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';
import { serveDocs } from './pages.ts';

interface Body {
  readonly content: {
    readonly 'application/json': {
      readonly schema: { readonly $ref: string };
      readonly examples: Readonly<Record<string, { readonly value: unknown }>>;
    };
  };
}

interface Operation {
  readonly security?: unknown;
  readonly parameters: readonly { readonly name?: string; readonly $ref?: string; readonly in?: string }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<
    Record<
      string,
      Body & { readonly description: string; readonly headers: Readonly<Record<string, unknown>> }
    >
  >;
}

type Paths = Readonly<Record<string, Readonly<Record<string, Operation>>>>;

const document = JSON.parse(JSON.stringify(createDocument(PLACEHOLDER_SERVER)));
const paths: Paths = document.paths;
const webhooks: Paths = document.webhooks;

const OPERATIONS: Record<string, { codes: string; input?: z.ZodType; output: z.ZodType }> = {
  'post /payments/init': {
    codes:
      'INVALID_BODY INVALID_FIELDS STORE_DOMAIN_REQUIRED CHECKOUT_DATA_REQUIRED IDEMPOTENCY_KEY_REUSED UNAUTHORIZED ACCOUNT_INACTIVE DOMAIN_NOT_ALLOWED RATE_LIMITED INTERNAL_ERROR',
    input: contract.InitInput,
    output: contract.InitOutput,
  },
  'post /payments/mbway': {
    codes:
      'INVALID_BODY INVALID_FIELDS TRANSACTION_NOT_PENDING MBWAY_PUSH_OPEN AMOUNT_ABOVE_METHOD_LIMIT MBWAY_PHONE_REJECTED UNAUTHORIZED ACCOUNT_INACTIVE TRANSACTION_NOT_FOUND RATE_LIMITED INTERNAL_ERROR BANK_UNAVAILABLE BANK_OUTCOME_UNKNOWN BANK_REFUSED',
    input: contract.MbwayInput,
    output: contract.MbwayOutput,
  },
  'post /payments/multibanco': {
    codes:
      'INVALID_BODY INVALID_FIELDS TRANSACTION_NOT_PENDING UNAUTHORIZED ACCOUNT_INACTIVE TRANSACTION_NOT_FOUND RATE_LIMITED INTERNAL_ERROR BANK_UNAVAILABLE BANK_REFUSED',
    input: contract.MultibancoInput,
    output: contract.MultibancoOutput,
  },
  'get /payments/status': {
    codes: 'INVALID_BODY INVALID_FIELDS UNAUTHORIZED ACCOUNT_INACTIVE TRANSACTION_NOT_FOUND INTERNAL_ERROR',
    output: contract.StatusOutput,
  },
  'get /payments/methods': {
    codes: 'INVALID_BODY UNAUTHORIZED ACCOUNT_INACTIVE INTERNAL_ERROR',
    output: contract.MethodsOutput,
  },
};

const operations = new Map<string, Operation>(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  ),
);

const examples = (body: Body | undefined) =>
  Object.values(body?.content['application/json'].examples ?? {}).map(({ value }) => value);

const schemaOf = (schema: unknown) => z.fromJSONSchema(schema as Parameters<typeof z.fromJSONSchema>[0]);

/** Every value of a member with this name, at any depth. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersNamed(name, member),
  ]);
}

test('the document is valid OpenAPI 3.1 with the five operations and the four events', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect([valid, document.openapi]).toEqual([true, '3.1.0']);
  expect([...operations.keys()]).toEqual(Object.keys(OPERATIONS));
  expect(Object.keys(webhooks)).toEqual(EVENT_KINDS);
  expect(new Set(membersNamed('operationId', document)).size).toBe(9);
});

test('every component is used', () => {
  const references = membersNamed('$ref', document);
  for (const kind of ['schemas', 'headers', 'parameters']) {
    for (const name of Object.keys(document.components[kind]))
      expect(references).toContain(`#/components/${kind}/${name}`);
  }
});

test('every operation requires the API key and no webhook does', () => {
  expect(document.security).toEqual([{ apiKey: [] }]);
  expect(document.components.securitySchemes.apiKey.scheme).toBe('bearer');
  for (const operation of operations.values()) expect(operation.security).toBeUndefined();
  for (const { post } of Object.values(webhooks)) expect(post?.security).toEqual([]);
});

describe.each(Object.entries(OPERATIONS))('%s', (name, { codes, input, output }) => {
  let operation: Operation;
  let errors: (readonly [string, Operation['responses'][string]])[];
  beforeAll(() => {
    operation = operations.get(name) as Operation;
    errors = Object.entries(operation.responses).filter(([status]) => status !== '200');
  });

  test('lists every code it can return under its status, with an example', () => {
    const listed = errors.flatMap(([status, response]) =>
      examples(response).map((body) => {
        const { code } = body as { code: ErrorCode };
        expect(String(ERROR_STATUS[code])).toBe(status);
        expect(response.description).toContain(code);
        expect(membersNamed('enum', response).flat()).toContain(code);
        expect(schemaOf(document.components.schemas.Error).safeParse(body).error).toBeUndefined();
        return code;
      }),
    );
    expect(listed.sort()).toEqual(codes.split(' ').sort());
  });

  test('its examples match the schemas of the service and the published schemas', () => {
    for (const [body, schema] of [
      [operation.requestBody, input],
      [operation.responses['200'], output],
    ] as const) {
      if (schema === undefined) continue;
      const component = body?.content['application/json'].schema.$ref.split('/').at(-1) ?? '';
      expect(examples(body).length).toBeGreaterThan(0);
      for (const example of examples(body)) {
        expect(schema.safeParse(example).error).toBeUndefined();
        expect(schemaOf(document.components.schemas[component]).safeParse(example).error).toBeUndefined();
      }
    }
  });

  test('its responses list the headers of the service', () => {
    for (const [status, { headers }] of Object.entries(operation.responses)) {
      const names = ['X-Request-Id'];
      if (name.startsWith('post')) names.push('RateLimit-Limit', 'RateLimit-Remaining', 'RateLimit-Reset');
      if (status === '429') names.push('Retry-After');
      if (status !== '200') names.push('Link');
      if (status === '200' && name.endsWith('init')) names.push('Idempotency-Replayed');
      expect(Object.keys(headers)).toEqual(names);
    }
  });
});

test('init documents the Idempotency-Key, the aliases and both kinds of price and item id', () => {
  expect(operations.get('post /payments/init')?.parameters).toContainEqual({
    $ref: '#/components/parameters/IdempotencyKey',
  });
  const { properties } = document.components.schemas.InitRequest;
  expect(properties.customerName).toBeDefined();
  expect(properties.customer.properties.zip).toBeDefined();
  expect(properties.shippingAddress.properties.address_line1).toBeDefined();
  expect(properties.items.items.anyOf).toEqual([{ required: ['priceInCents'] }, { required: ['price'] }]);
  expect(membersNamed('type', properties.items.items.properties.id)).toEqual(['string', 'integer']);
});

test('status has exactly one required query parameter', () => {
  const query = operations.get('get /payments/status')?.parameters.filter((entry) => entry.in !== undefined);
  expect(query).toMatchObject([{ name: 'transactionId', in: 'query', required: true }]);
});

test.each(EVENT_KINDS)('the webhook %s has its headers, its schema and an example that matches', (kind) => {
  const post = webhooks[kind]?.post;
  expect(post?.parameters.map(({ name }) => name)).toEqual([
    'X-Service-Signature',
    'X-Service-Event',
    'X-Service-Delivery-Id',
    'User-Agent',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  expect(examples(post?.requestBody)).toHaveLength(1);
  for (const body of examples(post?.requestBody))
    expect(EVENT_PAYLOADS[kind].safeParse(body).error).toBeUndefined();
});

test('the error schema lists every code and no error of the generator remains', () => {
  expect(document.components.schemas.Error).toMatchObject({
    required: ['error', 'code', 'requestId'],
    properties: { code: { enum: Object.keys(ERROR_STATUS) }, fields: { type: 'array' } },
  });
  expect(JSON.stringify(document)).not.toMatch(/issues|BAD_REQUEST|INTERNAL_SERVER_ERROR|FORBIDDEN|"error\./);
});

test('the document is served without a key under the public address, and answers no other method', async () => {
  const { server } = await serveDocs({ publicUrl: 'https://pay.shop.example' });
  const response = await server.inject(DOCUMENT_PATH);
  expect(response.statusCode).toBe(200);
  expect(response.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(response.json()).toEqual({ ...document, servers: [{ url: 'https://pay.shop.example/api/v1' }] });
  for (const method of ['HEAD', 'POST', 'OPTIONS', 'DELETE'] as const) {
    expect((await server.inject({ method, url: DOCUMENT_PATH })).statusCode).toBe(404);
  }
});

test('without a public address, the server address is relative to the document', async () => {
  const { server } = await serveDocs({});
  expect((await server.inject(DOCUMENT_PATH)).json().servers).toEqual([{ url: '/api/v1' }]);
});
