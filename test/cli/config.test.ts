import { once } from 'node:events';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { temporaryFolder } from '../support/database.ts';

const KEY = Buffer.alloc(32, 1).toString('base64');
const SANDBOX = { SERVICE_SECRET_KEY: KEY };
const REAL = { SERVICE_SECRET_KEY: KEY, SERVICE_BANK: 'ifthenpay' };

test('a real bank has no demo merchant, and sends no mail without a mail server', () => {
  expect(readConfig(REAL).settings).toMatchObject({ bank: 'ifthenpay', seedDemo: false, mail: false });
});

test('the waits of the automatic recovery are given in seconds', () => {
  const env = { SERVICE_AUTO_RECOVER_SECONDS: '60, 1.5' };
  expect(readConfig({ ...SANDBOX, ...env }).settings.autoRecoverMs).toEqual([60_000, 1500]);
});

test.each([
  ['SERVICE_PORT', '65536'],
  ['SERVICE_PORT', '80.5'],
  ['SERVICE_PORT', 'http'],
  ['SERVICE_PUBLIC_URL', 'shop.pt'],
  ['SERVICE_PUBLIC_URL', 'ftp://shop.pt'],
  ['SERVICE_PUBLIC_URL', 'https://shop.pt/?shop=1'],
  ['SERVICE_PUBLIC_URL', 'https://user:secret@shop.pt'],
  ['SERVICE_SANDBOX_URL', 'http://127.0.0.1:8081/#bank'],
  ['SERVICE_DATABASE_URL', 'mysql://x'],
  ['SERVICE_DATABASE_URL', 'sqlite:'],
  ['SERVICE_DATABASE_URL', 'sqlite::memory:'],
  ['SERVICE_DATABASE_URL', 'postgres://'],
  ['SERVICE_DATABASE_URL', 'postgres://service@db.local'],
  ['SERVICE_DATABASE_URL', 'postgres://service:pa/ss@db.local/service'],
  ['SERVICE_SECRET_KEY', 'short'],
  ['SERVICE_SECRET_KEY', Buffer.alloc(32).toString('base64')],
  ['SERVICE_SECRET_KEY_PREVIOUS', Buffer.alloc(32).toString('base64')],
  ['SERVICE_METRICS_TOKEN', 'fifteen-letters'],
  ['SERVICE_SECRET_KEY', Buffer.alloc(31).toString('base64')],
  ['SERVICE_SECRET_KEY', Buffer.alloc(33).toString('base64')],
  ['SERVICE_REQUIRE_CHECKOUT_DATA', 'no'],
  ['SERVICE_REQUIRE_CHECKOUT_DATA', 'FALSE'],
  ['SERVICE_POST_RATE_LIMIT', '-1'],
  ['SERVICE_TRUST_PROXY', 'true'],
  ['SERVICE_TRUST_PROXY', 'proxy.local'],
  ['SERVICE_TRUST_PROXY', '0.0.0.0/0'],
  ['SERVICE_TRUST_PROXY', '10.0.0.0/33'],
  ['SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS', '1'],
  ['SERVICE_BANK', 'ifthenpaid'],
  ['SERVICE_BANK_TIMEOUT_MS', '999'],
  ['SERVICE_MBWAY_WINDOW_SECONDS', '0'],
  ['SERVICE_MBWAY_GRACE_SECONDS', '-1'],
  ['SERVICE_MBWAY_MAX_EUR', '0'],
  ['SERVICE_MBWAY_MAX_EUR', '1.001'],
  ['SERVICE_MULTIBANCO_DAYS', '32'],
  ['SERVICE_MULTIBANCO_DAYS', '1.5'],
  ['SERVICE_MULTIBANCO_GRACE_MINUTES', 'two'],
  ['SERVICE_PENDING_HOURS', 'NaN'],
  ['SERVICE_INQUIRY_SECONDS', '0'],
  ['SERVICE_INQUIRIES_PER_SECOND', '0'],
  ['SERVICE_RECONCILE_SECONDS', '0.5'],
  ['SERVICE_SANDBOX_PORT', '1e9'],
  ['SERVICE_SANDBOX_URL', 'localhost:8081'],
  ['SERVICE_IFTHENPAY_URL', 'localhost:8082'],
  ['SERVICE_EUPAGO_URL', 'ftp://localhost'],
  ['SERVICE_DELIVERY_ATTEMPT_DAYS', '0'],
  ['SERVICE_IDEMPOTENCY_DAYS', '6'],
  ['SERVICE_BANK_HINT_DAYS', '1.5'],
  ['SERVICE_LOG_LEVEL', 'loud'],
  ['SERVICE_PHONE_PUSHES_PER_HOUR', '0'],
  ['SERVICE_BANK_ALERT_SECONDS', '0'],
  ['SERVICE_AUTO_RECOVER_SECONDS', '0,60'],
  ['SERVICE_AUTO_RECOVER_SECONDS', '60,'],
  ['SERVICE_AUTO_RECOVER_SECONDS', '1,2,3,4,5,6,7,8,9,10,11'],
  ['SERVICE_MAIL_REMINDER_HOURS', 'soon'],
  ['SERVICE_SEPA_DEBTOR_NAME', '日本'],
  ['SERVICE_SEPA_DEBTOR_IBAN', 'PT51'],
  ['SERVICE_SEED_DEMO', 'maybe'],
])('%s=%s stops the start with one line that names it', (name, value) => {
  const attempt = () => readConfig({ ...SANDBOX, [name]: value });
  expect(attempt).toThrow(OperatorError);
  expect(attempt).toThrow(new RegExp(`^${name} [^\\n]+$`));
});

