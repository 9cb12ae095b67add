import { afterAll, expect, test } from 'vitest';
import { type RunResult, runSeed } from '../../scripts/sim/run.ts';
import { createFolder } from '../../scripts/sim/storage.ts';

const SEEDS = 300;
const TRACE_LINES_MAX = 60;

/** What the runs must have met between them: a simulation in which nothing goes wrong proves nothing. */
const MET = [
  ...['transaction paid', 'transaction failed', 'transaction cancelled', 'transaction held'],
  ...[
    'attempt lapsed',
    'attempt expired',
    'attempt unknown',
    'attempt dead',
    'attempt rejected',
    'attempt declined',
  ],
  ...['receipt late', 'receipt duplicate', 'receipt under', 'receipt over', 'receipt unmatched'],
  ...['delivery delivered', 'delivery undelivered', 'delivery skipped', 'clock jump', 'freeze', 'stop'],
  ...['callback lost', 'callback twice', 'callback otherAmount', 'callback badKey', 'callback forged'],
  ...['bank lost', 'bank hang', 'bank late', 'bank answerLost', 'create refused', 'create unknown'],
  ...['endpoint status500', 'endpoint redirect', 'endpoint hang', 'endpoint drip', 'endpoint resetAfter'],
  ...['operator release', 'operator credit', 'operator resend'],
  ...['death: unit', 'death: commit', 'death: push leaves', 'death: push arrived', 'death: push answered'],
  ...[
    'death: reference answered',
    'death: delivery leaves',
    'death: delivery arrived',
    'death: delivery answered',
  ],
];

/** Seeds that once broke a promise, by the fault that they found. */
const FOUND = [
  [
    2199,
    'a read of the list that a stalled process finished late was followed by the next at once: two reads of one moment lapsed an unknown push',
  ],
  [
    34002,
    'a last read that a clock set back since had planned was taken for one after the last day: the reference expired before its time',
  ],
] as const;

const folder = createFolder();
afterAll(() => folder.remove());

function story({ seed, violation, trace }: RunResult): string {
  if (violation === null) return 'every promise kept';
  const end = trace.slice(-TRACE_LINES_MAX).join('\n');
  return `${violation.invariant}: ${violation.what}\n${end}\nReplay: npm run sim -- --seed ${seed} --runs 1`;
}

test(`${SEEDS} seeded runs with crashes at any step keep every promise, and meet every fault`, async () => {
  const counts = new Map<string, number>();
  for (let seed = 1; seed <= SEEDS; seed++) {
    const result = await runSeed(seed, folder.path);
    expect(story(result), `seed ${seed}`).toBe('every promise kept');
    for (const [name, count] of result.counts) counts.set(name, (counts.get(name) ?? 0) + count);
  }
  expect(MET.filter((name) => !counts.has(name))).toEqual([]);
});

test.each(FOUND)('seed %i stays mended: %s', async (seed) => {
  expect(story(await runSeed(seed, folder.path))).toBe('every promise kept');
});

test('a seed replays exactly', async () => {
  for (const seed of [3, 17, 40, 69, 185]) {
    const first = await runSeed(seed, folder.path);
    const second = await runSeed(seed, folder.path);
    expect(second.trace).toEqual(first.trace);
    expect(second.digest).toBe(first.digest);
  }
});
