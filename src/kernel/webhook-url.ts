import { isIP } from 'node:net';
import { type AddressClass, classifyAddress, mayConnect } from './address.ts';
import { Refusal, type RefusalReason } from './errors.ts';

const URL_CHARACTERS_MAX = 2048;
const CONTROL_OR_SPACE = /[\p{Cc}\s]/u;
/** A host name with an empty label, or longer than DNS allows: 63 characters per label, 253 in total. It can never be resolved. */
const IMPOSSIBLE_HOST = /^\.|\.\.|[^.]{64}|^.{253}\.?[^.]/;

/**
 * Normalises a webhook URL: https, no credentials, at most 2048 characters, any port, no literal address that must not
 * be called. Host names are resolved and checked when a delivery connects. Throws Refusal.
 */
export function checkWebhookUrl(url: string, options: { allowPrivateNetworks: boolean }): string {
  const text = url.trim();
  if (!/^https:\/\//i.test(text)) {
    throw refusal('url_scheme', 'the webhook URL must begin with https://');
  }
  if (text.length > URL_CHARACTERS_MAX) throw tooLong();
  const parsed = CONTROL_OR_SPACE.test(text) ? null : URL.parse(text);
  if (parsed === null || IMPOSSIBLE_HOST.test(parsed.hostname)) {
    throw refusal('url_malformed', 'the webhook URL is not a valid URL; write it as https://host/path');
  }
  if (parsed.username !== '' || parsed.password !== '' || /^[^/?#]*@/.test(text.slice('https://'.length))) {
    throw refusal(
      'url_credentials',
      'the webhook URL must not carry a user name or password; remove what stands before the @',
    );
  }
  const kind = classifyHost(parsed.hostname);
  if (kind !== null && !mayConnect(kind, options.allowPrivateNetworks)) throw notPublic(kind);
  // A fragment is never sent.
  parsed.hash = '';
  if (parsed.href.length > URL_CHARACTERS_MAX) throw tooLong();
  return parsed.href;
}

/** The class of a URL's host when it is a literal address or localhost; null for any other name. */
function classifyHost(hostname: string): AddressClass | null {
  const host = hostname.replace(/^\[(.*)\]$/, '$1').replace(/\.$/, '');
  if (isIP(host) !== 0) return classifyAddress(host);
  return /(^|\.)localhost$/i.test(host) ? 'loopback' : null;
}

function refusal(reason: RefusalReason, sentence: string): Refusal {
  return new Refusal(reason, sentence, {}, 'url');
}

function tooLong(): Refusal {
  return refusal('url_long', `the webhook URL must have at most ${URL_CHARACTERS_MAX} characters`);
}

function notPublic(kind: AddressClass): Refusal {
  const advice =
    kind === 'forbidden'
      ? 'use a public host'
      : 'use a public host, or set SERVICE_WEBHOOK_ALLOW_PRIVATE_NETWORKS=true in the environment of this command as well as of the service';
  return refusal('url_not_public', `the webhook URL names an address that is not public; ${advice}`);
}
