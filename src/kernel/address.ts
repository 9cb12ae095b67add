import ipaddr from 'ipaddr.js';

/**
 * What an IP address is to a service that calls addresses given by others. `public`: anybody's. `private` and
 * `loopback`: the operator's own, callable only when the operator allows it. `forbidden`: never to be called.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'forbidden';

/** Hosts of cloud platforms, metadata above all, that live outside the ranges which are refused anyway. */
const CLOUD_HOSTS = new Set([
  '168.63.129.16', // Azure's platform host, an address like any public one
  'fd00:ec2::254', // metadata of AWS, inside the private fc00::/7
  'fd00:ec2::253', // resolver of AWS
  'fd00:ec2::123', // time of AWS
  'fd20:ce::254', // metadata of Google Cloud
  'fd00:42::42', // metadata of Scaleway
]);

/** What is given out to networks at large; whatever else IPv6 has is special. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');
/** Special blocks inside 2000::/3 that the classifier may not know yet. */
const SPECIAL_V6 = ['2001::/23', '2001:db8::/32', '2002::/16', '3fff::/20'].map((block) =>
  ipaddr.IPv6.parseCIDR(block),
);

/**
 * The class of an IP address in text, in any spelling that a resolver or a socket would accept. An IPv4 address
 * inside an IPv6 one (`::ffff:…`) counts as the IPv4 address; other embeddings, and what is no address, are forbidden.
 */
export function classifyAddress(text: string): AddressClass {
  try {
    const address = ipaddr.process(text);
    return address instanceof ipaddr.IPv6 ? classifyV6(address) : classifyV4(address);
  } catch {
    return 'forbidden';
  }
}

/** Whether the service may connect to an address of this class. */
export function mayConnect(kind: AddressClass, allowPrivateNetworks: boolean): boolean {
  if (kind === 'public') return true;
  return allowPrivateNetworks && kind !== 'forbidden';
}

function classifyV4(address: ipaddr.IPv4): AddressClass {
  if (CLOUD_HOSTS.has(address.toString())) return 'forbidden';
  const range = address.range();
  if (range === 'loopback' || range === 'private') return range;
  return range === 'unicast' ? 'public' : 'forbidden';
}

function classifyV6(address: ipaddr.IPv6): AddressClass {
  if (CLOUD_HOSTS.has(address.toRFC5952String().split('%')[0] ?? '')) return 'forbidden';
  const range = address.range();
  if (range === 'loopback') return 'loopback';
  if (range === 'uniqueLocal') return 'private';
  const usual = range === 'unicast' && address.match(GLOBAL_V6);
  return usual && !SPECIAL_V6.some((block) => address.match(block)) ? 'public' : 'forbidden';
}
