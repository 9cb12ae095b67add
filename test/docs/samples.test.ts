import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import Sqlite from 'better-sqlite3';
import { afterAll, describe, expect, onTestFinished, test } from 'vitest';
import { SAMPLES_FOLDER } from '../../src/docs/site.ts';
import type { SigningSecrets } from '../../src/webhooks/signature.ts';
import { temporaryFolder } from '../support/database.ts';
import { brokenRules } from '../support/doctor.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { freePort, hasEnded } from '../support/program.ts';
import { signedHeaders } from '../support/signed-headers.ts';
import { startReceiver } from '../support/tls-receiver.ts';
import { RUNNERS, type Runner, runnable, serveSample, TYPESCRIPT } from './sample-runners.ts';

let merchant: TestMerchant;
const service = await startService({ whenOver: afterAll });

async function run(
  name: string,
  runner: Runner,
  transactionId = '',
  shop = '',
  baseUrl = `${service.url}/api/v1`,
): Promise<string> {
  const env = {
    SHOP_DATABASE: shop,
    PATH: process.env.PATH ?? '',
    BASE_URL: baseUrl,
    API_KEY: merchant.apiKey,
    TRANSACTION_ID: transactionId,
  };
  const { stdout } = await promisify(execFile)(runner.command, [runnable(name, runner)], {
    env,
    timeout: 15_000,
  });
  return stdout;
}

/** The samples that verify a delivery by either signature, and the headers that they take between the body and the secret. */
const VERIFYING = [
  ['service', ['x-service-signature']],
  ['verify', ['webhook-id', 'webhook-timestamp', 'webhook-signature']],
] as const;

/** Programs that print the verdicts of a sample, each for the arguments in a list. */
const VERIFIERS: Readonly<Record<string, { flag: string; program: string }>> = {
  TypeScript: {
    flag: '-e',
    program: `import('FILE').then(({ isGenuine }) => console.log(JSON.stringify(JSON.parse(process.argv.at(-1))
      .map(([body, ...others]) => isGenuine(Buffer.from(body), ...others)))));`,
  },
  PHP: {
    flag: '-r',
    program: `ob_start(); require 'FILE'; ob_end_clean();
      echo json_encode(array_map(fn ($one) => isGenuine(...$one), json_decode(end($argv), true)));`,
  },
  Python: {
    flag: '-c',
    program: `import json, sys
exec(open('FILE').read())
print(json.dumps([is_genuine(body.encode(), *others) for body, *others in json.loads(sys.argv[-1])]))`,
  },
};

const SECRET = `whsec_${Buffer.alloc(32, 5).toString('base64')}`;

/** Makes one attempt of a delivery. Resolves to the status of the answer; null without one. */
async function deliverTo(url: string, id = 'tx_test_1'): Promise<number | null> {
  const data = { id, externalOrderId: 'TEST', amount: 1 };
  const body = JSON.stringify({ event: 'webhook.test', data });
  const headers = signedHeaders(body, [SECRET]);
  const answer = await fetch(url, { method: 'POST', headers, body }).catch(() => null);
  return answer?.status ?? null;
}

/** Statements that fail for one transaction. */
const FAILURES: Readonly<Record<string, string>> = {
  TypeScript: "if (data.id === 'tx_test_1') throw new Error();",
  PHP: "if ($id === 'tx_test_1') throw new Error();",
  Python: "if data['id'] == 'tx_test_1': raise Exception",
};

/** What proxies answer instead of the service. */
const PROXY_ANSWERS: readonly (readonly [status: number, body: string])[] = [
  ...[200, 502].flatMap((status) =>
    ['<h1>A proxy</h1>', '', '{}', '[]'].map((body) => [status, body] as const),
  ),
  [502, '{"message":"Endpoint request timed out","transactionId":"tx_none"}'],
];

