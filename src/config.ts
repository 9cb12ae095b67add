import { randomBytes } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { dirname, join } from 'node:path';
import { bad, choice, type Env, integer, number, recordReads, text, truth, url } from './config-values.ts';
import { type ConfigWarning, configWarnings } from './config-warnings.ts';
import { OperatorError } from './kernel/errors.ts';
import { AMOUNT_MAX_CENTS } from './kernel/money.ts';
import { SECRET_KEY_BYTES } from './kernel/secret-box.ts';

/** Settings without secrets, safe to log and to show. Names follow the variables. */
export interface Settings {
  readonly host: string;
  readonly port: number;
  /** Without a trailing slash; null for the listener's own address. */
  readonly publicUrl: string | null;
  /** Without the password, which is among the secrets. */
  readonly databaseUrl: string;
  /** Where the secret key of a sandbox and the sandbox's own storage live. */
  readonly dataFolder: string;
  readonly requireCheckoutData: boolean;
  readonly postRateLimit: number;
  /** Open connections of this process; further ones are closed at once. */
  readonly connectionsMax: number;
  readonly trustProxy: boolean | number | string[];
  readonly webhookAllowPrivateNetworks: boolean;
  readonly bank: 'sandbox' | 'ifthenpay';
  readonly bankTimeoutMs: number;
  readonly mbwayWindowMs: number;
  readonly mbwayGraceMs: number;
  readonly mbwayMaxCents: number;
  readonly multibancoDays: number;
  readonly multibancoGraceMs: number;
  readonly pendingMs: number;
  readonly inquiryMs: number;
  readonly inquiriesPerSecond: number;
  readonly reconcileMs: number;
  readonly sandboxHost: string;
  readonly sandboxPort: number;
  /** Names under which browsers reach the sandbox, besides localhost and IP addresses. */
  readonly sandboxPublicHosts: readonly string[];
  /** Null: the sandbox is embedded. */
  readonly sandboxUrl: string | null;
  /** The age at which attempts of finished deliveries are deleted. */
  readonly deliveryAttemptDays: number;
  /** The same for answers kept under an Idempotency-Key; at least the promised 7 days. */
  readonly idempotencyDays: number;
  /** The same for settled callback notifications. */
  readonly bankHintDays: number;
  readonly logLevel: string;
  readonly seedDemo: boolean;
}

export interface Secrets {
  /** With the password. */
  readonly databaseUrl: string;
  /** The address that bypasses a connection pooler. */
  readonly databaseDirectUrl: string;
  readonly secretKey: Buffer;
  /** During a key rotation: decrypts with the old key, encrypts nothing. */
  readonly previousSecretKey: Buffer | null;
  readonly metricsToken: string | null;
}

export interface Config {
  readonly settings: Settings;
  readonly secrets: Secrets;
  /** Settings that are probably wrong. */
  readonly warnings: readonly ConfigWarning[];
}

const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MULTIBANCO_DAYS = [...Array(32).keys(), 45, 60, 90, 120];
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;
const MBWAY_WINDOW_SECONDS = 240;
const METRICS_TOKEN_LENGTH_MIN = 16;

/** Reads every SERVICE_ variable. Throws OperatorError with one line that names the first bad one. */
export function readConfig(given: Env): Config {
  const { recorded: env, names } = recordReads(given);
  const databaseUrl = readDatabaseUrl(env);
  const settings = readSettings(env, databaseUrl);
  const metricsToken = readMetricsToken(env);
  const secretKey = readSecretKey(env, settings);
  const secrets = Object.freeze({
    databaseUrl,
    databaseDirectUrl: readDirectUrl(env) ?? databaseUrl,
    secretKey,
    previousSecretKey: readPreviousKey(env, secretKey),
    metricsToken,
  });
  return Object.freeze({ settings, secrets, warnings: configWarnings(given, names, settings) });
}

