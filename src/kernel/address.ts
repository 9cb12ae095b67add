import ipaddr from 'ipaddr.js';

/**
 * How long a handshake with one address of a name may take before the next address is tried. Node's 250 ms would give up distant
 * servers, and those whose first packet is lost, which is sent again after 1 s. The last address has the rest of the deadline.
 */
export const ADDRESS_TIMEOUT_MS = 1500;

/**
 * The class of an IP address that a merchant's URL leads to. `private` and `loopback` are called only when the operator
 * allows it, `forbidden` ones never.
 */
export type AddressClass = 'public' | 'private' | 'loopback' | 'forbidden';

/** Metadata and platform hosts of clouds that are outside the refused ranges. */
const CLOUD_HOSTS = new Set([
  '168.63.129.16', // Azure's platform host, an address like any public one
  'fd00:ec2::254', // metadata of AWS, inside the private fc00::/7
  'fd00:ec2::253', // resolver of AWS
  'fd00:ec2::123', // time of AWS
  'fd20:ce::254', // metadata of Google Cloud
  'fd00:42::42', // metadata of Scaleway
]);

/** Global unicast; all other IPv6 ranges are special. */
const GLOBAL_V6 = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * The class of an IP address in any spelling that a resolver or a socket accepts. A mapped IPv4 address (`::ffff:…`)
 * counts as the IPv4 address; other embeddings, and any text that is not an address, are forbidden.
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
  return range === 'unicast' && address.match(GLOBAL_V6) ? 'public' : 'forbidden';
}
