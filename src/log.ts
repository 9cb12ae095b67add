import { type DestinationStream, type Logger, pino, stdTimeFunctions } from 'pino';
import type { Settings } from './config.ts';
import { maskLine } from './kernel/mask.ts';

/** Members that are masked before a line is written. `maskLine` also masks them, at any depth, as a second guard. */
const REDACTED = [
  ...['authorization', 'headers.authorization', 'req.headers.authorization', 'cookie', 'apiKey', 'secret'],
  ...['webhookSecret', 'email', 'phone', 'phoneNumber', 'customer', 'customerName', 'shippingAddress'],
  ...['credentials', 'mbWayKey', 'mbKey', 'backofficeKey', 'antiPhishingKey'],
];

/**
 * Creates the log: one JSON object per line, on standard output by default. Keys, secrets, phone numbers, e-mail addresses and
 * Authorization values are masked, as members and within texts.
 */
export function createLogger(settings: Pick<Settings, 'logLevel'>, destination?: DestinationStream): Logger {
  const options = {
    level: settings.logLevel,
    base: null,
    timestamp: stdTimeFunctions.isoTime,
    formatters: { level: (label: string) => ({ level: label }) },
    redact: { paths: REDACTED, censor: '[masked]' },
    hooks: { streamWrite: maskLine },
  };
  return destination === undefined ? pino(options) : pino(options, destination);
}
