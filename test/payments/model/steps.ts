import fc from 'fast-check';
import { CREATES, type Create } from './bank.ts';

const pick = fc.nat({ max: 1000 });
const create: fc.Arbitrary<Create> = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Create>('accepted') },
  { weight: 4, arbitrary: fc.constantFrom(...CREATES) },
);
const callback = fc.constantFrom('none', 'once', 'twice', 'forged-key', 'other-amount');
const lagMs = fc.constantFrom(0, 0, 0, 20_000, 3_600_000);
export const TARGETS = [
  'second',
  'inquiry',
  'sweep',
  'hours',
  'window',
  'lapse',
  'last-day',
  'expiry',
  'day',
] as const;

/** One thing that can happen, with numbers that choose among what there is by then. */
export const STEP = fc.oneof(
  { weight: 4, arbitrary: fc.record({ do: fc.constant('init' as const), pick }) },
  {
    weight: 8,
    arbitrary: fc.record({ do: fc.constant('push' as const), pick, phone: fc.nat({ max: 1 }), create }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('reference' as const), pick, create }) },
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('answer' as const),
      ...{ pick, lagMs, callback },
      act: fc.constantFrom('paid', 'paid', 'rejected', 'declined'),
      /** The bank's list will name an order that is none of ours. */
      mangled: fc.constantFrom(false, false, true),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      ...{ pick, lagMs, callback },
      more: fc.constantFrom(-400, -1, 0, 0, 0, 1),
      times: fc.constantFrom(1, 1, 2),
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('call-back' as const), pick, callback }) },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('foreign' as const),
      ...{ pick, whose: fc.constantFrom('nobody', 'due', 'less', 'more', 'digits') },
    }),
  },
  {
    weight: 3,
    arbitrary: fc.record({
      do: fc.constant('bank' as const),
      ...{ silentInquiries: fc.boolean(), silentLists: fc.boolean(), unreadableRow: fc.boolean() },
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('hang' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('let-go' as const) }) },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('hold' as const), pick, on: fc.boolean() }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('release' as const), pick }) },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('assign' as const), pick, to: pick }) },
  { weight: 5, arbitrary: fc.record({ do: fc.constant('credit' as const), pick }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('return' as const), pick, whole: fc.boolean() }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('keep' as const), pick }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('account' as const), pick }) },
  {
    weight: 12,
    arbitrary: fc.record({
      do: fc.constant('pass' as const),
      ...{ pick, to: fc.constantFrom(...TARGETS), off: fc.integer({ min: -1, max: 1 }) },
    }),
  },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('restart' as const), killed: fc.boolean() }) },
);
export type Step = typeof STEP extends fc.Arbitrary<infer T> ? T : never;
export type Of<D extends Step['do']> = Extract<Step, { do: D }>;

export const PHONES = ['912345678', '961234567'];

/** The thing that a number chooses; undefined when there is none yet. */
export function at<T>(list: readonly T[], choice: number): T | undefined {
  // Recent things are the interesting ones: half of the choices fall on the last three.
  const near = list.slice(-3);
  return choice % 2 === 0 ? near[(choice >> 1) % near.length] : list[(choice >> 1) % list.length];
}
