import { WebhookVerificationError } from './webhook-error.ts';

/** Headers of a web Request, of Node.js, or any object of headers; names are case-insensitive. */
export type WebhookHeaders =
  | { get(name: string): string | null }
  | { readonly [name: string]: string | readonly string[] | undefined };

/** The content of the headers, not verified yet. */
export type SignatureHeaders =
  | { readonly style: 'service'; readonly signatures: readonly Uint8Array<ArrayBuffer>[] }
  | {
      readonly style: 'standard';
      readonly signatures: readonly Uint8Array<ArrayBuffer>[];
      readonly id: string;
      /** The timestamp as signed, and in seconds. */
      readonly timestamp: string;
      readonly seconds: number;
    };

const STANDARD = ['webhook-id', 'webhook-timestamp', 'webhook-signature'] as const;
const SERVICE = 'x-service-signature';
const SIGNATURE_BYTES = 32;
/** The service sends at most two; the limit bounds the work for a forged header. */
const SIGNATURES_MAX = 8;

/**
 * Reads the Standard Webhooks headers when all three are present, else `X-Service-Signature`. Throws WebhookVerificationError.
 */
export function readSignatureHeaders(headers: WebhookHeaders): SignatureHeaders {
  const [id, timestamp, signature] = STANDARD.map((name) => header(headers, name));
  if (id !== undefined && timestamp !== undefined && signature !== undefined) {
    return readStandard(id, timestamp, signature);
  }
  const service = header(headers, SERVICE);
  if (service !== undefined) return readService(service);
  throw missing(headers);
}

function readStandard(id: string, timestamp: string, signature: string): SignatureHeaders {
  if (!/^\d{1,15}$/.test(timestamp)) {
    throw invalid('webhook-timestamp', 'is not a number of seconds');
  }
  // Versions other than v1 use other kinds of keys.
  const found = signature.split(' ').flatMap((entry) => {
    const [, encoded] = /^v1,(.+)$/.exec(entry) ?? [];
    const bytes = encoded === undefined ? null : fromBase64(encoded);
    return bytes?.length === SIGNATURE_BYTES ? [bytes] : [];
  });
  const signatures = found.slice(0, SIGNATURES_MAX);
  if (signatures.length === 0) throw invalid('webhook-signature', 'contains no signature such as "v1,…"');
  return { style: 'standard', signatures, id, timestamp, seconds: Number(timestamp) };
}

function readService(signature: string): SignatureHeaders {
  const [, hex] = /^sha256=([0-9a-f]{64})$/.exec(signature) ?? [];
  if (hex === undefined) throw invalid('X-Service-Signature', 'is not "sha256=" and 64 hexadecimal digits');
  return {
    style: 'service',
    signatures: [Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))],
  };
}

/** Returns null for text that is not base64. */
export function fromBase64(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return null;
  }
}

/** Returns undefined when the header is absent or blank. */
function header(headers: WebhookHeaders, name: string): string | undefined {
  const value = isGetter(headers) ? headers.get(name) : ownHeader(headers, name);
  const text = typeof value === 'string' ? value : Array.isArray(value) ? value.join(', ') : '';
  return text.trim() === '' ? undefined : text.trim();
}

function ownHeader(headers: Exclude<WebhookHeaders, { get(name: string): unknown }>, name: string): unknown {
  const key = Object.keys(headers ?? {}).find((candidate) => candidate.toLowerCase() === name);
  return key === undefined ? undefined : headers[key];
}

function isGetter(headers: WebhookHeaders): headers is { get(name: string): string | null } {
  return typeof headers?.get === 'function';
}

function missing(headers: WebhookHeaders): WebhookVerificationError {
  const absent = STANDARD.filter((name) => header(headers, name) === undefined);
  return new WebhookVerificationError(
    'MISSING_HEADER',
    absent.length === STANDARD.length
      ? 'The request carries no signature: neither X-Service-Signature nor webhook-id, webhook-timestamp and webhook-signature. ' +
          'It does not come from the payment service, or a proxy removed its headers.'
      : `The request lacks ${absent.join(', ')}, and there is no X-Service-Signature either. Check whether a proxy removes headers.`,
  );
}

function invalid(name: string, what: string): WebhookVerificationError {
  return new WebhookVerificationError(
    'INVALID_HEADER',
    `The header ${name} ${what}: it does not come from the payment service, or was changed in transit.`,
  );
}
