import { createHmac, timingSafeEqual } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { counterAt } from '../../src/cli/doctor/count.ts';
import { examine } from '../../src/cli/doctor/doctor.ts';
import { Receiver } from '../../src/cli/doctor/receiver.ts';
import { cents } from '../../src/kernel/money.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { newWebhookSecret } from '../../src/merchants/secrets.ts';
import { temporaryFolder } from '../support/database.ts';
import { freePort, takenPort } from '../support/process.ts';
import { type Received, startReceiver } from '../support/tls-receiver.ts';
import { runHere } from './support.ts';

const SECRET = newWebhookSecret(systemRandom);

interface Hook {
  url: string;
  countUrl: string;
}

type Arrived = Pick<Received, 'headers' | 'body'>;

/** Verifies by the X-Service-Signature header alone. */
function isGenuine(rawBody: Buffer, signatureHeader: string, webhookSecret: string): boolean {
  const expected = Buffer.from(`sha256=${createHmac('sha256', webhookSecret).update(rawBody).digest('hex')}`);
  const received = Buffer.from(signatureHeader);
  return received.length === expected.length && timingSafeEqual(received, expected);
}

/** How a receiver differs from a correct one. */
interface Faults {
  genuine?: (arrived: Arrived) => boolean | Promise<boolean>;
  /** The deduplication key. */
  identity?: (event: { event: string; data: { id: string } }) => string;
  duplicateStatus?: number;
  unknownStatus?: number;
  delayMs?: number;
  /** Statuses of the first responses. */
  first?: number[];
  cancelUndoes?: boolean;
  booksEachTime?: boolean;
  bodyMax?: number;
  /** How long its queue takes for each payment, after the response. */
  queuedMs?: number;
}

/** A local receiver over plain http that returns the number of its paid orders at `/count`. */
async function startHook(faults: Faults = {}): Promise<Hook> {
  const paid = new Set<string>();
  const seen = new Set<string>();
  const first = [...(faults.first ?? [])];
  const genuine =
    faults.genuine ??
    (({ headers, body }) => isGenuine(body, String(headers['x-service-signature'] ?? ''), SECRET));
  const identity = faults.identity ?? (({ event, data }) => `${event} ${data.id}`);

  let queue = Promise.resolve();
  const record = (payment: string) => {
    if (faults.queuedMs === undefined) return void paid.add(payment);
    queue = queue.then(() => wait(faults.queuedMs)).then(() => void paid.add(payment));
  };

  const statusFor = async (arrived: Arrived): Promise<number> => {
    const early = first.shift();
    if (early !== undefined) return early;
    if (arrived.body.length > (faults.bodyMax ?? Number.POSITIVE_INFINITY)) return 413;
    if (!(await genuine(arrived))) return 401;
    const event = JSON.parse(arrived.body.toString());
    if (seen.has(identity(event)) && faults.booksEachTime) record(`${event.data.id} ${Math.random()}`);
    if (seen.has(identity(event))) return faults.duplicateStatus ?? 200;
    seen.add(identity(event));
    if (event.event === 'payment.success') record(event.data.id);
    else if (event.event === 'payment.cancelled' && faults.cancelUndoes) paid.delete(event.data.id);
    else if (!/^(payment\.(cancelled|failed)|webhook\.test)$/.test(event.event))
      return faults.unknownStatus ?? 200;
    return 200;
  };

  const { url } = await startReceiver(async (request, response) => {
    if (request.path === '/count') return void response.end(JSON.stringify({ count: paid.size }));
    if (faults.delayMs) await wait(faults.delayMs);
    response.statusCode = await statusFor(request);
    response.end('answered');
  }, 'plain');
  return { url, countUrl: url.replace('/hook', '/count') };
}

/** A receiver at this address, with short waits. */
function receiverAt(url: string, options: Partial<ConstructorParameters<typeof Receiver>[0]> = {}) {
  const order = { orderId: 'ORDER-1', amount: cents(1999) };
  const waits = { retryDelaysMs: [5, 10, 20], quickMs: 2000 };
  return new Receiver({ url, secret: SECRET, ...order, ...waits, counter: null, ...options });
}