function readSettings(env: Env, databaseUrl: string): Settings {
  const bank = choice(env, 'SERVICE_BANK', ['sandbox', 'ifthenpay'] as const, 'sandbox');
  const sandbox = bank === 'sandbox';
  const host = text(env, 'SERVICE_HOST') ?? '127.0.0.1';
  requireExplicitBank(env, host);
  if (!sandbox && env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw bad(
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'must not be 0 with a real bank; unset it, and trust private authorities with NODE_EXTRA_CA_CERTS',
    );
  }
  const seconds = (name: string, fallback: number, min: number, max = 86_400) =>
    Math.round(number(env, name, fallback, min, max) * 1000);
  return Object.freeze({
    host,
    port: integer(env, 'SERVICE_PORT', 8080, 0, 65_535),
    publicUrl: url(env, 'SERVICE_PUBLIC_URL'),
    databaseUrl: withoutPassword(databaseUrl),
    dataFolder: databaseUrl.startsWith('sqlite:') ? dirname(databaseUrl.slice('sqlite:'.length)) : './data',
    requireCheckoutData: truth(env, 'SERVICE_REQUIRE_CHECKOUT_DATA', true),
    postRateLimit: integer(env, 'SERVICE_POST_RATE_LIMIT', 30, 0, 1_000_000),
    connectionsMax: integer(env, 'SERVICE_CONNECTIONS_MAX', 4000, 1, 1_000_000),
    trustProxy: readTrustProxy(env),
    webhookAllowPrivateNetworks: truth(env, 'SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS', false),
    bank,
    bankTimeoutMs: integer(env, 'SERVICE_BANK_TIMEOUT_MS', 10_000, 1000, 120_000),
    mbwayWindowMs: seconds(
      'SERVICE_MBWAY_WINDOW_SECONDS',
      MBWAY_WINDOW_SECONDS,
      sandbox ? 1 : MBWAY_WINDOW_SECONDS,
    ),
    mbwayGraceMs: seconds('SERVICE_MBWAY_GRACE_SECONDS', 30, 0),
    mbwayMaxCents: readMbwayMax(env),
    multibancoDays: readMultibancoDays(env),
    multibancoGraceMs: Math.round(number(env, 'SERVICE_MULTIBANCO_GRACE_MINUTES', 120, 0, 43_200) * 60_000),
    pendingMs: Math.round(number(env, 'SERVICE_PENDING_HOURS', 24, 0, 8784) * 3_600_000),
    inquiryMs: seconds('SERVICE_INQUIRY_SECONDS', sandbox ? 1 : 10, 0.05, 3600),
    inquiriesPerSecond: number(env, 'SERVICE_INQUIRIES_PER_SECOND', sandbox ? 1000 : 10, 0.1, 100_000),
    reconcileMs: seconds('SERVICE_RECONCILE_SECONDS', sandbox ? 5 : 300, 1),
    sandboxHost: text(env, 'SERVICE_SANDBOX_HOST') ?? '127.0.0.1',
    sandboxPort: integer(env, 'SERVICE_SANDBOX_PORT', 8081, 0, 65_535),
    sandboxPublicHosts: readHosts(env, 'SERVICE_SANDBOX_PUBLIC_HOST'),
    sandboxUrl: url(env, 'SERVICE_SANDBOX_URL'),
    deliveryAttemptDays: integer(env, 'SERVICE_DELIVERY_ATTEMPT_DAYS', 90, 1, 36_500),
    idempotencyDays: integer(env, 'SERVICE_IDEMPOTENCY_DAYS', 7, 7, 36_500),
    bankHintDays: integer(env, 'SERVICE_BANK_HINT_DAYS', 90, 1, 36_500),
    logLevel: choice(env, 'SERVICE_LOG_LEVEL', LOG_LEVELS, 'info'),
    seedDemo: truth(env, 'SERVICE_SEED_DEMO', sandbox),
  });
}

/** Throws when the sandbox would run by default in what looks like production. */
function requireExplicitBank(env: Env, host: string): void {
  if (text(env, 'SERVICE_BANK') !== null) return;
  if (env.NODE_ENV === 'production') {
    throw bad('SERVICE_BANK', 'must be set (sandbox or ifthenpay) when NODE_ENV is production');
  }
  if (!LOOPBACK.test(host)) {
    throw bad(
      'SERVICE_BANK',
      `must be set (sandbox or ifthenpay) when SERVICE_HOST is ${host}, not a loopback address`,
    );
  }
}

function readDatabaseUrl(env: Env): string {
  const value = text(env, 'SERVICE_DATABASE_URL') ?? 'sqlite:./data/service.db';
  if (/^sqlite:./.test(value) || isPostgresUrl(value)) return value;
  // The message leaves out the value, which may hold a password.
  throw bad(
    'SERVICE_DATABASE_URL',
    'must be sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters in it written as %XX',
  );
}

/** The address for LISTEN when SERVICE_DATABASE_URL is a pooler such as PgBouncer in transaction mode. */
function readDirectUrl(env: Env): string | null {
  const value = text(env, 'SERVICE_DATABASE_DIRECT_URL');
  if (value === null || isPostgresUrl(value)) return value;
  throw bad('SERVICE_DATABASE_DIRECT_URL', 'must be postgres://… like SERVICE_DATABASE_URL, or unset');
}

/** Requires a database name: the driver would use the user's name instead. */
function isPostgresUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(value)) return false;
  return /^\/[^/]+$/.test(URL.parse(value)?.pathname ?? '');
}

function withoutPassword(databaseUrl: string): string {
  const parsed = databaseUrl.startsWith('sqlite:') ? null : URL.parse(databaseUrl);
  if (parsed === null) return databaseUrl;
  parsed.password = '';
  parsed.searchParams.delete('password');
  return parsed.href;
}

