import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, test } from 'vitest';
import { z } from 'zod';
import { createDocument, PLACEHOLDER_SERVER } from '../../src/docs/openapi/document.ts';
import { DOCUMENT_PATH, POSTMAN_PATH } from '../../src/docs/plugin.ts';
import { ERROR_STATUS, type ErrorCode } from '../../src/kernel/errors.ts';
import { EVENT_KINDS } from '../../src/kernel/payment-enums.ts';
import * as contract from '../../src/payments/contract.ts';
import { EVENT_PAYLOADS } from '../../src/webhooks/contract.ts';
import { type Answer, call, ORDER, startService } from '../support/harness.ts';
import { serveDocs } from './pages.ts';

/** A part of the document as JSON, which the tests read without its types. */
type Json = Answer['body'];

const document = JSON.parse(JSON.stringify(createDocument(PLACEHOLDER_SERVER)));
const paths: Record<string, Record<string, Json>> = document.paths;
const webhooks: Record<string, Record<string, Json>> = document.webhooks;

const OPERATIONS: Record<string, { input?: z.ZodType; output: z.ZodType }> = {
  'post /payments/init': { input: contract.InitInput, output: contract.InitOutput },
  'post /payments/mbway': { input: contract.MbwayInput, output: contract.MbwayOutput },
  'post /payments/multibanco': { input: contract.MultibancoInput, output: contract.MultibancoOutput },
  'get /payments/status': { output: contract.StatusOutput },
  'get /payments/methods': { output: contract.MethodsOutput },
};

const operations = new Map<string, Json>(
  Object.entries(paths).flatMap(([path, item]) =>
    Object.entries(item).map(([method, operation]) => [`${method} ${path}`, operation] as const),
  ),
);

const examples = (body: Json) =>
  Object.values<Json>(body?.content['application/json'].examples ?? {}).map(({ value }) => value);

const component = (name: string) => z.fromJSONSchema(document.components.schemas[name]);

/** The published schema of a body. */
const published = (body: Json) =>
  component(body?.content['application/json'].schema.$ref.split('/').at(-1) ?? '');

const errorBody = component('ApiError') as unknown as z.ZodType<{ code: ErrorCode; error: string }>;

/** Every value of a member with this name, at any depth. */
function membersNamed(name: string, value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, member]) => [
    ...(key === name ? [member] : []),
    ...membersNamed(name, member),
  ]);
}

test('the document is valid OpenAPI 3.1 with the five operations and the five events', async () => {
  const { valid, errors } = await new Validator().validate(structuredClone(document));
  expect(errors).toBeUndefined();
  expect([valid, document.openapi]).toEqual([true, '3.1.0']);
  expect(document.info.contact).toBeDefined();
  expect([...operations.keys()]).toEqual(Object.keys(OPERATIONS));
  expect(Object.keys(webhooks)).toEqual(EVENT_KINDS);
  expect(new Set(membersNamed('operationId', document)).size).toBe(10);
});

test.each(Object.entries(OPERATIONS))('the examples of %s match its schemas', (name, { input, output }) => {
  const operation = operations.get(name);
  for (const [body, schema] of [
    [operation?.requestBody, input],
    [operation?.responses['200'], output],
  ] as const) {
    if (schema === undefined) continue;
    expect(examples(body).length).toBeGreaterThan(0);
    for (const example of examples(body)) {
      expect(schema.safeParse(example).error).toBeUndefined();
      expect(published(body).safeParse(example).error).toBeUndefined();
    }
  }
});

test('the schema of init refuses an orderId with control characters, as the service does', () => {
  const schema = component('InitRequest');
  for (const character of ['\u0000', '\n', '\u001f', '\u007f', '\u0085', '\u009f'])
    expect(schema.safeParse({ ...ORDER, orderId: `A${character}B` }).success).toBe(false);
  expect(schema.safeParse({ ...ORDER, orderId: ' Nº 7/ção \u{1F6D2}' }).success).toBe(true);
});

test.each([...operations])(
  'the error examples of %s match the error schema and their status',
  (_name, operation) => {
    for (const [status, response] of Object.entries<Json>(operation.responses)) {
      if (status === '200') continue;
      for (const body of examples(response)) {
        const { code, error } = errorBody.parse(body);
        // A sentence with values that has no example would show the code that makes it.
        expect(error).not.toContain('=>');
        expect(String(ERROR_STATUS[code])).toBe(status);
        expect(response.description).toContain(code);
        expect(membersNamed('enum', response).flat()).toContain(code);
      }
    }
  },
);

