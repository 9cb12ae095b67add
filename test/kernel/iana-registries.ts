/** One row of a registry: a block, whether it is globally reachable (null: not applicable), and its name. */
export type RegistryRow = readonly [block: string, reachable: boolean | null, name: string];

/** The IANA IPv4 Special-Purpose Address Registry, and multicast, which has a separate registry. */
export const SPECIAL_V4: readonly RegistryRow[] = [
  ['0.0.0.0/8', false, 'This network'],
  ['0.0.0.0/32', false, 'This host on this network'],
  ['10.0.0.0/8', false, 'Private-Use'],
  ['100.64.0.0/10', false, 'Shared Address Space'],
  ['127.0.0.0/8', false, 'Loopback'],
  ['169.254.0.0/16', false, 'Link Local'],
  ['172.16.0.0/12', false, 'Private-Use'],
  ['192.0.0.0/24', false, 'IETF Protocol Assignments'],
  ['192.0.0.0/29', false, 'IPv4 Service Continuity Prefix'],
  ['192.0.0.8/32', false, 'IPv4 dummy address'],
  ['192.0.0.9/32', true, 'Port Control Protocol Anycast'],
  ['192.0.0.10/32', true, 'Traversal Using Relays around NAT Anycast'],
  ['192.0.0.170/32', false, 'NAT64/DNS64 Discovery'],
  ['192.0.0.171/32', false, 'NAT64/DNS64 Discovery'],
  ['192.0.2.0/24', false, 'Documentation (TEST-NET-1)'],
  ['192.31.196.0/24', true, 'AS112-v4'],
  ['192.52.193.0/24', true, 'AMT'],
  ['192.88.99.0/24', null, 'Deprecated (6to4 Relay Anycast)'],
  ['192.168.0.0/16', false, 'Private-Use'],
  ['192.175.48.0/24', true, 'Direct Delegation AS112 Service'],
  ['198.18.0.0/15', false, 'Benchmarking'],
  ['198.51.100.0/24', false, 'Documentation (TEST-NET-2)'],
  ['203.0.113.0/24', false, 'Documentation (TEST-NET-3)'],
  ['224.0.0.0/4', null, 'Multicast'],
  ['240.0.0.0/4', false, 'Reserved'],
  ['255.255.255.255/32', false, 'Limited Broadcast'],
];

/**
 * The IANA IPv6 Special-Purpose Address Registry, and multicast. Less `::ffff:0:0/96`: an IPv4-mapped address is
 * the IPv4 address inside it, and is tested as that.
 */
export const SPECIAL_V6: readonly RegistryRow[] = [
  ['::1/128', false, 'Loopback Address'],
  ['::/128', false, 'Unspecified Address'],
  ['64:ff9b::/96', true, 'IPv4-IPv6 Translat.'],
  ['64:ff9b:1::/48', false, 'IPv4-IPv6 Translat.'],
  ['100::/64', false, 'Discard-Only Address Block'],
  ['100:0:0:1::/64', false, 'Dummy IPv6 Prefix'],
  ['2001::/23', false, 'IETF Protocol Assignments'],
  ['2001::/32', null, 'TEREDO'],
  ['2001:1::1/128', true, 'Port Control Protocol Anycast'],
  ['2001:1::2/128', true, 'Traversal Using Relays around NAT Anycast'],
  ['2001:1::3/128', true, 'DNS-SD Service Registration Protocol Anycast'],
  ['2001:2::/48', false, 'Benchmarking'],
  ['2001:3::/32', true, 'AMT'],
  ['2001:4:112::/48', true, 'AS112-v6'],
  ['2001:10::/28', null, 'Deprecated (previously ORCHID)'],
  ['2001:20::/28', true, 'ORCHIDv2'],
  ['2001:30::/28', true, 'Drone Remote ID Protocol Entity Tags'],
  ['2001:db8::/32', false, 'Documentation'],
  ['2002::/16', null, '6to4'],
  ['2620:4f:8000::/48', true, 'Direct Delegation AS112 Service'],
  ['3fff::/20', false, 'Documentation'],
  ['5f00::/16', false, 'Segment Routing (SRv6) SIDs'],
  ['fc00::/7', false, 'Unique-Local'],
  ['fe80::/10', false, 'Link-Local Unicast'],
  ['ff00::/8', null, 'Multicast'],
];
