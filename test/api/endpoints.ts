import { expect } from 'vitest';
import { type Answer, call, ORDER } from '../support/harness.ts';

export type Endpoint = 'REST' | 'tRPC';
export const ENDPOINTS: readonly Endpoint[] = ['REST', 'tRPC'];

export type Operation = 'init' | 'mbway' | 'multibanco' | 'status' | 'methods';
const QUERIES: readonly Operation[] = ['status', 'methods'];

/** A client of the API, with or without a key. */
export interface Caller {
  url: string;
  apiKey?: string;
  headers?: Record<string, string>;
}

/** Makes the same call through either endpoint and returns the answer in the form of REST. */
export async function callOperation(
  endpoint: Endpoint,
  caller: Caller,
  operation: Operation,
  input?: unknown,
): Promise<Answer> {
  if (!QUERIES.includes(operation)) {
    return await callRaw(endpoint, caller, operation, input === undefined ? '' : JSON.stringify(input));
  }
  const members = Object.entries((input ?? {}) as Record<string, string | string[]>);
  const pairs = members.flatMap(([name, value]) =>
    [value].flat().map((one): [string, string] => [name, one]),
  );
  const query = endpoint === 'REST' ? pairs : input === undefined ? {} : { input: JSON.stringify(input) };
  const address = `${addressOf(endpoint, caller, operation)}?${new URLSearchParams(query)}`;
  return unwrapped(endpoint, await call(address, { headers: headersOf(caller) }));
}

/** Posts exactly these bytes to an operation's address. */
export async function callRaw(
  endpoint: Endpoint,
  caller: Caller,
  operation: Operation,
  body: string | Uint8Array<ArrayBuffer>,
  contentType: string | null = 'application/json',
): Promise<Answer> {
  const answer = await call(addressOf(endpoint, caller, operation), {
    method: 'POST',
    // fetch sets a content type for text, not for bytes.
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    headers: { ...(contentType !== null && { 'content-type': contentType }), ...headersOf(caller) },
  });
  return unwrapped(endpoint, answer);
}

function addressOf(endpoint: Endpoint, { url }: Caller, operation: Operation): string {
  return endpoint === 'REST' ? `${url}/api/v1/payments/${operation}` : `${url}/trpc/payments.${operation}`;
}

function headersOf({ apiKey, headers }: Caller): Record<string, string> {
  return { ...(apiKey !== undefined && { authorization: `Bearer ${apiKey}` }), ...headers };
}

function unwrapped(endpoint: Endpoint, answer: Answer): Answer {
  if (endpoint === 'REST') return answer;
  const { error, result } = answer.body;
  return { ...answer, body: error === undefined ? result.data : publicMembers(error.data) };
}

/** The members of a tRPC error that REST has too. */
export function publicMembers({ error, code, fields, requestId }: Record<string, unknown>) {
  return { error, code, ...(fields !== undefined && { fields }), requestId };
}

/** Codes for which the contract does not say whether `fields` names a member. */
const FIELDS_OPEN = [
  'DOMAIN_NOT_ALLOWED',
  'AMOUNT_ABOVE_METHOD_LIMIT',
  'MBWAY_PUSH_OPEN',
  'TRANSACTION_NOT_FOUND',
  'TRANSACTION_NOT_PENDING',
  'IDEMPOTENCY_KEY_REUSED',
];

/** Asserts the status, the code, exactly these fields in any order, no other member, and the headers of every response. */
export function expectRefusal(
  answer: Answer,
  status: number,
  code: string,
  fields?: readonly string[],
): void {
  const { body, headers } = answer;
  const got = { status: answer.status, code: body.code, fields: sorted(body.fields) };
  const open = fields === undefined && FIELDS_OPEN.includes(code);
  expect(got, JSON.stringify(body)).toEqual({ status, code, fields: open ? got.fields : sorted(fields) });
  const members = ['code', 'error', ...('fields' in body ? ['fields'] : []), 'requestId'];
  expect(Object.keys(body).sort()).toEqual(members);
  if ('fields' in body) expect(body.fields.length).toBeGreaterThan(0);
  expect(body.error).toMatch(/\S/);
  expectWireHeaders(answer);
  expect(headers.get('link')).toBe(`</docs/reference#error-${code}>; rel="help"`);
  expect(headers.get('x-request-id')).toBe(body.requestId);
}

/** Asserts the headers that every response carries. */
export function expectWireHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

function sorted(names: readonly string[] | undefined): string[] | undefined {
  return names && [...names].sort();
}

/** The order of the harness with some members replaced; `undefined` removes one. */
export function order(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const merged = { ...ORDER, ...overrides };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** A valid item with some members replaced; `undefined` removes one. */
export function item(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const merged = { id: 'SKU-1', name: 'Mug', quantity: 1, priceInCents: 1999, ...overrides };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** A merchant of the harness as a caller. */
export function callerOf(
  service: { url: string },
  merchant: { apiKey: string },
  headers?: Record<string, string>,
): Caller {
  return { url: service.url, apiKey: merchant.apiKey, ...(headers && { headers }) };
}
