/**
 * An address list `postgres://u:p@a:5432,b:5432/db`: scheme and user, the hosts, and the rest. The hosts start after the last
 * at sign, as for the driver, because a password can contain one.
 */
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^/?#]*@)?)([^@/?#]*)(.*)$/;

/** Returns the address of each host of a URL that names several, separated by commas, as libpq reads it. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = SEVERAL.exec(url) ?? [];
  if (!hosts.includes(',')) return [forDriver(url)];
  return hosts.split(',').map((host) => forDriver(before + host + after));
}

/** TLS modes that the driver treats as `verify-full`, with a warning on standard error. */
const VERIFIED = /([?&]sslmode=)(?:prefer|require|verify-ca)(?=&|$)/;

/** A bare percent sign at the end of an address, the only place where the driver cannot read one. */
const LAST_PERCENT = /%([0-9a-f]?)$/i;

function forDriver(url: string): string {
  const single = withoutTarget(url).replace(LAST_PERCENT, '%25$1');
  return single.includes('uselibpqcompat=true') ? single : single.replace(VERIFIED, '$1verify-full');
}

/** Removes the parameter, which the driver would send to the server as a setting. */
function withoutTarget(url: string): string {
  return url.replace(/([?&])target_session_attrs=[^&]*(&|$)/, (_all, start: string, end: string) =>
    end === '&' ? start : '',
  );
}

/** The hosts of an address, as written; empty for the local socket. */
export function hostsOf(url: string): string {
  return SEVERAL.exec(url)?.[2] ?? '';
}
