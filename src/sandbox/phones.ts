import type { SandboxContext } from './context.ts';
import type { CustomerAct } from './schema.ts';

/** What a test phone does without user input. */
interface TestPhone {
  act?: CustomerAct;
  /** When it acts, counted from the creation of the push; without it, once the create call is answered. */
  afterMs?: number;
  /** The bank accepts the push but never answers the create call. */
  answerLost?: boolean;
  /** The phone is unknown to MB WAY: the create call is refused. */
  unknown?: boolean;
  /** The number of callbacks of a payment, by default 1. */
  callbacks?: number;
}

/** The behaviour of a phone number. Phones other than the test phones do nothing by themselves. */
export function testPhone(
  phoneNumber: string,
  { mbwayWindowMs, mbwayGraceMs }: Pick<SandboxContext, 'mbwayWindowMs' | 'mbwayGraceMs'>,
): TestPhone {
  const phones: Record<string, TestPhone> = {
    '911000001': { act: 'accept' },
    '911000002': { act: 'reject' },
    '911000003': {},
    '911000004': { act: 'decline', afterMs: 500 },
    '911000005': { unknown: true },
    '911000006': { act: 'accept', callbacks: 0 },
    '911000007': { act: 'accept', callbacks: 3 },
    '911000008': { act: 'accept', afterMs: 1000, answerLost: true },
    '911000009': { act: 'accept', afterMs: mbwayWindowMs + 1000 },
    '911000010': { act: 'accept', afterMs: mbwayWindowMs + mbwayGraceMs + 5000 },
  };
  return phones[phoneNumber] ?? {};
}