/** Host names separated by commas. */
function readHosts(env: Env, name: string): string[] {
  const hosts = (text(env, name) ?? '').toLowerCase().split(',');
  const names = hosts.map((host) => host.trim()).filter((host) => host !== '');
  if (names.every((host) => /^[a-z0-9.-]+$/.test(host))) return names;
  throw bad(name, 'must be host names separated by commas, without scheme and port');
}

function readMbwayMax(env: Env): number {
  return Math.round(number(env, 'SERVICE_MBWAY_MAX_EUR', 5000, 0.01, AMOUNT_MAX_CENTS / 100) * 100);
}

function readMultibancoDays(env: Env): number {
  const days = integer(env, 'SERVICE_MULTIBANCO_DAYS', 3, 0, 120);
  if (!MULTIBANCO_DAYS.includes(days))
    throw bad('SERVICE_MULTIBANCO_DAYS', 'must be 0 to 31, 45, 60, 90 or 120');
  return days;
}

/** `false`, a number of hops, or a list of CIDRs. */
function readTrustProxy(env: Env): boolean | number | string[] {
  const value = text(env, 'SERVICE_TRUST_PROXY') ?? 'false';
  if (value === 'false') return false;
  if (/^\d{1,2}$/.test(value)) return Number(value) === 0 ? false : Number(value);
  const ranges = value.split(',').map((range) => range.trim());
  if (ranges.every(isAddressOrCidr)) return ranges;
  throw bad(
    'SERVICE_TRUST_PROXY',
    'must be false, a number of hops, or addresses and CIDRs separated by commas',
  );
}

function isAddressOrCidr(range: string): boolean {
  const [address = '', bits, ...rest] = range.split('/');
  const widest = isIP(address) === 4 ? 32 : 128;
  return (
    isIP(address) !== 0 &&
    rest.length === 0 &&
    (bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) >= 1 && Number(bits) <= widest))
  );
}

function readSecretKey(env: Env, settings: Settings): Buffer {
  const value = text(env, 'SERVICE_SECRET_KEY');
  if (value !== null) return decodeKey(value, 'SERVICE_SECRET_KEY');
  if (settings.bank !== 'sandbox') {
    throw bad(
      'SERVICE_SECRET_KEY',
      "is required with a real bank: 32 random bytes in base64, e.g. 'openssl rand -base64 32'",
    );
  }
  return keptKey(join(settings.dataFolder, 'secret.key'));
}

function readPreviousKey(env: Env, secretKey: Buffer): Buffer | null {
  const value = text(env, 'SERVICE_SECRET_KEY_PREVIOUS');
  if (value === null) return null;
  const previous = decodeKey(value, 'SERVICE_SECRET_KEY_PREVIOUS');
  if (previous.equals(secretKey)) {
    throw bad(
      'SERVICE_SECRET_KEY_PREVIOUS',
      'is the same as SERVICE_SECRET_KEY; it is the old key, while secrets move to the new one',
    );
  }
  return previous;
}

/** Returns the sandbox's key, created once next to the database with mode 0600. */
function keptKey(file: string): Buffer {
  try {
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    try {
      writeFileSync(file, randomBytes(SECRET_KEY_BYTES).toString('base64'), { mode: 0o600, flag: 'wx' });
      chmodSync(file, 0o600);
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error;
    }
    return decodeKey(readFileSync(file, 'utf8').trim(), `SERVICE_SECRET_KEY (kept in ${file})`);
  } catch (error) {
    if (error instanceof OperatorError) throw error;
    throw bad(
      'SERVICE_SECRET_KEY',
      `cannot be kept in ${file}: ${error instanceof Error ? error.message : error}`,
    );
  }
}

function decodeKey(value: string, name: string): Buffer {
  const key = Buffer.from(value, 'base64');
  if (!/^[A-Za-z0-9+/]{43}=$/.test(value) || key.length !== SECRET_KEY_BYTES) {
    throw bad(name, "must be 32 bytes in base64, e.g. from 'openssl rand -base64 32'");
  }
  if (key.every((byte) => byte === 0)) {
    throw bad(name, "is all zeros; use random bytes, e.g. from 'openssl rand -base64 32'");
  }
  return key;
}

function readMetricsToken(env: Env): string | null {
  const value = text(env, 'SERVICE_METRICS_TOKEN');
  if (value === null || value.length >= METRICS_TOKEN_LENGTH_MIN) return value;
  throw bad(
    'SERVICE_METRICS_TOKEN',
    `must have at least ${METRICS_TOKEN_LENGTH_MIN} characters, e.g. from 'openssl rand -hex 16'`,
  );
}
