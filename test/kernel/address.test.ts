import { isIPv4 } from 'node:net';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { classifyAddress, mayConnect } from '../../src/kernel/address.ts';
import { type RegistryRow, SPECIAL_V4, SPECIAL_V6 } from './iana-registries.ts';

const CASES = 200;

interface Block {
  base: bigint;
  /** Bits that are free inside it. */
  freeBits: number;
}

/** An address as one number. Does not use the library of the guard. */
function numberOf(address: string): bigint {
  if (isIPv4(address)) return address.split('.').reduce((sum, part) => sum * 256n + BigInt(part), 0n);
  const [left = '', right] = address
    .split('::')
    .map((half) => half.split(':').filter((group) => group !== ''));
  const zeros = right === undefined ? 0 : 8 - left.length - right.length;
  const groups = [...left, ...Array<string>(zeros).fill('0'), ...(right ?? [])];
  return groups.reduce((sum, group) => sum * 65_536n + BigInt(`0x${group}`), 0n);
}

function blockOf([cidr]: RegistryRow): Block {
  const [address = '', bits = ''] = cidr.split('/');
  return { base: numberOf(address), freeBits: (isIPv4(address) ? 32 : 128) - Number(bits) };
}

const textV4 = (value: bigint) => [24n, 16n, 8n, 0n].map((shift) => (value >> shift) & 255n).join('.');
const textV6 = (value: bigint) =>
  Array.from({ length: 8 }, (_, i) => ((value >> BigInt(112 - 16 * i)) & 65_535n).toString(16)).join(':');

/** Any address of the block, often its first and last ones. */
function inside({ base, freeBits }: Block): fc.Arbitrary<bigint> {
  const size = 1n << BigInt(freeBits);
  const edges = fc
    .constantFrom(0n, 1n, size - 2n, size - 1n)
    .filter((offset) => offset >= 0n && offset < size);
  return fc
    .oneof({ weight: 1, arbitrary: edges }, { weight: 4, arbitrary: fc.bigInt(0n, size - 1n) })
    .map((offset) => base + offset);
}

const contains = ({ base, freeBits }: Block, value: bigint) =>
  value >> BigInt(freeBits) === base >> BigInt(freeBits);

/** The blocks that are not globally reachable. The service is stricter and refuses every special block. */
const unreachable = (row: RegistryRow) => row[1] !== true;
const admitted = (text: string) => mayConnect(classifyAddress(text), false);

/** The blocks that the operator can allow. */
const PRIVATE = /^(10|127|172|192\.168|::1|fc00)\b/;

test.each([...SPECIAL_V4, ...SPECIAL_V6].map((row) => [row[0], row[2], row] as const))(
  '%s (%s) is refused; only private and loopback blocks can be allowed',
  (cidr, _name, row) => {
    const text = isIPv4(cidr.split('/')[0] ?? '') ? textV4 : textV6;
    fc.assert(
      fc.property(inside(blockOf(row)), (value) => {
        // What is refused with private networks allowed is refused without.
        const isAdmitted = mayConnect(classifyAddress(text(value)), !PRIVATE.test(cidr));
        expect([text(value), isAdmitted]).toEqual([text(value), false]);
      }),
      { numRuns: CASES },
    );
  },
);

test.each(SPECIAL_V4.filter(unreachable).map((row) => [row[0], row] as const))(
  '%s embedded in IPv6 is refused',
  (_cidr, row) => {
    fc.assert(
      fc.property(inside(blockOf(row)), (value) => {
        for (const prefix of ['::ffff:', '::', '64:ff9b::', '::ffff:0:']) {
          expect([prefix, textV4(value), admitted(`${prefix}${textV4(value)}`)]).toEqual([
            prefix,
            textV4(value),
            false,
          ]);
        }
        // 6to4, and NAT64 in the /48 for local use.
        const hex = textV6(value).split(':').slice(-2).join(':');
        for (const text of [`2002:${hex}::1`, `64:ff9b:1::${hex}`])
          expect([text, admitted(text)]).toEqual([text, false]);
      }),
      { numRuns: CASES },
    );
  },
);

test('every IPv4 address outside the special blocks is admitted, plain or mapped', () => {
  const blocks = SPECIAL_V4.map(blockOf);
  // Azure's platform host is among the public addresses.
  const azure = numberOf('168.63.129.16');
  const outside = fc
    .bigInt(0n, 2n ** 32n - 1n)
    .filter((value) => value !== azure && !blocks.some((block) => contains(block, value)));
  fc.assert(
    fc.property(outside, (value) => {
      expect([textV4(value), admitted(textV4(value)), admitted(`::ffff:${textV4(value)}`)]).toEqual([
        textV4(value),
        true,
        true,
      ]);
    }),
    { numRuns: 5 * CASES },
  );
});

test('every IPv6 address of global unicast outside the special blocks is admitted, and no other', () => {
  const blocks = SPECIAL_V6.map(blockOf);
  const globalUnicast: Block = { base: 0x2n << 124n, freeBits: 125 };
  fc.assert(
    fc.property(inside(globalUnicast), (value) => {
      const special = blocks.some((block) => contains(block, value));
      expect([textV6(value), admitted(textV6(value))]).toEqual([textV6(value), !special]);
    }),
    { numRuns: 5 * CASES },
  );
  const mapped: Block = { base: numberOf('::ffff:0:0'), freeBits: 32 };
  fc.assert(
    fc.property(fc.bigInt(0n, 2n ** 128n - 1n), (value) => {
      if (contains(globalUnicast, value) || contains(mapped, value)) return;
      expect([textV6(value), admitted(textV6(value))]).toEqual([textV6(value), false]);
    }),
    { numRuns: 5 * CASES },
  );
});

/** Any IPv4 address, often one inside a special block. */
const anyV4 = fc.oneof(
  fc.bigInt(0n, 2n ** 32n - 1n),
  fc.constantFrom(...SPECIAL_V4).chain((row) => inside(blockOf(row))),
);

test('an IPv4 address has one class in any spelling', () => {
  fc.assert(
    fc.property(anyV4, (value) => {
      const spellings = [String(value), `0x${value.toString(16)}`, `::ffff:${textV4(value)}`];
      const kind = classifyAddress(textV4(value));
      for (const text of spellings) expect([text, classifyAddress(text)]).toEqual([text, kind]);
    }),
    { numRuns: 500 },
  );
});

test.each([
  ['10.0.0.8', 'private'],
  ['172.31.255.255', 'private'],
  ['192.168.0.1', 'private'],
  ['127.0.0.1', 'loopback'],
  ['169.254.169.254', 'forbidden'],
  ['168.63.129.16', 'forbidden'],
  ['::1', 'loopback'],
  ['::', 'forbidden'],
  ['fd12:3456::1', 'private'],
  ['fe80::1%eth0', 'forbidden'],
  ['fec0::1', 'forbidden'],
  ['::7f00:1', 'forbidden'],
  ...['fd00:ec2::254', 'fd00:ec2::254%eth0', 'fd00:ec2::253', 'fd00:ec2::123'].map(
    (text) => [text, 'forbidden'] as const,
  ),
  ['fd20:ce::254', 'forbidden'],
  ['fd00:42::42', 'forbidden'],
  ['2606:4700:4700::1111', 'public'],
  ['::ffff:8.8.8.8', 'public'],
  ['', 'forbidden'],
  ['example.com', 'forbidden'],
] as const)('%s is %s', (text, kind) => {
  expect(classifyAddress(text)).toBe(kind);
});