test('the document describes the responses of the service', async () => {
  const service = await startService({ env: { SERVICE_POST_RATE_LIMIT: '20' } });
  const merchant = await service.merchant({ domains: ['shop.pt'] });
  const id = await merchant.init();
  const init = (body: unknown, headers = {}) => ['post /payments/init', body, headers] as const;
  const mbway = (phoneNumber: string, transactionId = id) =>
    ['post /payments/mbway', { transactionId, phoneNumber }, {}] as const;
  const status = (query: string) => [`get /payments/status`, query, {}] as const;
  const calls = [
    init(ORDER, { 'Idempotency-Key': 'one' }),
    init(ORDER, { 'Idempotency-Key': 'one' }),
    init({ ...ORDER, amount: 1 }, { 'Idempotency-Key': 'one' }),
    init([]),
    init({ ...ORDER, amount: 0 }),
    init({ ...ORDER, storeUrl: undefined }),
    init({ ...ORDER, storeUrl: 'https://other.pt' }),
    init({ ...ORDER, items: [] }),
    init(ORDER, { Authorization: 'Bearer none' }),
    mbway('911000005'),
    mbway('912345678', 'tx_none'),
    mbway('912345678'),
    mbway('912345679'),
    ['post /payments/multibanco', { transactionId: id }, {}] as const,
    ['post /payments/multibanco', { transactionId: 'tx_none' }, {}] as const,
    status(`?transactionId=${id}`),
    status(''),
    status('?transactionId=tx_none'),
    ['get /payments/methods', '', {}] as const,
    ...Array.from({ length: 8 }, () => init({})),
  ];
  const seen = new Set<string>();
  for (const [name, input, headers] of calls) {
    const [method = '', path = ''] = name.split(' ');
    const response = await call(`${service.url}/api/v1${path}${method === 'get' ? input : ''}`, {
      method,
      headers: {
        Authorization: `Bearer ${merchant.apiKey}`,
        'Content-Type': 'application/json',
        ...headers,
      },
      ...(method === 'post' && { body: JSON.stringify(input) }),
    });
    const documented = operations.get(name)?.responses[response.status];
    const { body } = response;
    if (response.status === 200) expect(published(documented).safeParse(body).error).toBeUndefined();
    else expect(documented?.description).toContain(`\`${errorBody.parse(body).code}\``);
    const optional = response.headers.has('Idempotency-Replayed') ? [] : ['Idempotency-Replayed'];
    for (const header of Object.keys(documented?.headers ?? {}))
      if (!optional.includes(header)) expect(response.headers.has(header), `${name}: ${header}`).toBe(true);
    seen.add(body.code ?? 'OK');
  }
  expect([...seen].sort()).toEqual([
    'CHECKOUT_DATA_REQUIRED',
    'DOMAIN_NOT_ALLOWED',
    'IDEMPOTENCY_KEY_REUSED',
    'INVALID_BODY',
    'INVALID_FIELDS',
    'MBWAY_PHONE_REJECTED',
    'MBWAY_PUSH_OPEN',
    'OK',
    'RATE_LIMITED',
    'STORE_DOMAIN_REQUIRED',
    'TRANSACTION_NOT_FOUND',
    'UNAUTHORIZED',
  ]);
});

test.each(EVENT_KINDS)('the webhook %s has its headers, its schema and an example that matches', (kind) => {
  const post = webhooks[kind]?.post;
  expect(post?.parameters.map(({ name }: Json) => name)).toEqual([
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

test('the fields of a test event are not described as those of an order', () => {
  const { timestamp, data } = document.components.schemas.WebhookTestEvent.properties;
  expect(timestamp.description).not.toContain('status changed');
  expect(data.properties.externalOrderId.description).not.toContain('init');
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

test('a search by its address shows the entire query', async () => {
  const { server } = await serveDocs({});
  for (const [query, shown] of [
    ['?q=what?now', 'what?now'],
    ['?q=a+b&q=c', 'a b'],
    ['', ''],
  ])
    expect((await server.inject(`/docs/search${query}`)).body).toContain(`name="q" value="${shown}"`);
});

test('the Postman collection creates, pushes and reads a payment with an API key alone', async () => {
  const service = await startService();
  const merchant = await service.merchant({ domains: ['demo-shop.example'] });
  const { body: collection } = await call(`${service.url}${POSTMAN_PATH}`, {});
  const values = new Map<string, string>(collection.variable.map(({ key, value }: Json) => [key, value]));
  // A phone that is answered manually keeps the transaction pending for the request after the push.
  values
    .set('baseUrl', `${service.url}/api/v1`)
    .set('apiKey', merchant.apiKey)
    .set('phoneNumber', '912345678');
  const filled = (text: string) => text.replace(/\{\{(\w+)\}\}/g, (_all, name) => values.get(name) ?? '');
  const statuses: number[] = [];
  for (const { request } of collection.item) {
    const { status, body } = await call(filled(request.url.raw), {
      method: request.method,
      headers: [
        ['Authorization', filled('Bearer {{apiKey}}')],
        ...request.header.map(({ key, value }: Json) => [key, value]),
      ],
      ...(request.body && { body: filled(request.body.raw) }),
    });
    if (body.transactionId !== undefined) values.set('transactionId', body.transactionId);
    statuses.push(status);
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200]);
  const { server } = await serveDocs({ bank: 'ifthenpay', publicUrl: 'https://pay.shop.example' });
  const live = (await server.inject(POSTMAN_PATH)).body;
  expect(live).toContain('https://pay.shop.example/api/v1');
  expect(live).not.toMatch(/911000001|127\.0\.0\.1/);
});
