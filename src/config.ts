import { dirname } from 'node:path';
import {
  readAcquirerUrls,
  readDatabaseUrl,
  readDirectUrl,
  readHosts,
  readTrustProxy,
  requireDatabaseFile,
  withoutPassword,
} from './config-addresses.ts';
import { readMetricsToken, readPreviousKey, readSecretKey } from './config-keys.ts';
import { bad, choice, type Env, integer, number, recordReads, text, truth, url } from './config-values.ts';
import { ACQUIRERS } from './kernel/acquirer.ts';
import { validIban } from './kernel/iban.ts';
import { AMOUNT_MAX_CENTS, type Cents, centsFromEuros, eurosFromCents } from './kernel/money.ts';
import { withoutAccents } from './kernel/person-keys.ts';

/** Settings without secrets, safe to log and to show. Names follow the variables. */
export type Settings = ReturnType<typeof readSettings>;

export type Config = ReturnType<typeof readConfig>;

const IFTHENPAY_REFUND_PATHS = [
  '/v2/payments/refund',
  '/endpoint/payments/refund',
  '/api/endpoint/payments/refund',
] as const;
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'];
const MULTIBANCO_DAYS = [...Array(32).keys(), 45, 60, 90, 120];
const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/;
const MBWAY_WINDOW_SECONDS = 240;
const MAIL_ADDRESS = /^[^\s@<>(),;:"]+@[^\s@<>(),;:"']+$/;
/** A name and an address in angle brackets. */
const NAMED_ADDRESS = /^([^<>]*)<([^<>]*)>$/;
const BANKS = ['sandbox', ...ACQUIRERS].join(', ').replace(/, (?=[^,]*$)/, ' or ');

/**
 * Reads every SERVICE_ variable. With `mustExist`, the SQLite file is required to exist. Throws OperatorError with one line that
 * names the first bad variable.
 */
export function readConfig(given: Env, { mustExist = false } = {}) {
  const { recorded: env, names } = recordReads(given);
  const databaseUrl = readDatabaseUrl(env);
  const settings = readSettings(env, databaseUrl);
  const metricsToken = readMetricsToken(env);
  // Before the secret key, which is created next to a sandbox's database.
  if (mustExist) requireDatabaseFile(databaseUrl);
  const secretKey = readSecretKey(env, settings);
  const secrets = Object.freeze({
    /** The URL with the password. */
    databaseUrl,
    /** The address that bypasses a connection pooler. */
    databaseDirectUrl: readDirectUrl(env) ?? databaseUrl,
    secretKey,
    /** The old key during a key rotation; only decrypts. */
    previousSecretKey: readPreviousKey(env, secretKey),
    metricsToken,
    /** `smtp:` or `smtps:`, with credentials; null without mail, or with the sandbox's mailbox. */
    smtpUrl: readSmtpUrl(env),
  });
  /** Settings that are probably wrong. */
  const warnings = configWarnings(given, names, settings);
  return Object.freeze({ settings, secrets, warnings });
}

function readSettings(env: Env, databaseUrl: string) {
  const bank = choice(env, 'SERVICE_BANK', ['sandbox', ...ACQUIRERS] as const, 'sandbox');
  const sandbox = bank === 'sandbox';
  const host = text(env, 'SERVICE_HOST') ?? '127.0.0.1';
  requireExplicitBank(env, host);
  if (!sandbox && env.NODE_TLS_REJECT_UNAUTHORIZED === '0') {
    throw bad(
      'NODE_TLS_REJECT_UNAUTHORIZED',
      'must not be 0 with a real bank; unset it, and trust private authorities with NODE_EXTRA_CA_CERTS',
    );
  }
  return Object.freeze({
    host,
    port: integer(env, 'SERVICE_PORT', 8080, 0, 65_535),
    /** Without a trailing slash; null for the listener's own address. */
    publicUrl: url(env, 'SERVICE_PUBLIC_URL'),
    /** Without the password, which is among the secrets. */
    databaseUrl: withoutPassword(databaseUrl),
    /** The folder of a sandbox's secret key and storage. */
    dataFolder: databaseUrl.startsWith('sqlite:') ? dirname(databaseUrl.slice('sqlite:'.length)) : './data',
    requireCheckoutData: truth(env, 'SERVICE_REQUIRE_CHECKOUT_DATA', true),
    postRateLimit: integer(env, 'SERVICE_POST_RATE_LIMIT', 30, 0, 1_000_000),
    /** The most open connections of this process; further ones are closed immediately. */
    connectionsMax: integer(env, 'SERVICE_CONNECTIONS_MAX', 4000, 1, 1_000_000),
    trustProxy: readTrustProxy(env),
    webhookAllowPrivateNetworks: truth(env, 'SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS', false),
    bank,
    /** The acquirer of merchants without their own route. */
    acquirer: bank === 'sandbox' ? 'ifthenpay' : bank,
    bankTimeoutMs: integer(env, 'SERVICE_BANK_TIMEOUT_MS', 10_000, 1000, 120_000),
    ...readMethods(env, sandbox),
    /** The path of ifthenpay's refund call; its documentation contains three. */
    ifthenpayRefundPath: choice(
      env,
      'SERVICE_IFTHENPAY_REFUND_PATH',
      IFTHENPAY_REFUND_PATHS,
      '/v2/payments/refund',
    ),
    /** The account that refunds are transferred from, in files for the bank. */
    sepaDebtorName: readDebtorName(env),
    sepaDebtorIban: readDebtorIban(env),
    sandboxHost: text(env, 'SERVICE_SANDBOX_HOST') ?? '127.0.0.1',
    sandboxPort: integer(env, 'SERVICE_SANDBOX_PORT', 8081, 0, 65_535),
    /** Names under which browsers reach the sandbox, besides localhost and IP addresses. */
    sandboxPublicHosts: readHosts(env, 'SERVICE_SANDBOX_PUBLIC_HOST'),
    /** Null when the sandbox is embedded. */
    sandboxUrl: url(env, 'SERVICE_SANDBOX_URL'),
    /** Addresses that replace an acquirer's; only with the sandbox. */
    acquirerUrls: readAcquirerUrls(env, sandbox),
    /** The age at which attempts of finished deliveries are deleted. */
    deliveryAttemptDays: integer(env, 'SERVICE_DELIVERY_ATTEMPT_DAYS', 90, 1, 36_500),
    /** The age at which answers stored under an Idempotency-Key are deleted; at least the promised 7 days. */
    idempotencyDays: integer(env, 'SERVICE_IDEMPOTENCY_DAYS', 7, 7, 36_500),
    /** The age at which settled callback notifications are deleted. */
    bankHintDays: integer(env, 'SERVICE_BANK_HINT_DAYS', 90, 1, 36_500),
    /** The waits of the automatic recovery of webhooks, in order. */
    autoRecoverMs: readAutoRecover(env),
    ...readMail(env, sandbox),
    logLevel: choice(env, 'SERVICE_LOG_LEVEL', LOG_LEVELS, 'info'),
    seedDemo: truth(env, 'SERVICE_SEED_DEMO', sandbox),
  });
}

/** The settings of the payment methods, and of checking their payments at the bank. */
function readMethods(env: Env, sandbox: boolean) {
  return {
    mbwayWindowMs: seconds(
      env,
      'SERVICE_MBWAY_WINDOW_SECONDS',
      MBWAY_WINDOW_SECONDS,
      sandbox ? 1 : MBWAY_WINDOW_SECONDS,
    ),
    mbwayGraceMs: seconds(env, 'SERVICE_MBWAY_GRACE_SECONDS', 30, 0),
    mbwayMaxCents: readMbwayMax(env),
    multibancoDays: readMultibancoDays(env),
    multibancoGraceMs: Math.round(number(env, 'SERVICE_MULTIBANCO_GRACE_MINUTES', 120, 0, 43_200) * 60_000),
    pendingMs: Math.round(number(env, 'SERVICE_PENDING_HOURS', 24, 0, 8784) * 3_600_000),
    /** Pushes that payment pages may send to one phone in an hour. */
    phonePushesPerHour: integer(env, 'SERVICE_PHONE_PUSHES_PER_HOUR', sandbox ? 1000 : 5, 1, 1_000_000),
    addressPushesPerHour: integer(
      env,
      'SERVICE_ADDRESS_PUSHES_PER_HOUR',
      sandbox ? 10_000 : 30,
      1,
      1_000_000,
    ),
    inquiryMs: seconds(env, 'SERVICE_INQUIRY_SECONDS', sandbox ? 1 : 10, 0.05, 3600),
    inquiriesPerSecond: number(env, 'SERVICE_INQUIRIES_PER_SECOND', sandbox ? 1000 : 10, 0.1, 100_000),
    reconcileMs: seconds(env, 'SERVICE_RECONCILE_SECONDS', sandbox ? 5 : 300, 1),
  };
}

function readMail(env: Env, sandbox: boolean) {
  const from = text(env, 'SERVICE_MAIL_FROM');
  const hasServer = text(env, 'SERVICE_SMTP_URL') !== null;
  if (hasServer && from === null) throw bad('SERVICE_MAIL_FROM', 'is required with SERVICE_SMTP_URL');
  const [, name = '', address = from] = NAMED_ADDRESS.exec(from ?? '') ?? [];
  if (address !== null && !MAIL_ADDRESS.test(address)) {
    throw bad(
      'SERVICE_MAIL_FROM',
      'must be an email address, such as payments@example.com or Payments <payments@example.com>',
    );
  }
  return {
    /** Whether mail is sent: SERVICE_SMTP_URL is set, or the sandbox's mailbox receives it. */
    mail: sandbox || hasServer,
    mailFrom: address ?? 'no-reply@sandbox.example',
    /** The sender's name in mails that are not sent for a merchant; null for the service's own. */
    mailFromName: name.trim().replace(/^"(.*)"$/, '$1') || null,
    /** The shortest time between two mails about undelivered events of a merchant. */
    mailAlertMs: seconds(env, 'SERVICE_MAIL_ALERT_SECONDS', 3600, 1, 604_800),
    /** How long an acquirer must be unavailable before operators get mail. */
    bankAlertMs: seconds(env, 'SERVICE_BANK_ALERT_SECONDS', 600, 1, 604_800),
    /** How long before its expiry a reminder about a reference is sent. */
    mailReminderMs: Math.round(number(env, 'SERVICE_MAIL_REMINDER_HOURS', 24, 0, 2880) * 3_600_000),
  };
}

function seconds(env: Env, name: string, fallback: number, min: number, max = 86_400): number {
  return Math.round(number(env, name, fallback, min, max) * 1000);
}

function readSmtpUrl(env: Env): string | null {
  const value = text(env, 'SERVICE_SMTP_URL');
  if (value === null) return null;
  const parsed = URL.parse(value);
  if (
    parsed !== null &&
    /^smtps?:$/.test(parsed.protocol) &&
    parsed.hostname !== '' &&
    isDecodable(`${parsed.username}:${parsed.password}`)
  ) {
    return value;
  }
  // The message omits the value, which may contain a password.
  throw bad(
    'SERVICE_SMTP_URL',
    'must be smtp://USER:PASSWORD@HOST:PORT or smtps://…, special characters in it written as %XX',
  );
}

function isDecodable(text: string): boolean {
  try {
    decodeURIComponent(text);
    return true;
  } catch {
    return false;
  }
}

/** Throws when the sandbox would be the default in a likely production environment. */
function requireExplicitBank(env: Env, host: string): void {
  if (text(env, 'SERVICE_BANK') !== null) return;
  if (env.NODE_ENV === 'production') {
    throw bad('SERVICE_BANK', `must be set (${BANKS}) when NODE_ENV is production`);
  }
  if (!LOOPBACK.test(host)) {
    throw bad('SERVICE_BANK', `must be set (${BANKS}) when SERVICE_HOST is ${host}, not a loopback address`);
  }
}

/** 1 to 10 waits in seconds, separated by commas. */
function readAutoRecover(env: Env): readonly number[] {
  const name = 'SERVICE_AUTO_RECOVER_SECONDS';
  const waits = (text(env, name) ?? '300,1800,7200,21600,86400').split(',').map((wait) => wait.trim());
  const parsed = waits.map((wait) => (/^\d{1,8}(\.\d{1,3})?$/.test(wait) ? Number(wait) : Number.NaN));
  if (waits.length <= 10 && parsed.every((wait) => wait > 0)) return parsed.map((wait) => wait * 1000);
  throw bad(name, 'must be 1 to 10 numbers of seconds above 0, separated by commas');
}

function readMultibancoDays(env: Env): number {
  const days = integer(env, 'SERVICE_MULTIBANCO_DAYS', 3, 0, 120);
  if (!MULTIBANCO_DAYS.includes(days))
    throw bad('SERVICE_MULTIBANCO_DAYS', 'must be 0 to 31, 45, 60, 90 or 120');
  return days;
}

function readMbwayMax(env: Env): Cents {
  const name = 'SERVICE_MBWAY_MAX_EUR';
  const amount = centsFromEuros(number(env, name, 5000, 0.01, eurosFromCents(AMOUNT_MAX_CENTS)));
  if (amount === null) throw bad(name, 'must have at most two decimals');
  return amount;
}

/** A name of which something remains in a credit transfer file. */
function readDebtorName(env: Env): string | null {
  const name = text(env, 'SERVICE_SEPA_DEBTOR_NAME');
  if (name === null || /[a-z0-9]/i.test(withoutAccents(name))) return name;
  throw bad('SERVICE_SEPA_DEBTOR_NAME', 'must contain Latin letters or digits; SEPA accepts no others');
}

function readDebtorIban(env: Env): string | null {
  const value = text(env, 'SERVICE_SEPA_DEBTOR_IBAN');
  if (value === null) return null;
  const iban = validIban(value);
  if (iban === null) throw bad('SERVICE_SEPA_DEBTOR_IBAN', 'must be a valid IBAN');
  return iban;
}

/** A setting that is accepted but probably wrong; the service logs it when it starts. */
interface ConfigWarning {
  readonly message: string;
  readonly fields: Readonly<Record<string, string | null>>;
}

/** Returns the warnings about `env`. `known` are the names that the service reads. */
function configWarnings(
  env: Env,
  known: ReadonlySet<string>,
  { bank, publicUrl }: { bank: string; publicUrl: string | null },
): ConfigWarning[] {
  const unknown = Object.keys(env).filter((name) => name.startsWith('SERVICE_') && !known.has(name));
  const warnings: ConfigWarning[] = unknown.map((variable) => ({
    message: 'unknown setting: it has no effect; check its name',
    fields: { variable },
  }));
  if (bank !== 'sandbox' && publicUrl?.startsWith('https:') !== true) {
    warnings.push({
      message:
        'SERVICE_PUBLIC_URL is not an https address: the bank cannot reach the service there; set the public https address',
      fields: { publicUrl },
    });
  }
  return warnings;
}