/** Tests a receiver. Resolves to the rules' names by their state. */
async function judged(hook: Hook, { counted = true, hasSecret = true, quickMs = 2000 } = {}) {
  const counter = counted ? counterAt(hook.countUrl, { riseMs: 300, settleMs: 20 }) : null;
  const receiver = receiverAt(hook.url, { counter, quickMs });
  const rules = await examine(receiver, { hasSecret, report() {} });
  const of = (state: string) => rules.filter((rule) => rule.state === state).map(({ rule }) => rule);
  return { rules, fail: of('fail'), advice: of('advice'), skipped: of('skipped'), pass: of('pass') };
}

/** Verifies by the Standard Webhooks headers alone. */
function fitsStandard({ headers, body }: Arrived, { maxAgeSeconds = 300, firstOnly = false } = {}): boolean {
  const timestamp = Number(headers['webhook-timestamp']);
  if (Math.abs(Date.now() / 1000 - timestamp) > maxAgeSeconds) return false;
  const key = Buffer.from(SECRET.slice('whsec_'.length), 'base64');
  const signed = `${headers['webhook-id']}.${timestamp}.${body.toString()}`;
  const wanted = `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  const sent = String(headers['webhook-signature'] ?? '');
  return firstOnly ? sent === wanted : sent.split(' ').includes(wanted);
}

describe('correct receivers', () => {
  test('a receiver that verifies X-Service-Signature passes every rule', async () => {
    const { fail, advice, skipped, rules } = await judged(await startHook());
    expect({ fail, skipped }).toEqual({ fail: [], skipped: [] });
    expect(advice).toEqual(['rotated-secret']);
    expect(rules.filter(({ unseen }) => unseen !== undefined)).toEqual([]);
  });

  test('a Standard Webhooks receiver passes every rule', async () => {
    const { fail, advice } = await judged(await startHook({ genuine: fitsStandard }));
    expect({ fail, advice }).toEqual({ fail: [], advice: [] });
  });

  test('a receiver that records payments after its response passes every rule', async () => {
    const { fail, advice } = await judged(await startHook({ genuine: fitsStandard, queuedMs: 50 }));
    expect({ fail, advice }).toEqual({ fail: [], advice: [] });
  });

  test('a receiver that fails at first is retried', async () => {
    const { fail, rules } = await judged(await startHook({ first: [500, 503] }));
    expect(fail).toEqual([]);
    expect(rules[0]?.found).toContain('at attempt 3');
  });
});

describe('each fault breaks exactly its rules', () => {
  const reSerialised = ({ headers, body }: Arrived) => {
    try {
      const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
      return isGenuine(again, String(headers['x-service-signature'] ?? ''), SECRET);
    } catch {
      return false;
    }
  };
  const cases: [what: string, faults: Faults, broken: string[]][] = [
    [
      'verifies nothing',
      { genuine: () => true },
      ['missing-signature', 'bad-signature', 'raw-body', 'stale-timestamp'],
    ],
    ['verifies JSON that it parsed and wrote again', { genuine: reSerialised }, ['raw-body']],
    [
      'verifies only what is signed at all',
      {
        genuine: (one) =>
          one.headers['x-service-signature'] === undefined ||
          isGenuine(one.body, String(one.headers['x-service-signature']), SECRET),
      },
      ['missing-signature', 'stale-timestamp'],
    ],
    ['remembers events by data.id alone', { identity: ({ data }) => data.id }, ['success-after-cancel']],
    ['books the same payment each time', { booksEachTime: true }, ['duplicate', 'retry']],
    [
      'books the same payment each time, one after the other',
      { booksEachTime: true, queuedMs: 60 },
      ['duplicate', 'retry'],
    ],
    ['refuses duplicates with 409', { duplicateStatus: 409 }, ['duplicate', 'retry']],
    ['answers 400 to kinds that it does not know', { unknownStatus: 400 }, ['unknown-kind']],
    ['lets an old cancellation undo a payment', { cancelUndoes: true }, ['reordered']],
    ['takes small bodies alone', { bodyMax: 16_384 }, ['large-body']],
    [
      'reads stale timestamps',
      { genuine: (one) => fitsStandard(one, { maxAgeSeconds: 1e9 }) },
      ['stale-timestamp'],
    ],
    [
      'reads one signature where there may be two',
      { genuine: (one) => fitsStandard(one, { firstOnly: true }) },
      ['rotated-secret'],
    ],
  ];
  test.for(cases)('%s', { timeout: 60_000 }, async ([, faults, broken]) => {
    const { fail, skipped, rules } = await judged(await startHook(faults));
    expect({ fail, skipped }).toEqual({ fail: broken, skipped: [] });
    for (const { state, fix } of rules) expect(state === 'pass').toBe(fix === undefined);
  });

  test('is slow', { timeout: 60_000 }, async () => {
    const hook = await startHook({ delayMs: 60 });
    const { fail, rules } = await judged(hook, { quickMs: 40 });
    expect(fail).toEqual(['quick']);
    expect(rules.at(-1)?.fix).toContain('into a queue');
  });

  test('accepts nothing because it does not run, so the other rules are skipped', async () => {
    const url = `http://127.0.0.1:${await freePort()}/hook`;
    const { fail, pass, skipped, rules } = await judged({ url, countUrl: url }, { counted: false });
    expect({ fail, pass }).toEqual({ fail: ['accepts'], pass: [] });
    expect(skipped).toHaveLength(13);
    expect(rules[0]?.found).toMatch(/^answers nothing in \d+ ms \([^\n]*ECONNREFUSED[^\n]*\) at attempt 4$/);
  });

  test('without --count-url, the report names what is not visible', async () => {
    const { fail, rules } = await judged(await startHook({ identity: ({ data }) => data.id }), {
      counted: false,
    });
    expect(fail).toEqual([]);
    const unverified = rules.filter(({ state }) => state === 'unverified');
    expect(unverified.map(({ rule }) => rule)).toEqual([
      'duplicate',
      'success-after-cancel',
      'reordered',
      'retry',
    ]);
    for (const { unseen } of unverified) expect(unseen).toContain('--count-url');
  });

  test('without the secret, only the rules that do not need it are tested', async () => {
    const { fail, pass, skipped } = await judged(await startHook({ genuine: () => true }), {
      hasSecret: false,
    });
    expect({ fail, pass }).toEqual({ fail: ['missing-signature', 'bad-signature'], pass: [] });
    expect(skipped).toHaveLength(12);
  });
});