test.each([
  ['SERVICE_MAIL_FROM', {}],
  ['SERVICE_MAIL_FROM', { SERVICE_MAIL_FROM: 'a b@x' }],
  ['SERVICE_MAIL_FROM', { SERVICE_MAIL_FROM: 'Loja <a b@x>' }],
  ['SERVICE_MAIL_FROM', { SERVICE_MAIL_FROM: 'Loja <>' }],
  ['SERVICE_MAIL_FROM', { SERVICE_MAIL_FROM: "'payments@service.example'" }],
  [
    'SERVICE_SMTP_URL',
    { SERVICE_MAIL_FROM: 'payments@service.example', SERVICE_SMTP_URL: 'http://mail.example' },
  ],
  [
    'SERVICE_SMTP_URL',
    { SERVICE_MAIL_FROM: 'payments@service.example', SERVICE_SMTP_URL: 'smtp://user:100%@mail.example' },
  ],
  ['SERVICE_SMTP_URL', { SERVICE_MAIL_FROM: 'payments@service.example', SERVICE_SMTP_URL: 'smtp:' }],
])('with a mail server, a missing or bad %s stops the start', (name, env) => {
  const server = { SERVICE_SMTP_URL: 'smtp://mail.example' };
  expect(() => readConfig({ ...SANDBOX, ...server, ...env })).toThrow(name);
});

test('an invalid secret key is not repeated in the error', () => {
  expect(() => readConfig({ SERVICE_SECRET_KEY: 'my-precious' })).toThrow(/^(?!.*my-precious)/);
});

test('the database password appears only in the secrets, not in settings and errors', () => {
  const url = 'postgres://service:p%40ss@db.local:5433/service?sslmode=require';
  const { settings, secrets } = readConfig({ ...SANDBOX, SERVICE_DATABASE_URL: url });
  expect(settings.databaseUrl).toBe('postgres://service@db.local:5433/service?sslmode=require');
  expect(settings.dataFolder).toBe('./data');
  expect(secrets.databaseUrl).toBe(url);
  expect(() => readConfig({ ...SANDBOX, SERVICE_DATABASE_URL: 'postgres://service:precious@/x/y' })).toThrow(
    /^SERVICE_DATABASE_URL (?!.*precious)/,
  );
});

test('a real bank requires a secret key and the full MB WAY window', () => {
  expect(() => readConfig({ SERVICE_BANK: 'ifthenpay' })).toThrow(/^SERVICE_SECRET_KEY is required/);
  expect(() => readConfig({ ...REAL, SERVICE_MBWAY_WINDOW_SECONDS: '239' })).toThrow(
    /^SERVICE_MBWAY_WINDOW_SECONDS/,
  );
});

test('a real bank refuses to start without verification of certificates', () => {
  const env = { NODE_TLS_REJECT_UNAUTHORIZED: '0' };
  expect(() => readConfig({ ...REAL, ...env })).toThrow(/^NODE_TLS_REJECT_UNAUTHORIZED must not be 0[^\n]+$/);
  expect(readConfig({ ...REAL, NODE_TLS_REJECT_UNAUTHORIZED: '1' }).settings.bank).toBe('ifthenpay');
  expect(readConfig({ ...SANDBOX, ...env }).settings.bank).toBe('sandbox');
});

