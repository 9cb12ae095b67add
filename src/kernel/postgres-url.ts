/** An address list `postgres://u:p@a:5432,b:5432/db`: scheme and user, the hosts, and the rest. */
const SEVERAL = /^(postgres(?:ql)?:\/\/(?:[^@/]*@)?)([^@/?#]*)(.*)$/;

/** Returns the address of each host of a URL that names several, separated by commas, as libpq reads it. */
export function hostUrls(url: string): string[] {
  const [, before = '', hosts = '', after = ''] = SEVERAL.exec(url) ?? [];
  if (!hosts.includes(',')) return [withoutTarget(url)];
  return hosts.split(',').map((host) => withoutTarget(before + host + after));
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
