import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Clock } from '../../src/kernel/clock.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import type { SandboxAddresses } from '../../src/sandbox/addresses.ts';
import { startSandbox } from '../../src/sandbox/sandbox.ts';
import { temporaryFolder } from '../support/database.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { jsonPost } from '../support/harness.ts';
import { startReceiver } from '../support/tls-receiver.ts';

export const MBWAY_KEY = 'ABC-123456';
export const MB_KEY = 'DEF-654321';
export const BO_KEY = '1111-2222-3333-4444';
export const WINDOW_MS = 240_000;
const GRACE_MS = 30_000;
/** The phone of a customer who answers by hand. */
export const HAND = '912345678';

/** Calls any receiver, as the tests of the callbacks need. */
const ANY_SERVICE: SandboxAddresses = {
  hosts: ['sandbox.example'],
  serviceHosts: null,
  serviceUrl: null,
};

type Json = Record<string, unknown>;

export interface Answer {
  status: number;
  body: Json;
  text: string;
}

/** Starts a sandbox, on a free port by default. It stops after the test. */
export async function sandbox(options: { clock?: Clock; file?: string; host?: string; port?: number } = {}) {
  const clock = options.clock ?? fakeClock();
  const file = options.file ?? join(temporaryFolder(), 'new', 'sandbox.db');
  const log: string[] = [];
  const times = { mbwayWindowMs: WINDOW_MS, mbwayGraceMs: GRACE_MS };
  const started = await startSandbox({
    host: options.host ?? '127.0.0.1',
    port: options.port ?? 0,
    file,
    clock,
    random: systemRandom,
    addresses: ANY_SERVICE,
    ...times,
    log: (line) => log.push(line),
  });
  let closed = false;
  const close = async () => {
    if (closed) return;
    closed = true;
    await started.close();
  };
  onTestFinished(close);
  const call = (path: string, init?: RequestInit) => fetch(started.url + path, init).then(read);
  const post = (path: string, body: unknown) => call(path, jsonPost(body));
  return { url: started.url, file, log, close, call, post, ...customer(post, call) };
}

function customer(
  post: (path: string, body: unknown) => Promise<Answer>,
  call: (path: string) => Promise<Answer>,
) {
  const calls = {
    push: (phone: string, more: Json = {}) => post('/spg/payment/mbway', { ...pushBody(phone), ...more }),
    reference: (more: Json = {}) =>
      post('/multibanco/reference/init', { mbKey: MB_KEY, orderId: 'order-2', amount: '45.00', ...more }),
    status: async (requestId: unknown) => {
      const query = new URLSearchParams({ mbWayKey: MBWAY_KEY, requestId: String(requestId) });
      return (await call(`/spg/payment/mbway/status?${query}`)).body;
    },
    record: async (filter: Json = {}) => {
      const answer = await post('/v2/payments/read', { boKey: BO_KEY, ...filter });
      return answer.body.payments as Json[];
    },
    pushes: async (query = '') => (await call(`/control/pushes${query}`)).body as unknown as Json[],
    activate: (urlCb: string, more: Json = {}) =>
      post('/api/endpoint/callback/activation', {
        chave: BO_KEY,
        entidade: 'MBWAY',
        subentidade: MBWAY_KEY,
        apKey: 'anti phishing&key',
        urlCb,
        ...more,
      }),
    fault: (mode: string, times: number) => post('/control/faults', { mode, times }),
    accept: (phoneNumber: string) => post('/control/mbway', { phoneNumber, outcome: 'accept' }),
    /** Pays a reference as it was created. */
    payAtm: ({ Entity, Reference }: Json, more: Json = {}) =>
      post('/control/multibanco', { entity: String(Entity), reference: Reference, ...more }),
  };
  return {
    ...calls,
    /** A push that its customer accepts. */
    async paidPush(): Promise<void> {
      await calls.push(HAND);
      await calls.accept(HAND);
    },
  };
}

function pushBody(phone: string): Json {
  return {
    mbWayKey: MBWAY_KEY,
    orderId: 'order-1',
    amount: '12.50',
    mobileNumber: `351#${phone}`,
    description: 'Loja do Bairro 2041',
  };
}

async function read(response: Response): Promise<Answer> {
  const text = await response.text();
  let body: Json = {};
  try {
    body = JSON.parse(text);
  } catch {
    // Not JSON.
  }
  return { status: response.status, body, text };
}

/** A callback receiver that records queries and answers 200, unless the test lets it hang. */
export async function receiver() {
  const calls: URLSearchParams[] = [];
  const state = { hang: false };
  const { port } = await startReceiver(({ path }, response) => {
    calls.push(new URL(path, 'http://receiver').searchParams);
    if (!state.hang) response.end('thanks');
  }, 'plain');
  const template = `http://127.0.0.1:${port}/callback?key=[ANTI_PHISHING_KEY]&orderId=[ORDER_ID]&amount=[AMOUNT]&requestId=[REQUEST_ID]&entity=[ENTITY]&reference=[REFERENCE]&payment_datetime=[PAYMENT_DATETIME]&status=[STATUS]`;
  return { calls, state, template };
}
