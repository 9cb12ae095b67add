import { connect, type Socket } from 'node:net';
import { onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Deps, Metrics } from '../../src/deps.ts';
import { createHttpServer, type HttpServerOptions } from '../../src/http/server.ts';
import { createLogger } from '../../src/log.ts';
import { createMerchant } from '../../src/merchants/create-merchant.ts';
import type { RequestLog } from '../../src/requests/log.ts';
import { mutation, query } from '../../src/rpc/operation.ts';
import { temporaryDatabase, type WhenOver } from '../support/database.ts';
import { depsOn } from '../support/deps.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { type Answer, call, jsonPost, parsed } from '../support/harness.ts';
import { readAnswer } from '../support/raw-client.ts';

export const STATUSES = [200, 400, 401, 403, 404, 429, 500, 502];

const at = (method: 'GET' | 'POST', path: `/${string}`) => ({ openapi: { method, path } });

/** Pending calls of the `slow` procedure, which a test releases. */
const waiting = new Set<() => void>();
export const slowCalls = {
  count: () => waiting.size,
  release: () => {
    for (const go of waiting) go();
    waiting.clear();
  },
};

/** Operations without payments, to test the endpoints. */
const testOperations = {
  payments: {
    init: mutation({
      meta: at('POST', '/payments/init'),
      idempotent: true,
      input: z.object({
        orderId: z.string(),
        amount: z.number(),
        note: z.string().optional(),
        items: z.array(z.object({ quantity: z.int() })).optional(),
      }),
      output: z.unknown(),
      run: (_ctx, input) => input,
    }),
    status: query({
      meta: at('GET', '/payments/status'),
      input: z.object({ transactionId: z.string() }),
      output: z.object({ transactionId: z.string() }),
      run: (_ctx, input) => input,
    }),
    methods: query({
      meta: at('GET', '/payments/methods'),
      input: null,
      output: z.unknown(),
      run: () => ({ methods: [] }),
    }),
    boom: mutation({
      meta: at('POST', '/payments/boom'),
      input: z.object({}),
      output: z.unknown(),
      run() {
        throw new Error('the disk is on fire at /var/secret');
      },
    }),
    wrong: query({
      meta: at('GET', '/payments/wrong'),
      input: null,
      output: z.object({ missing: z.string() }),
      run: () => ({}) as { missing: string },
    }),
    slow: query({
      meta: at('GET', '/payments/slow'),
      input: null,
      output: z.unknown(),
      async run() {
        await new Promise<void>((resolve) => waiting.add(resolve));
        return { done: true };
      },
    }),
  },
};

export type Edge = Awaited<ReturnType<typeof startEdge>>;

interface Options extends Partial<Omit<HttpServerOptions, 'deps'>> {
  env?: Record<string, string>;
  port?: number;
  /** When to close: `onTestFinished` (the default), or `afterAll` for an edge that the tests of a file share. */
  whenOver?: WhenOver;
}

export async function startEdge({ whenOver = onTestFinished, ...options }: Options = {}) {
  const clock = fakeClock();
  const lines: string[] = [];
  const env = { SERVICE_POST_RATE_LIMIT: '0', SERVICE_LOG_LEVEL: 'info', ...options.env };
  const base = depsOn(await temporaryDatabase(whenOver), clock, env);
  const requests: { route: string; method: string; status: number; seconds: number }[] = [];
  const listed: { isFailure: boolean; status: number }[] = [];
  const requestLog: RequestLog = {
    start() {},
    async stop() {},
    add: (_merchantId, isFailure, describe) => listed.push({ isFailure, status: describe().status }),
  };
  const request: Metrics['request'] = (route, method, status, seconds) =>
    requests.push({ route, method, status, seconds });
  const deps = {
    ...base,
    log: createLogger(base.settings, { write: (line) => void lines.push(line) }),
    metrics: { ...base.metrics, request },
  } as unknown as Deps;
  const { merchantId, apiKey } = await createMerchant(deps, { name: 'Edge Shop', domains: ['shop.pt'] });
  const server = createHttpServer({
    operations: testOperations,
    receiveCallback: async () => 200,
    requestLog,
    ...options,
    limits: { stopLingerMs: 20, ...options.limits },
    deps,
  });
  whenOver(() => server.close());
  const { port } = await server.listen('127.0.0.1', options.port ?? 0);
  return {
    url: `http://127.0.0.1:${port}`,
    port,
    deps,
    clock,
    server,
    merchantId,
    apiKey,
    requests,
    listed,
    logged: (): Record<string, unknown>[] => lines.map((line) => JSON.parse(line)),
  };
}

export function send(edge: Edge, path: string, init: RequestInit = {}): Promise<Answer> {
  const headers = { authorization: `Bearer ${edge.apiKey}`, ...(init.headers as Record<string, string>) };
  return call(edge.url + path, { ...init, headers });
}

export function post(
  edge: Edge,
  path: string,
  body: unknown,
  headers: Record<string, string> = {},
): Promise<Answer> {
  return send(edge, path, jsonPost(body, headers));
}

/** The head of a valid POST to init, without the blank line. */
export function head(edge: Edge, ...more: string[]): string {
  return [
    'POST /api/v1/payments/init HTTP/1.1',
    'Host: x',
    `Authorization: Bearer ${edge.apiKey}`,
    'Content-Type: application/json',
    ...more,
  ].join('\r\n');
}

/** A GET with the key. */
export function get(edge: Edge, target: string, ...more: string[]): string {
  const lines = [`GET ${target} HTTP/1.1`, 'Host: x', `Authorization: Bearer ${edge.apiKey}`, ...more];
  return `${lines.join('\r\n')}\r\n\r\n`;
}

/** A raw connection that records its answers. */
export async function dial(port: number) {
  const socket: Socket = connect(port, '127.0.0.1');
  await new Promise<void>((resolve, reject) => socket.once('connect', resolve).once('error', reject));
  const chunks: Buffer[] = [];
  socket.on('data', (chunk) => chunks.push(chunk));
  socket.on('error', () => {});
  const closed = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  onTestFinished(() => {
    socket.destroy();
  });
  const raw = () => Buffer.concat(chunks).toString('latin1');
  return { socket, closed, raw, answers: (toHead = false) => readAnswers(raw(), toHead) };
}

/** Sends bytes and resolves to the answers that arrive before the server closes, or before `quietMs` without any. */
export async function exchange(port: number, bytes: string | Uint8Array, quietMs = 15_000, toHead = false) {
  const { socket, closed, answers } = await dial(port);
  socket.write(bytes);
  const timer = setTimeout(() => socket.destroy(), quietMs);
  await closed;
  clearTimeout(timer);
  return answers(toHead);
}

/** The final answers in a stream, without 1xx. */
export function readAnswers(stream: string, toHead = false): Answer[] {
  const answers: Answer[] = [];
  let rest: Buffer = Buffer.from(stream, 'latin1');
  while (rest.length > 0) {
    const answer = readAnswer(rest, toHead);
    if (answer === null) throw new Error(`half an answer: ${JSON.stringify(rest.toString('latin1'))}`);
    answers.push({ ...answer, body: parsed(answer.body.toString()) });
    rest = answer.rest;
  }
  return answers;
}
