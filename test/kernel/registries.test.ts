import { BlockList, isIPv4 } from 'node:net';
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

/** An address as one number. The arithmetic is the test's own, apart from the library that the guard uses. */
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

/** Any address of the block, its first and last ones above all. */
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

/** The rows that nobody else's traffic may reach; the service is stricter, and refuses all but plain addresses. */
const unreachable = (row: RegistryRow) => row[1] !== true;
const admitted = (text: string) => mayConnect(classifyAddress(text), false);

test.each([...SPECIAL_V4, ...SPECIAL_V6].map((row) => [row[0], row[2], row] as const))(
  'nothing in %s (%s) is called',
  (cidr, _name, row) => {
    const text = isIPv4(cidr.split('/')[0] ?? '') ? textV4 : textV6;
    fc.assert(
      fc.property(inside(blockOf(row)), (value) => {
        expect([text(value), admitted(text(value))]).toEqual([text(value), false]);
      }),
      { numRuns: CASES },
    );
  },
);

test.each(SPECIAL_V4.filter(unreachable).map((row) => [row[0], row] as const))(
  'nothing in %s is called inside IPv6 either',
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

test.each(
  SPECIAL_V4.concat(SPECIAL_V6)
    .filter(([cidr]) => !/^(10|127|172|192\.168|::1|fc00)\b/.test(cidr))
    .map((row) => [row[0], row] as const),
)('nothing in %s is called even where private networks are allowed', (cidr, row) => {
  const text = isIPv4(cidr.split('/')[0] ?? '') ? textV4 : textV6;
  fc.assert(
    fc.property(inside(blockOf(row)), (value) => {
      expect([text(value), mayConnect(classifyAddress(text(value)), true)]).toEqual([text(value), false]);
    }),
    { numRuns: CASES },
  );
});

test('every IPv4 address outside all blocks is called, plain or mapped', () => {
  const blocks = SPECIAL_V4.map(blockOf);
  // Azure's platform host lies among public addresses.
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

test('every address of global unicast outside all blocks is called, and none outside global unicast', () => {
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

test('the registries were written down without a slip: each block begins where its prefix says', () => {
  for (const row of [...SPECIAL_V4, ...SPECIAL_V6]) {
    const { base, freeBits } = blockOf(row);
    expect([row[0], base & ((1n << BigInt(freeBits)) - 1n)]).toEqual([row[0], 0n]);
    const [address = '', bits = ''] = row[0].split('/');
    expect(() =>
      new BlockList().addSubnet(address, Number(bits), isIPv4(address) ? 'ipv4' : 'ipv6'),
    ).not.toThrow();
  }
});
