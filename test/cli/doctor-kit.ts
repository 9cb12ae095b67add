import { createHmac, timingSafeEqual } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { onTestFinished } from 'vitest';
import { counterAt } from '../../src/cli/doctor/count.ts';
import { examine } from '../../src/cli/doctor/examine.ts';
import { Patient } from '../../src/cli/doctor/patient.ts';
import { cents } from '../../src/kernel/money.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';

export const SECRET = newWebhookSecret(systemRandom);

interface Hook {
  url: string;
  countUrl: string;
}

export interface Arrived {
  headers: IncomingMessage['headers'];
  body: Buffer;
}

/** The sample of the README, word for word in its meaning. */
export function isGenuine(rawBody: Buffer, signatureHeader: string, webhookSecret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', webhookSecret).update(rawBody).digest('hex')}`);
  const received = Buffer.from(signatureHeader);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** What a receiver does differently from a good one. */
export interface Faults {
  genuine?: (arrived: Arrived) => boolean | Promise<boolean>;
  /** What it remembers an event by. */
  identity?: (event: { event: string; data: { id: string } }) => string;
  duplicateStatus?: number;
  unknownStatus?: number;
  delayMs?: number;
  /** Statuses of its first answers. */
  first?: number[];
  cancelUndoes?: boolean;
  booksEachTime?: boolean;
  bodyMax?: number;
}

/** A shop's receiver, over plain http on this machine, with the number of its paid orders at another path. */
export async function startHook(faults: Faults = {}): Promise<Hook> {
  const paid = new Set<string>();
  const seen = new Set<string>();
  const first = [...(faults.first ?? [])];
  const genuine =
    faults.genuine ??
    (({ headers, body }) => isGenuine(body, String(headers['x-service-signature'] ?? ''), SECRET));
  const identity = faults.identity ?? (({ event, data }) => `${event} ${data.id}`);

  const statusFor = async (arrived: Arrived): Promise<number> => {
    const early = first.shift();
    if (early !== undefined) return early;
    if (arrived.body.length > (faults.bodyMax ?? Number.POSITIVE_INFINITY)) return 413;
    if (!(await genuine(arrived))) return 401;
    const event = JSON.parse(arrived.body.toString());
    if (seen.has(identity(event)) && faults.booksEachTime) paid.add(`${event.data.id} ${paid.size}`);
    if (seen.has(identity(event))) return faults.duplicateStatus ?? 200;
    seen.add(identity(event));
    if (event.event === 'payment.success') paid.add(event.data.id);
    else if (event.event === 'payment.cancelled' && faults.cancelUndoes) paid.delete(event.data.id);
    else if (!/^(payment\.(cancelled|failed)|webhook\.test)$/.test(event.event))
      return faults.unknownStatus ?? 200;
    return 200;
  };

  const server = createServer(async (request, response) => {
    if (request.url === '/count') return void response.end(JSON.stringify({ count: paid.size }));
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    if (faults.delayMs) await wait(faults.delayMs);
    response.statusCode = await statusFor({ headers: request.headers, body: Buffer.concat(chunks) });
    response.end('answered');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, countUrl: `http://127.0.0.1:${port}/count` };
}

/** The names of the rules by how they were judged, without waiting as long as a person would. */
export async function judged(hook: Hook, { counted = true, hasSecret = true, quickMs = 2000 } = {}) {
  const patient = new Patient({
    url: hook.url,
    secret: SECRET,
    foreignSecret: newWebhookSecret(systemRandom),
    invented: { random: systemRandom, orderId: 'ORDER-1', amount: cents(1999) },
    counter: counted ? counterAt(hook.countUrl, { riseMs: 300, settleMs: 20 }) : null,
    limits: { retryDelaysMs: [5, 10, 20], quickMs },
  });
  const rules = await examine(patient, { hasSecret, report() {} });
  const of = (state: string) => rules.filter((rule) => rule.state === state).map(({ rule }) => rule);
  return { rules, fail: of('fail'), advice: of('advice'), skipped: of('skipped'), pass: of('pass') };
}

/** A receiver that reads the Standard Webhooks headers alone. */
export function fitsStandard(
  { headers, body }: Arrived,
  { maxAgeSeconds = 300, firstOnly = false } = {},
): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  if (Math.abs(Date.now() / 1000 - timestamp) > maxAgeSeconds) return false;
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${timestamp}.${body.toString()}`;
  const wanted = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  const sent = String(headers['webhook-signature'] ?? '');
  return firstOnly ? sent === wanted : sent.split(' ').includes(wanted);
}
