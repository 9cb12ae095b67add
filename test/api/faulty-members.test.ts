import fc from 'fast-check';
import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { callerOf, callOperation, ENDPOINTS, expectRefusal } from './endpoints.ts';

const service = await startService({ whenOver: afterAll });
const merchant = await service.merchant();
const caller = callerOf(service, merchant);

type Body = Record<string, unknown>;

/** A value for a member, and whether the contract calls it a fault there. */
interface Choice {
  field: string;
  values: fc.Arbitrary<{ value: unknown; faulty: boolean }>;
}

const noText = fc.constantFrom<unknown>(7, true, [], {}, 'x'.repeat(501));
const absent = fc.constantFrom<unknown>(undefined, null, '', '  ');
const text = fc.string({ unit: 'grapheme-ascii', minLength: 1, maxLength: 40 }).map((some) => `T${some}`);

const good = (values: fc.Arbitrary<unknown>) => values.map((value) => ({ value, faulty: false }));
const bad = (values: fc.Arbitrary<unknown>) => values.map((value) => ({ value, faulty: true }));

const optionalText = (field: string): Choice => ({
  field,
  values: fc.oneof(good(text), good(absent), bad(noText)),
});
const required = (field: string, values: fc.Arbitrary<unknown>, faults: fc.Arbitrary<unknown>): Choice => ({
  field,
  values: fc.oneof(good(values), bad(absent), bad(faults)),
});

const CHOICES: Choice[] = [
  required('orderId', text, fc.constantFrom<unknown>(7, [], 'x'.repeat(256), 'a\u0000')),
  required(
    'amount',
    fc.integer({ min: 1, max: 9_999_999 }).map((cents) => cents / 100),
    fc.constantFrom<unknown>(0, -1, 0.001, 100_000, '12', true, [7]),
  ),
  {
    field: 'currency',
    values: fc.oneof(good(fc.constant('EUR')), good(absent), bad(fc.constantFrom('eur', 'USD', 7))),
  },
  {
    field: 'storeUrl',
    values: fc.oneof(
      good(fc.constant('https://shop.pt/x')),
      bad(fc.constantFrom<unknown>('shop.pt', 'ftp://shop.pt', 7)),
    ),
  },
  optionalText('customer.phone'),
  optionalText('customer.zip'),
  optionalText('shippingAddress.address_line1'),
  optionalText('shippingAddress.country'),
  optionalText('trackingParameters.gclid'),
  optionalText('trackingParameters.sck'),
  required('items[0].name', text, noText),
  required('items[0].quantity', fc.integer({ min: 1, max: 1000 }), fc.constantFrom<unknown>(0, 1.5, '1')),
  required('items[1].id', fc.oneof(text, fc.integer()), fc.constantFrom<unknown>(true, 1.5, [])),
  required('items[1].priceInCents', fc.nat(), fc.constantFrom<unknown>(-1, 0.5, '1')),
];

/** Puts a value at a dotted path with indices, making what is missing on the way. */
function put(body: Body, path: string, value: unknown): void {
  const steps = path.replaceAll(/\[(\d+)\]/g, '.$1').split('.');
  const last = steps.pop() ?? '';
  let at = body;
  for (const step of steps) {
    at[step] ??= {};
    at = at[step] as Body;
  }
  at[last] = value;
}

const combination = fc.tuple(...CHOICES.map((choice) => choice.values));

test('any combination of faulty members is answered with exactly those members', async () => {
  await fc.assert(
    fc.asyncProperty(combination, fc.constantFrom(...ENDPOINTS), async (chosen, endpoint) => {
      const body: Body = {
        customer: { name: 'Ana', email: 'ana@shop.pt' },
        items: [
          { id: 'A', priceInCents: 1 },
          { name: 'B', quantity: 1 },
        ],
      };
      for (const [index, { value }] of chosen.entries()) put(body, CHOICES[index]?.field ?? '', value);
      const faulty = CHOICES.filter((_choice, index) => chosen[index]?.faulty).map(({ field }) => field);

      const answer = await callOperation(endpoint, caller, 'init', body);
      if (faulty.length > 0) expectRefusal(answer, 400, 'INVALID_FIELDS', faulty);
      else expect(answer.status, JSON.stringify(answer.body)).toBe(200);
    }),
    { numRuns: 150 },
  );
});
