import { beforeAll, describe, expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument, PLACEHOLDER_SERVER } from '../../src/docs/openapi/document.ts';
import { DOCUMENT_PATH } from '../../src/docs/plugin.ts';
import { ERROR_STATUS } from '../../src/kernel/errors.ts';
import * as contract from '../../src/payments/contract.ts';
import { EVENT_KINDS, EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';
import { serveDocs } from './pages.ts';
import { type OpenApiStructure, type Operation, openApiStructure } from './structure.ts';

let document: OpenApiStructure;
beforeAll(() => {
  document = openApiStructure.parse(JSON.parse(JSON.stringify(createDocument(PLACEHOLDER_SERVER))));
});

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

function operations(): [name: string, operation: Operation][] {
  return Object.entries(document.paths).flatMap(([path, { get, post }]) => [
    ...(get ? [[`get ${path}`, get] satisfies [string, Operation]] : []),
    ...(post ? [[`post ${path}`, post] satisfies [string, Operation]] : []),
  ]);
}

const bodies = (part: { content?: Operation['responses'][string]['content'] } | undefined) =>
  Object.values(part?.content?.['application/json'].examples ?? {}).map(({ value }) => value);

/** Every value of a member called `name`, anywhere. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersNamed(name, member),
  ]);
}

function resolve(pointer: string): unknown {
  const parts = pointer.replace(/^#\//, '').split('/');
  return parts.reduce<unknown>(
    (value, part) => (value as Record<string, unknown> | undefined)?.[part],
    document,
  );
}

test('the document has the five operations and the four events with unique operation ids', () => {
  expect(operations().map(([name]) => name)).toEqual(Object.keys(OPERATIONS));
  expect(Object.keys(document.webhooks)).toEqual([...EVENT_KINDS]);
  const ids = membersNamed('operationId', document);
  expect(new Set(ids).size).toBe(9);
});

test('every reference resolves and every component is used', () => {
  const references = membersNamed('$ref', document) as string[];
  for (const reference of references) expect(resolve(reference), reference).toBeTypeOf('object');
  for (const kind of ['schemas', 'headers', 'parameters'] as const) {
    for (const name of Object.keys(document.components[kind])) {
      expect(references).toContain(`#/components/${kind}/${name}`);
    }
  }
});

test('every operation requires the API key and no webhook does', () => {
  expect(document.security).toEqual([{ apiKey: [] }]);
  expect(document.components.securitySchemes).toHaveProperty('apiKey.scheme', 'bearer');
  for (const [, operation] of operations()) expect(operation.security).toBeUndefined();
  for (const { post } of Object.values(document.webhooks)) expect(post?.security).toEqual([]);
});

describe.each(Object.entries(OPERATIONS))('%s', (name, { codes, input, output }) => {
  const operation = () => {
    const found = operations().find(([candidate]) => candidate === name)?.[1];
    if (found === undefined) throw new Error(`${name} is missing`);
    return found;
  };
  const errors = () => Object.entries(operation().responses).filter(([status]) => status !== '200');

  test('lists every code it can return under its status, with an example', () => {
    const shown = errors().flatMap(([status, response]) =>
      bodies(response).map((body) => {
        const { code } = body as { code: keyof typeof ERROR_STATUS };
        expect(String(ERROR_STATUS[code])).toBe(status);
        expect(response.description).toContain(code);
        expect(membersNamed('enum', response).flat()).toContain(code);
        return code;
      }),
    );
    expect(shown.sort()).toEqual(codes.split(' ').sort());
  });

  test('its error examples match the error schema', () => {
    const shape = z.fromJSONSchema(
      document.components.schemas.Error as Parameters<typeof z.fromJSONSchema>[0],
    );
    for (const [, response] of errors()) {
      for (const body of bodies(response))
        expect(shape.safeParse(body).error, JSON.stringify(body)).toBeUndefined();
    }
  });

  test('its examples match the schemas of the service and the published schemas', () => {
    const cases = [
      { part: operation().requestBody, schema: input },
      { part: operation().responses['200'], schema: output },
    ];
    for (const { part, schema } of cases) {
      if (schema === undefined) continue;
      const { $ref } = z.object({ $ref: z.string() }).parse(part?.content?.['application/json'].schema);
      const publicSchema = z.fromJSONSchema(resolve($ref) as Parameters<typeof z.fromJSONSchema>[0]);
      expect(bodies(part).length).toBeGreaterThan(0);
      for (const body of bodies(part)) {
        expect(schema.safeParse(body).error).toBeUndefined();
        expect(publicSchema.safeParse(body).error).toBeUndefined();
      }
    }
  });

  test('its responses list the headers of the service', () => {
    for (const [status, { headers = {} }] of Object.entries(operation().responses)) {
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
  const init = document.paths['/payments/init']?.post;
  expect(init?.parameters).toContainEqual({ $ref: '#/components/parameters/IdempotencyKey' });
  const request = document.components.schemas.InitRequest;
  expect(request).toHaveProperty('properties.customerName');
  expect(request).toHaveProperty('properties.customer.properties.zip');
  expect(request).toHaveProperty('properties.shippingAddress.properties.address_line1');
  const item = 'properties.items.items';
  expect(request).toHaveProperty(`${item}.anyOf`, [{ required: ['priceInCents'] }, { required: ['price'] }]);
  expect(membersNamed('type', (request as { properties: { items: unknown } }).properties.items)).toEqual(
    expect.arrayContaining(['string', 'integer']),
  );
});

test('status has exactly one required query parameter', () => {
  const query = (document.paths['/payments/status']?.get?.parameters ?? []).filter((entry) => 'in' in entry);
  expect(query).toMatchObject([{ name: 'transactionId', in: 'query', required: true }]);
  expect(
    contract.StatusInput.safeParse({ transactionId: membersNamed('examples', query).flat()[0] }).error,
  ).toBeUndefined();
});

test.each(EVENT_KINDS)('the webhook %s has its headers, its schema and an example that matches', (kind) => {
  const post = document.webhooks[kind]?.post;
  const headers = (post?.parameters ?? []).map((entry) => ('name' in entry ? entry.name : ''));
  expect(headers).toEqual([
    'X-Service-Signature',
    'X-Service-Event',
    'X-Service-Delivery-Id',
    'User-Agent',
    'webhook-id',
    'webhook-timestamp',
    'webhook-signature',
  ]);
  for (const body of bodies(post?.requestBody)) {
    expect(EVENT_PAYLOADS[kind].safeParse(body).error).toBeUndefined();
  }
  expect(bodies(post?.requestBody)).toHaveLength(1);
});

test('the error schema is the real one and no generated error remains', () => {
  expect(document.components.schemas.Error).toMatchObject({
    required: ['error', 'code', 'requestId'],
    properties: { code: { enum: Object.keys(ERROR_STATUS) }, fields: { type: 'array' } },
  });
  const text = JSON.stringify(document);
  expect(text).not.toMatch(/issues|BAD_REQUEST|INTERNAL_SERVER_ERROR|FORBIDDEN|"error\./);
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