describe('the command', () => {
  const run = (args: readonly string[], env: Record<string, string> = {}) =>
    runHere(temporaryFolder(), ['webhook', 'doctor', ...args], { SERVICE_BANK: 'ifthenpay', ...env });

  test('with --json: one JSON object, and exit code 1 with the names of the broken rules', async () => {
    const good = await startHook();
    const kept = await run([good.url, '--secret', SECRET, '--count-url', good.countUrl, '--json']);
    expect([kept.code, kept.stderr]).toEqual([0, '']);
    const report = JSON.parse(kept.stdout);
    expect(report).toMatchObject({ url: good.url, passed: true });
    expect(Object.keys(report.rules[0])).toEqual(['rule', 'title', 'state', 'found']);

    const bad = await startHook({ unknownStatus: 400 });
    const broken = await run([bad.url, '--json'], { WEBHOOK_SECRET: SECRET });
    expect([broken.code, broken.stderr]).toEqual([1, 'broken: unknown-kind\n']);
    expect(JSON.parse(broken.stdout).passed).toBe(false);
  }, 60_000);

  test('without --count-url, a receiver that books each duplicate ends with exit code 2', async () => {
    const { url } = await startHook({ booksEachTime: true });
    const text = await run([url, '--secret', SECRET]);
    expect(text.code).toBe(2);
    expect(text.stdout).toMatch(/^NOT VERIFIED {2}duplicate: /m);
    expect(text.stdout).not.toMatch(/^PASS +(duplicate|success-after-cancel|reordered|retry):/m);
    expect(text.stdout).toContain('4 not verified');
    const missing = 'not verified: duplicate, success-after-cancel, reordered, retry; use --count-url\n';
    expect(text.stderr.endsWith(missing)).toBe(true);
    const report = await run([url, '--secret', SECRET, '--json']);
    expect([report.code, report.stderr, JSON.parse(report.stdout).passed]).toEqual([2, missing, false]);
  }, 60_000);
});

test('a receiver that accepts a connection and then hangs holds the retry rule up for one deadline', async () => {
  const receiver = receiverAt(`https://127.0.0.1:${await takenPort()}/hook`, { retryDelaysMs: [] });
  await receiver.sendUnheard(receiver.signedSuccess());
}, 12_000);
