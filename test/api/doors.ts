import { createTRPCClient, httpLink, TRPCClientError } from '@trpc/client';
import { expect } from 'vitest';
import type { AppRouter } from '../../src/router.ts';
import { type Answer, call, ORDER } from '../support/harness.ts';

export type Door = 'REST' | 'tRPC';
export const DOORS: readonly Door[] = ['REST', 'tRPC'];

export type Operation = 'init' | 'mbway' | 'multibanco' | 'status' | 'methods';

/** Whoever knocks: a merchant of the harness, or anybody with an address and perhaps a key. */
export interface Caller {
  url: string;
  apiKey?: string;
  headers?: Record<string, string>;
}

/**
 * The same call through either door, the second one by the typed client that integrators use. An error comes back as
 * the four members that the contract names, so that both doors can be held against one expectation.
 */
export function knock(door: Door, caller: Caller, operation: Operation, input?: unknown): Promise<Answer> {
  const headers = { ...bearer(caller.apiKey), ...caller.headers };
  return door === 'REST'
    ? knockAtRest(caller.url, headers, operation, input)
    : knockAtTrpc(caller.url, headers, operation, input);
}

/** A POST of exactly these bytes to the operation's address behind either door. */
export async function knockRaw(
  door: Door,
  caller: Caller,
  operation: Operation,
  body: string | Uint8Array<ArrayBuffer>,
  contentType: string | null = 'application/json',
): Promise<Answer> {
  const path = door === 'REST' ? `/api/v1/payments/${operation}` : `/trpc/payments.${operation}`;
  const answer = await call(`${caller.url}${path}`, {
    method: 'POST',
    // A body of bytes gets no content type of its own; a text would be sent as text/plain.
    body: typeof body === 'string' ? new TextEncoder().encode(body) : body,
    headers: {
      ...(contentType !== null && { 'content-type': contentType }),
      ...bearer(caller.apiKey),
      ...caller.headers,
    },
  });
  if (door === 'REST') return answer;
  const { error, result } = answer.body;
  return { ...answer, body: error === undefined ? result.data : publicMembers(error.data) };
}

function bearer(apiKey: string | undefined): Record<string, string> {
  return apiKey === undefined ? {} : { authorization: `Bearer ${apiKey}` };
}

function knockAtRest(
  url: string,
  headers: Record<string, string>,
  operation: Operation,
  input: unknown,
): Promise<Answer> {
  const path = `${url}/api/v1/payments/${operation}`;
  if (operation === 'methods') return call(path, { headers });
  if (operation === 'status') {
    const members = Object.entries((input ?? {}) as Record<string, string | string[]>);
    const pairs = members.flatMap(([name, value]) =>
      [value].flat().map((one): [string, string] => [name, one]),
    );
    return call(`${path}?${new URLSearchParams(pairs)}`, { headers });
  }
  return call(path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(input !== undefined && { body: JSON.stringify(input) }),
  });
}

async function knockAtTrpc(
  url: string,
  headers: Record<string, string>,
  operation: Operation,
  input: unknown,
): Promise<Answer> {
  let seen: Response | undefined;
  const client = createTRPCClient<AppRouter>({
    links: [
      httpLink({
        url: `${url}/trpc`,
        headers,
        fetch: async (address, options) => {
          seen = await fetch(address, options as RequestInit);
          return seen;
        },
      }),
    ],
  });
  const calls = {
    init: () => client.payments.init.mutate(input as never),
    mbway: () => client.payments.mbway.mutate(input as never),
    multibanco: () => client.payments.multibanco.mutate(input as never),
    status: () => client.payments.status.query(input as never),
    methods: () => client.payments.methods.query(),
  };
  const body = await calls[operation]().catch((error: unknown) => {
    if (error instanceof TRPCClientError && error.data) return publicMembers(error.data);
    throw error;
  });
  if (seen === undefined) throw new Error('the client sent nothing');
  return { status: seen.status, headers: seen.headers, body };
}

function publicMembers(data: Record<string, unknown>): Record<string, unknown> {
  const named = Object.entries(data).filter(([name]) =>
    ['error', 'code', 'fields', 'requestId'].includes(name),
  );
  return Object.fromEntries(named.filter(([, value]) => value !== undefined));
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
export function initThrough(door: Door, caller: Caller) {
  const init = (overrides: Record<string, unknown>) => knock(door, caller, 'init', order(overrides));
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
