import { expect } from 'vitest';
import { type Answer, call, ORDER } from '../support/harness.ts';

export type Endpoint = 'REST' | 'tRPC';
export const ENDPOINTS: readonly Endpoint[] = ['REST', 'tRPC'];

export type Operation = 'init' | 'mbway' | 'multibanco' | 'status' | 'methods';
const QUERIES: readonly Operation[] = ['status', 'methods'];

/** A client with an address and perhaps a key. */
export interface Caller {
  url: string;
  apiKey?: string;
  headers?: Record<string, string>;
}

/** Makes the same call through either endpoint. Both answers have the form of REST, so that one expectation fits both. */
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
    // Bytes get no content type of their own, as text would.
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

/** Codes for which the contract leaves open whether `fields` names a member. */
const FIELDS_OPEN = [
  'DOMAIN_NOT_ALLOWED',
  'AMOUNT_ABOVE_METHOD_LIMIT',
  'MBWAY_PUSH_OPEN',
  'TRANSACTION_NOT_FOUND',
  'TRANSACTION_NOT_PENDING',
  'IDEMPOTENCY_KEY_REUSED',
];

/** Asserts a refusal whole: status, code, exactly these fields in any order, no further member, the wire's headers. */
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

/** What every response carries. */
export function expectWireHeaders({ headers }: Answer): void {
  expect(headers.get('x-request-id')).toMatch(/^[A-Za-z0-9._-]{1,128}$/);
  expect(headers.get('cache-control')).toBe('no-store');
  expect([...headers.keys()].filter((name) => name.startsWith('access-control-'))).toEqual([]);
}

function sorted(names: readonly string[] | undefined): string[] | undefined {
  return names && [...names].sort();
}

/** The order of the harness with some members replaced; `undefined` takes one away. */
export function order(overrides: Record<string, unknown> = {}): Record<string, unknown> {
  const merged = { ...ORDER, ...overrides };
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== undefined));
}

/** An item that is in order, with some members replaced; `undefined` takes one away. */
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

/** Inits of the harness's order with some members replaced, held against what the contract says of them. */
export function initThrough(endpoint: Endpoint, caller: Caller) {
  const init = (overrides: Record<string, unknown>) =>
    callOperation(endpoint, caller, 'init', order(overrides));
  return {
    init,
    /** Resolves to the id of the transaction that this must make. */
    async accepts(overrides: Record<string, unknown>): Promise<`tx_${string}`> {
      const answer = await init(overrides);
      expect(answer.status, JSON.stringify(answer.body)).toBe(200);
      return answer.body.transactionId;
    },
    /** The refusal must name exactly these members. */
    async refuses(overrides: Record<string, unknown>, fields: string[]): Promise<void> {
      expectRefusal(await init(overrides), 400, 'INVALID_FIELDS', fields);
    },
  };
}
