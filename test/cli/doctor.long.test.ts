import { describe, expect, test } from 'vitest';
import { verifyWebhook, WebhookVerificationError } from '../../src/client/webhooks.ts';
import { freePort } from '../support/process.ts';
import {
  type Arrived,
  type Faults,
  fitsStandard,
  isGenuine,
  judged,
  SECRET,
  startHook,
} from './doctor-kit.ts';

describe('receivers that are right', () => {
  test('one made of the sample of the README keeps every rule', async () => {
    const { fail, advice, skipped, rules } = await judged(await startHook());
    expect({ fail, skipped }).toEqual({ fail: [], skipped: [] });
    expect(advice).toEqual(['rotated-secret']);
    expect(rules.filter(({ unseen }) => unseen !== undefined)).toEqual([]);
  });

  test('one that reads the Standard Webhooks headers keeps every rule, a rotation from both sides included', async () => {
    const { fail, advice } = await judged(await startHook({ genuine: fitsStandard }));
    expect({ fail, advice }).toEqual({ fail: [], advice: [] });
  });

  test('one that verifies by the package keeps every rule; what the package does not know yet is genuine too', async () => {
    const genuine = async ({ headers, body }: Arrived) => {
      try {
        await verifyWebhook(body, headers, SECRET);
        return true;
      } catch (error) {
        return error instanceof WebhookVerificationError && error.code === 'UNKNOWN_EVENT';
      }
    };
    const { fail, advice } = await judged(await startHook({ genuine }));
    expect({ fail, advice }).toEqual({ fail: [], advice: [] });
  });

  test('one that fails at first is tried again on the schedule of deliveries', async () => {
    const { fail, rules } = await judged(await startHook({ first: [500, 503] }));
    expect(fail).toEqual([]);
    expect(rules[0]?.found).toContain('at attempt 3');
  });
});

describe('receivers that are wrong break exactly their rules', () => {
  const reSerialised = ({ headers, body }: Arrived) => {
    try {
      const again = Buffer.from(JSON.stringify(JSON.parse(body.toString())));
      return isGenuine(again, String(headers['x-service-signature'] ?? ''), SECRET);
    } catch {
      return false;
    }
  };
  const cases: [what: string, faults: Faults, broken: string[]][] = [
    [
      'verifies nothing',
      { genuine: () => true },
      ['missing-signature', 'bad-signature', 'raw-body', 'stale-timestamp'],
    ],
    ['verifies JSON that it parsed and wrote again', { genuine: reSerialised }, ['raw-body']],
    [
      'verifies only what is signed at all',
      {
        genuine: (one) =>
          one.headers['x-service-signature'] === undefined ||
          isGenuine(one.body, String(one.headers['x-service-signature']), SECRET),
      },
      ['missing-signature', 'stale-timestamp'],
    ],
    ['remembers events by data.id alone', { identity: ({ data }) => data.id }, ['success-after-cancel']],
    ['books the same payment each time', { booksEachTime: true }, ['duplicate', 'retry']],
    ['refuses duplicates with 409', { duplicateStatus: 409 }, ['duplicate', 'retry']],
    ['answers 400 to kinds that it does not know', { unknownStatus: 400 }, ['unknown-kind']],
    ['lets an old cancellation undo a payment', { cancelUndoes: true }, ['reordered']],
    ['takes small bodies alone', { bodyMax: 16_384 }, ['large-body']],
    [
      'reads stale timestamps',
      { genuine: (one) => fitsStandard(one, { maxAgeSeconds: 1e9 }) },
      ['stale-timestamp'],
    ],
    [
      'reads one signature where there may be two',
      { genuine: (one) => fitsStandard(one, { firstOnly: true }) },
      ['rotated-secret'],
    ],
  ];
  test.for(cases)('%s', { timeout: 60_000 }, async ([, faults, broken]) => {
    const { fail, skipped, rules } = await judged(await startHook(faults));
    expect({ fail, skipped }).toEqual({ fail: broken, skipped: [] });
    for (const { state, mend } of rules) expect(state === 'pass').toBe(mend === undefined);
  });

  test('is slow', { timeout: 60_000 }, async () => {
    const hook = await startHook({ delayMs: 60 });
    const { fail, rules } = await judged(hook, { quickMs: 40 });
    expect(fail).toEqual(['quick']);
    expect(rules.at(-1)?.mend).toContain('a queue of your own');
  });

  test('does not run at all', async () => {
    const url = `http://127.0.0.1:${await freePort()}/hook`;
    const { fail, skipped, rules } = await judged({ url, countUrl: url }, { counted: false });
    expect(fail).toEqual(['accepts']);
    expect(skipped).toHaveLength(13);
    expect(rules[0]?.found).toMatch(/^answers nothing in \d+ ms \([^\n]*ECONNREFUSED[^\n]*\) at attempt 4$/);
  });

  test('without --count-url what cannot be seen is said, not passed over', async () => {
    const { fail, rules } = await judged(await startHook({ identity: ({ data }) => data.id }), {
      counted: false,
    });
    expect(fail).toEqual([]);
    const unseen = rules.filter((rule) => rule.unseen?.includes('--count-url')).map(({ rule }) => rule);
    expect(unseen).toEqual(['accepts', 'duplicate', 'success-after-cancel', 'reordered', 'retry']);
  });

  test('one that accepts nothing genuine is judged no further: refusing everything is no merit', async () => {
    const { fail, skipped, pass } = await judged(await startHook({ genuine: () => false }));
    expect({ fail, pass }).toEqual({ fail: ['accepts'], pass: [] });
    expect(skipped).toHaveLength(13);
  });

  test('without the secret only what needs none is judged', async () => {
    const { fail, pass, skipped } = await judged(await startHook({ genuine: () => true }), {
      hasSecret: false,
    });
    expect({ fail, pass }).toEqual({ fail: ['missing-signature', 'bad-signature'], pass: [] });
    expect(skipped).toHaveLength(12);
  });
});
