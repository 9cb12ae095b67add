import { statSync } from 'node:fs';
import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { bad, type Env, text, url } from './config-values.ts';
import type { Acquirer } from './kernel/acquirer.ts';
import { errorCode } from './kernel/errors.ts';
import { hostsOf, hostUrls } from './kernel/postgres-url.ts';

export function readDatabaseUrl(env: Env): string {
  const value = text(env, 'SERVICE_DATABASE_URL') ?? 'sqlite:./data/service.db';
  return checkDatabaseUrl('SERVICE_DATABASE_URL', value);
}

/** Returns the value. Throws OperatorError that names `source` and omits the value, which may contain a password. */
export function checkDatabaseUrl(source: string, value: string): string {
  // A database in memory would be another one for each connection.
  if (/^sqlite:(?!:memory:$)./.test(value) || isPostgresUrl(value)) return value;
  throw bad(
    source,
    'must be sqlite:FILE or postgres://USER:PASSWORD@HOST:PORT/DATABASE, special characters in it written as %XX',
  );
}

/** Throws OperatorError when the SQLite file at `url` is missing or empty: a new database would look like one without payments. */
export function requireDatabaseFile(url: string): void {
  if (!url.startsWith('sqlite:')) return;
  const file = resolve(url.slice('sqlite:'.length));
  try {
    if (statSync(file).size > 0) return;
  } catch (error) {
    // Opening the file reports any other failure.
    if (errorCode(error) !== 'ENOENT') return;
  }
  throw bad(
    'SERVICE_DATABASE_URL',
    `names the file ${file}, which is missing or empty; correct the path (a relative one starts at the current folder), or start the service, which creates the database`,
  );
}

/** The address for LISTEN when SERVICE_DATABASE_URL is a pooler such as PgBouncer in transaction mode. */
export function readDirectUrl(env: Env): string | null {
  const value = text(env, 'SERVICE_DATABASE_DIRECT_URL');
  if (value === null || isPostgresUrl(value)) return value;
  throw bad('SERVICE_DATABASE_DIRECT_URL', 'must be postgres://… like SERVICE_DATABASE_URL, or unset');
}

/** Requires a database name, because the driver would default to the user's name. */
function isPostgresUrl(value: string): boolean {
  if (!/^postgres(ql)?:\/\//.test(value)) return false;
  return hostUrls(value).every((url) => /^\/[^/]+$/.test(URL.parse(url)?.pathname ?? ''));
}

export function withoutPassword(databaseUrl: string): string {
  if (databaseUrl.startsWith('sqlite:')) return databaseUrl;
  const hosts = hostsOf(databaseUrl);
  const [first = ''] = hosts.split(',');
  // A URL has one host. With the slash, because the user can have the name of a host.
  const parsed = new URL(databaseUrl.replace(`${hosts}/`, `${first}/`));
  parsed.password = '';
  parsed.searchParams.delete('password');
  return parsed.href.replace(`${first}/`, `${hosts}/`);
}

/** Host names separated by commas. */
export function readHosts(env: Env, name: string): string[] {
  const hosts = (text(env, name) ?? '').toLowerCase().split(',');
  const names = hosts.map((host) => host.trim()).filter((host) => host !== '');
  if (names.every((host) => /^[a-z0-9.-]+$/.test(host))) return names;
  throw bad(name, 'must be host names separated by commas, without scheme and port');
}

/** Addresses that replace an acquirer's. Throws with a real bank, whose address is never replaced. */
export function readAcquirerUrls(env: Env, sandbox: boolean): Readonly<Partial<Record<Acquirer, string>>> {
  const urls: Readonly<Record<Acquirer, string | null>> = {
    ifthenpay: url(env, 'SERVICE_IFTHENPAY_URL'),
    eupago: url(env, 'SERVICE_EUPAGO_URL'),
  };
  const given = Object.entries(urls).filter((entry) => entry[1] !== null);
  const [first] = given;
  if (first !== undefined && !sandbox) {
    throw bad(
      `SERVICE_${first[0].toUpperCase()}_URL`,
      'must be unset with a real bank; it is for the sandbox',
    );
  }
  return Object.freeze(Object.fromEntries(given));
}

/** `false`, a number of hops, or a list of CIDRs. */
export function readTrustProxy(env: Env): boolean | number | string[] {
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
