import { afterAll, expect, test } from 'vitest';
import { runSeed } from '../../scripts/sim/run.ts';
import { createFolder } from '../../scripts/sim/storage.ts';
import { verdict } from './sim-support.ts';

/** What is rare: the service crashes when a push arrives (59) or a reference is answered (291); EuPago refuses a refund (21). */
const SEEDS = [21, 59, 291, ...Array.from({ length: 120 }, (_, index) => 101 + index)];
const HALF = Math.ceil(SEEDS.length / 2);

/** What the runs must include: a simulation without faults proves nothing. */
const EXPECTED = {
  transaction: ['paid', 'failed', 'cancelled', 'held'],
  attempt: ['lapsed', 'expired', 'unknown', 'dead', 'rejected', 'declined'],
  receipt: ['late', 'duplicate', 'under', 'over', 'unmatched', 'second payment'],
  delivery: ['delivered', 'undelivered', 'skipped'],
  callback: ['lost', 'twice', 'otherAmount', 'badKey', 'forged'],
  bank: ['lost', 'hang', 'late', 'answerLost', 'misnamed row'],
  create: ['refused', 'unknown', 'unreachable'],
  eupago: ['push', 'reference', 'garbage'],
  fallback: ['MBWAY after unreachable', 'REFERENCE after unreachable', 'REFERENCE after no-answer'],
  'no fallback': ['MBWAY after unknown', 'MBWAY after refused', 'REFERENCE after refused'],
  endpoint: ['down', 'status500', 'redirect', 'hang', 'drip', 'resetAfter'],
  operator: [
    ...['release', 'credit', 'resend', 'assign', 'return', 'keep', 'account'],
    ...['refund', 'refund retry', 'refund settle', 'refund record', 'route', 'EuPago account'],
  ],
  clock: ['jump'],
  database: ['refused', 'answer lost', 'answer late'],
  refund: [
    ...['done', 'accepted', 'refused', 'unknown', 'unreachable'],
    ...['made elsewhere', 'made before its receipt'],
  ],
  'eupago refund': ['done', 'accepted', 'refused', 'unknown', 'unreachable'],
  'refund is': ['done', 'failed', 'unknown', 'awaiting_transfer'],
  session: ['ok', 'next transaction', 'ends complete', 'ends expired', 'read ok', 'api step ok'],
  'page step': ['ok'],
  link: ['is session', 'is inactive', 'is amount', 'close ok'],
  mail: ['ok', 'answerLost', 'busy', 'refused', 'hang', 'unreachable'],
  'payment-receipt': ['sent', 'failed'],
  'multibanco-instructions': ['sent', 'dropped'],
  'multibanco-reminder': ['sent', 'dropped'],
  'alert-undelivered': ['sent', 'dropped'],
  'alert-money': ['sent'],
  recovery: ['try', 'release'],
  'refund callback': ['sent', 'lost', 'twice', 'later', 'badKey'],
  'crash:': [
    ...['unit', 'commit', 'push leaves', 'push arrived', 'push answered', 'reference answered'],
    ...['delivery leaves', 'delivery arrived', 'delivery answered'],
    ...['refund leaves', 'refund arrived', 'refund answered'],
    ...['mail leaves', 'mail arrived', 'mail answered'],
  ],
};

const folder = createFolder();
afterAll(() => folder.remove());

const counts = new Map<string, number>();

test.each([
  { name: 'first', seeds: SEEDS.slice(0, HALF) },
  { name: 'second', seeds: SEEDS.slice(HALF) },
])('the $name half of the simulated runs keeps every invariant', async ({ seeds }) => {
  for (const seed of seeds) {
    const result = await runSeed(seed, folder.path);
    expect(verdict(result), `seed ${seed}`).toBe('passed');
    for (const [name, count] of result.counts) counts.set(name, (counts.get(name) ?? 0) + count);
  }
});

test('the simulated runs include every fault', () => {
  const expected = Object.entries(EXPECTED).flatMap(([kind, names]) =>
    names.map((name) => `${kind} ${name}`),
  );
  expect(expected.filter((name) => !counts.has(name))).toEqual([]);
  for (const name of ['freeze', 'stop']) expect(counts.get(name)).toBeGreaterThan(0);
});