describe.each(RUNNERS)('in $name', (runner) => {
  const { missing } = runner;
  const testProgram = test.skipIf(missing !== null || runner.ending === '.sh');
  test.skipIf(missing !== null)(
    `the samples of the operations run${missing === null ? '' : ` (${missing})`}`,
    async () => {
      merchant = await service.merchant({ name: `${runner.name} Shop`, domains: ['demo-shop.example'] });
      const created = await run('init', runner);
      const id = /tx_[0-9a-z]+/.exec(created)?.[0] ?? '';
      expect(await merchant.status(id)).toMatchObject({
        status: 'pending',
        externalOrderId: 'ORDER-1001',
        amount: 12.5,
      });
      expect(await run('init', runner), 'the same Idempotency-Key').toBe(created);
      const isCurl = runner.name === 'curl';
      if (isCurl) expect(await run('multibanco', runner, id)).toMatch(/\b\d{5}\b[\s\S]*\b\d{9}\b/);
      expect(await run('mbway', runner, id)).toContain('4 minutes');
      await merchant.reaches(id, 'paid');
      if (isCurl) {
        expect(await run('status', runner, id)).toContain('paid');
        expect(await run('methods', runner)).toMatch(/MBWAY.*REFERENCE/s);
      }
      if (isCurl || runner === TYPESCRIPT)
        expect(await run('session', runner)).toContain(`${service.url}/pay/`);
      if (runner === TYPESCRIPT) expect(await run('trpc', runner, id)).toBe('paid MBWAY\n');
      const refused = await run('mbway', runner, 'tx_none').catch((error) => error);
      expect(refused.code).toBeGreaterThan(0);
      expect(refused.stdout + refused.stderr).toContain('TRANSACTION_NOT_FOUND');
    },
  );

  test.skipIf(missing !== null || !['PHP', 'Python'].includes(runner.name))(
    'a sample without a response, or with that of a proxy, exits with one line, not a stack trace',
    async () => {
      merchant = await service.merchant();
      const closed = `http://127.0.0.1:${await freePort()}/api/v1`;
      const { port } = await startReceiver(({ path }, response) => {
        const [status, body] = PROXY_ANSWERS[Number(path.split('/')[1])] ?? [];
        response.writeHead(status ?? 500).end(body);
      }, 'plain');
      const answers = PROXY_ANSWERS.map((_answer, place) => `http://127.0.0.1:${port}/${place}/api/v1`);
      for (const name of ['init', 'mbway']) {
        for (const url of [closed, ...answers]) {
          const refused = await run(name, runner, 'tx_none', '', url).catch((error) => error);
          expect(refused.code, `${name} ${url}`).toBe(1);
          expect(refused.stderr.trim().split('\n'), `${name} ${url}`).toHaveLength(1);
        }
      }
    },
  );

  testProgram.each(VERIFYING)(
    'the sample %s accepts a genuine delivery and nothing else',
    async (name, given) => {
      const [secret, other] = [SECRET, `whsec_${Buffer.alloc(32, 6).toString('base64')}`];
      const sign = (secrets: SigningSecrets, now = Date.now()) =>
        Object.fromEntries(new Headers(signedHeaders('é', secrets, { now })));
      const rotating = sign([secret, other]);
      const isStandard = name !== 'service';
      const cases = [
        ['é', sign([secret]), secret, true],
        ['é', rotating, secret, true],
        // Only the standard header has a signature by each secret.
        ['é', rotating, other, isStandard],
        ['é', sign([other]), secret, false],
        ['e', sign([secret]), secret, false],
        ['é', sign([secret], Date.now() - 3_600_000), secret, !isStandard],
        ['é', { ...sign([secret]), 'webhook-timestamp': '²' }, secret, !isStandard],
        ['é', { ...sign([secret]), 'webhook-timestamp': '9'.repeat(400) }, secret, !isStandard],
        ['é', {}, secret, false],
        // An unset variable: anyone could sign with an empty key.
        ['é', sign(['']), '', false],
        ['é', sign(['']), 'whsec_', false],
      ] as const;
      const argumentsOf = (headers: Record<string, string>) => given.map((header) => headers[header] ?? '');
      const input = cases.map(([body, headers, key]) => [body, ...argumentsOf(headers), key]);
      const { flag, program } = VERIFIERS[runner.name] ?? { flag: '', program: '' };
      const args = [flag, program.replace('FILE', runnable(name, runner)), '--', JSON.stringify(input)];
      if (runner.name === 'Python') args.splice(2, 1);
      const { stdout } = await promisify(execFile)(runner.command, args);
      expect(JSON.parse(stdout)).toEqual(cases.map(([, , , genuine]) => genuine));
    },
  );

  testProgram(
    'the receiver passes every rule of webhook doctor, and acts on each payment once and on cancellations',
    async () => {
      const shop = join(temporaryFolder(), 'shop.db');
      const settings = { WEBHOOK_SECRET: SECRET, SHOP_DATABASE: shop };
      const { program, url } = await serveSample('receiver', runner, settings);
      const { url: countUrl } = await serveSample('count', runner, { SHOP_DATABASE: shop });
      const paidOrders = async () => {
        const response = await fetch(countUrl);
        expect(response.status, 'before the first event too').toBe(200);
        return Number(await response.text());
      };
      expect(await brokenRules({ url, secret: SECRET, paidOrders })).toEqual([]);
      const acted = (program.out() + program.err()).match(/payment\.\w+(?= ORDER-1001 12\.5\b)/g) ?? [];
      expect(acted.filter((event) => event === 'payment.success')).toHaveLength(await paidOrders());
      expect(acted).toContain('payment.cancelled');
    },
    60_000,
  );

  testProgram('the receiver survives a client that hangs and one that closes before the end', async () => {
    const settings = { WEBHOOK_SECRET: SECRET, SHOP_DATABASE: join(temporaryFolder(), 'shop.db') };
    const { program, url } = await serveSample('receiver', runner, settings);
    const begun = () => {
      const socket = connect(Number(new URL(url).port), '127.0.0.1');
      onTestFinished(() => void socket.destroy());
      socket.resume().write('POST / HTTP/1.1\r\nHost: shop\r\nContent-Length: 10\r\n\r\n{');
      return socket;
    };
    begun();
    await once(begun().end(), 'close');
    expect(await deliverTo(url)).toBe(200);
    expect(hasEnded(program)).toBe(false);
  });

  testProgram('the receiver forgets an event whose order it could not update, and goes on', async () => {
    const file = join(temporaryFolder(), 'shop.db');
    const settings = { WEBHOOK_SECRET: SECRET, SHOP_DATABASE: file };
    const { url } = await serveSample('receiver', runner, settings, (code) =>
      code.replace(/(#|\/\/) Update the order here.*/, FAILURES[runner.name] ?? ''),
    );
    expect(await deliverTo(url)).not.toBe(200);
    expect(await deliverTo(url, 'tx_test_2')).toBe(200);
    // The next attempt must not count as a duplicate.
    const shop = new Sqlite(file);
    expect(shop.prepare('SELECT id FROM seen').pluck().all()).toEqual(['tx_test_2']);
    shop.close();
  });
});

test('the reconciliation job updates each changed order and continues after a failed one', async () => {
  merchant = await service.merchant();
  const paid = await merchant.pay();
  const { amount } = await merchant.status(paid);
  const file = join(temporaryFolder(), 'shop.db');
  const shop = new Sqlite(file);
  shop.exec('CREATE TABLE orders (id TEXT, transaction_id TEXT, amount REAL, status TEXT, created_at TEXT)');
  const add = shop.prepare("INSERT INTO orders VALUES (?, ?, ?, 'pending', datetime('now'))");
  add.run('UNKNOWN', 'tx_none', 1);
  add.run('WRONG', await merchant.pay(), 0.01);
  // An order with two transactions, of which one is paid.
  add.run('PAID', paid, amount);
  add.run('PAID', await merchant.init(), amount);
  add.run('OPEN', await merchant.init(), amount);
  // Its init had no response, so there is no transaction that could be paid.
  add.run('LOST', null, amount);
  const first = await run('reconcile', TYPESCRIPT, '', file).catch((error) => error);
  expect([first.code, first.stdout]).toEqual([1, 'PAID pending -> paid\n']);
  expect(first.stderr).toMatch(/UNKNOWN[\s\S]*TRANSACTION_NOT_FOUND[\s\S]*WRONG/);
  shop.exec("DELETE FROM orders WHERE id IN ('UNKNOWN', 'WRONG')");
  expect(await run('reconcile', TYPESCRIPT, '', file)).toBe('');
  expect(shop.prepare('SELECT status FROM orders ORDER BY id, status').pluck().all().join()).toBe(
    'pending,pending,paid,pending',
  );
  shop.close();
});

test('the countdown ends with the stored status, survives a failed poll and does not fail at zero', async () => {
  const copy = join(temporaryFolder(), 'countdown.mjs');
  writeFileSync(copy, readFileSync(join(SAMPLES_FOLDER, 'countdown.js.txt')));
  const { followPush } = await import(pathToFileURL(copy).href);
  const shown: (number | null)[] = [];
  const answers = ['pending', new Error('offline'), 'pending', 'paid'];
  const readStatus = async () => {
    const answer = answers.shift();
    if (answer instanceof Error) throw answer;
    return answer;
  };
  const times = { windowMs: 20, graceMs: 5000, tickMs: 10 };
  expect(await followPush(readStatus, (left: number | null) => shown.push(left), times)).toBe('paid');
  expect([shown[0], shown.at(-1)]).toEqual([1, null]);
  const forEver = followPush(
    async () => 'pending',
    () => {},
    { windowMs: 10, graceMs: 10, tickMs: 5 },
  );
  expect(await forEver).toBe('pending');
});

test('every sample is run', () => {
  const names = new Set(readdirSync(SAMPLES_FOLDER).map((file) => file.split('.')[0]));
  expect([...names].sort()).toEqual([
    'count',
    'countdown',
    'init',
    'mbway',
    'methods',
    'multibanco',
    'receiver',
    'reconcile',
    'session',
    'status',
    'trpc',
    'verify',
  ]);
});
