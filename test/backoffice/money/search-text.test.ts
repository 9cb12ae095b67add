import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Condition, readSearch, type Wanted } from '../../../src/backoffice/transactions/search-text.ts';

function conditions(wanted: Wanted | null): Condition[] {
  if (wanted === null) return [];
  if ('any' in wanted) return wanted.any.flatMap(conditions);
  if ('all' in wanted) return wanted.all.flatMap(conditions);
  return [wanted];
}

const meant = (text: string, kind: Condition['kind']) =>
  conditions(readSearch(text)).filter((each) => each.kind === kind);

const digits = (length: number) =>
  fc.array(fc.nat({ max: 9 }), { minLength: length, maxLength: length }).map((each) => each.join(''));
const gap = fc.constantFrom('', ' ', '.', '-');

test('a phone number is recognised in every format', () => {
  const prefix = fc.constantFrom('', '+351', '+351 ', '00351', '00 351 ', '(+351) ', '+351-', '351');
  fc.assert(
    fc.property(prefix, digits(8), gap, fc.constantFrom('', '  '), (country, rest, between, around) => {
      const phone = `9${rest}`;
      const written = [phone.slice(0, 3), phone.slice(3, 6), phone.slice(6)].join(between);
      // The country's code with nothing in front needs the number in one piece.
      if (country === '351' && between !== '') return;
      expect(meant(`${around}${country}${written}${around}`, 'phone')).toEqual([{ kind: 'phone', phone }]);
    }),
  );
});

test('entity and reference are recognised with any separator, and a reference alone', () => {
  const between = fc.constantFrom(' ', '', '/', ' / ', ', ', '-', ' Ref: ', ' referência ');
  fc.assert(
    fc.property(
      digits(5),
      digits(9),
      between,
      gap,
      fc.constantFrom('', 'Entidade: ', 'ent. '),
      (entity, reference, gapBetween, inside, label) => {
        if (inside === '-') return;
        const written = [reference.slice(0, 3), reference.slice(3, 6), reference.slice(6)].join(inside);
        expect(meant(`${label}${entity}${gapBetween}${written}`, 'reference')).toEqual([
          { kind: 'reference', entity, reference },
        ]);
        expect(meant(written, 'reference')).toEqual([{ kind: 'reference', entity: null, reference }]);
      },
    ),
  );
});

test('an order id is searched in both cases, an e-mail in lower case, a transaction by id', () => {
  expect(meant('order-12', 'order')).toEqual([
    { kind: 'order', prefix: 'order-12' },
    { kind: 'order', prefix: 'ORDER-12' },
  ]);
  expect(meant('Ana@Shop', 'email')).toEqual([{ kind: 'email', prefix: 'ana@shop' }]);
  expect(meant('TX_01KABCDEF', 'id')).toEqual([{ kind: 'id', prefix: 'tx_01kabcdef' }]);
  expect(meant('1234', 'email')).toEqual([]);
  expect(readSearch('   ')).toBeNull();
});

test('several words mean all of them, or one order id with spaces', () => {
  expect(readSearch('912 345 678 ana@shop.pt')).toEqual({
    any: [
      { kind: 'order', prefix: '912 345 678 ana@shop.pt' },
      { kind: 'order', prefix: '912 345 678 ANA@SHOP.PT' },
      {
        all: [
          { any: expect.arrayContaining([{ kind: 'phone', phone: '912345678' }]) },
          { any: expect.arrayContaining([{ kind: 'email', prefix: 'ana@shop.pt' }]) },
        ],
      },
    ],
  });
});

test('any text has a bounded number of meanings', () => {
  fc.assert(
    fc.property(
      fc.oneof(fc.string({ unit: 'binary', maxLength: 300 }), fc.string({ maxLength: 300 })),
      (text) => {
        const asked = conditions(readSearch(text));
        expect(asked.length).toBeLessThanOrEqual(24);
        if (text.trim() !== '') expect(asked.length).toBeGreaterThan(0);
      },
    ),
  );
});