test.each([
  [{ NODE_ENV: 'production' }],
  [{ SERVICE_HOST: '0.0.0.0' }],
  [{ SERVICE_HOST: '::' }],
  [{ SERVICE_HOST: '192.168.1.5' }],
])('with %j the sandbox must be chosen explicitly', (env) => {
  expect(() => readConfig({ ...SANDBOX, ...env })).toThrow(/^SERVICE_BANK must be set/);
  expect(readConfig({ ...SANDBOX, ...env, SERVICE_BANK: 'sandbox' }).settings.bank).toBe('sandbox');
});

test.each([
  ['false', false],
  ['0', false],
  ['2', 2],
  ['10.0.0.0/8, ::1', ['10.0.0.0/8', '::1']],
])('SERVICE_TRUST_PROXY=%s is %j', (value, expected) => {
  expect(readConfig({ ...SANDBOX, SERVICE_TRUST_PROXY: value }).settings.trustProxy).toEqual(expected);
});

test.each([
  ['HTTPS:/Pay.Example:443/base/', 'https://pay.example/base'],
  ['https:\\\\pay.example', 'https://pay.example'],
])('the public URL %s is written as browsers and banks need it', (given, expected) => {
  expect(readConfig({ ...REAL, SERVICE_PUBLIC_URL: given })).toMatchObject({
    settings: { publicUrl: expected },
    warnings: [],
  });
});

test('a blank variable counts as unset', () => {
  expect(readConfig({ ...SANDBOX, SERVICE_PORT: ' ' }).settings.port).toBe(8080);
});

test("the sandbox's key is created once, readable only by its owner, and kept", () => {
  const folder = temporaryFolder();
  const env = { SERVICE_DATABASE_URL: `sqlite:${join(folder, 'data', 'service.db')}` };
  const first = readConfig(env).secrets.secretKey;
  const file = join(folder, 'data', 'secret.key');
  expect(first).toHaveLength(32);
  expect(readConfig(env).secrets.secretKey).toEqual(first);
  expect(readFileSync(file, 'utf8')).toBe(first.toString('base64'));
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('the bank can be EuPago, and no address of an acquirer is replaced with a real bank', () => {
  const { settings } = readConfig({ ...REAL, SERVICE_BANK: 'eupago' });
  expect([settings.bank, settings.acquirer]).toEqual(['eupago', 'eupago']);
  expect(readConfig(SANDBOX).settings.acquirer).toBe('ifthenpay');
  const urls = { SERVICE_IFTHENPAY_URL: 'http://127.0.0.1:1/', SERVICE_EUPAGO_URL: 'http://127.0.0.1:2' };
  expect(readConfig({ ...SANDBOX, ...urls }).settings.acquirerUrls).toEqual({
    ifthenpay: 'http://127.0.0.1:1',
    eupago: 'http://127.0.0.1:2',
  });
  for (const name of Object.keys(urls)) {
    const given = { ...REAL, [name]: 'http://127.0.0.1:1' };
    expect(() => readConfig(given)).toThrow(new RegExp(`^${name} must be unset`));
  }
});

test('the key file of a process that starts at the same time is read once it is written', async () => {
  const folder = temporaryFolder();
  const file = join(folder, 'secret.key');
  writeFileSync(file, '');
  const write = `setTimeout(() => require('node:fs').writeFileSync(...require('node:worker_threads').workerData), 100)`;
  const other = new Worker(write, { eval: true, workerData: [file, KEY] });
  await once(other, 'online');
  const { secrets } = readConfig({ SERVICE_DATABASE_URL: `sqlite:${folder}/service.db` });
  expect(secrets.secretKey.toString('base64')).toBe(KEY);
});

test.each([
  ['postgres://db:precious@db,db2/service', 'postgres://db@db,db2/service'],
  ['postgres://u:pre%40cious@a:1,b:2/s?password=x', 'postgres://u@a:1,b:2/s'],
  ['postgres:///s?host=/run&password=x', 'postgres:///s?host=%2Frun'],
  ['postgres://u:p@b,cious@a,b/s', 'postgres://u@a,b/s'],
])('the address %s is shown without its password', (url, shown) => {
  expect(readConfig({ ...SANDBOX, SERVICE_DATABASE_URL: url }).settings.databaseUrl).toBe(shown);
});
