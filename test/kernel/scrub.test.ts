import { expect, test } from 'vitest';
import { type Person, scrubber } from '../../src/kernel/scrub.ts';

const scrubbed = (person: Person, text: string) => scrubber([person])(text);

test('a phone number is scrubbed in every usual spelling, also of another country', () => {
  for (const phone of ['+44 7911 123456', '00447911123456', '447911123456'])
    for (const typed of ['+447911123456', '+44 7911 123456', '00447911123456', '07911 123456'])
      expect(scrubbed({ phone }, `Liguei: ${typed}.`)).toBe('Liguei: [erased].');
  for (const typed of ['+34612345678', '+34 612 345 678', '612345678', '34612345678'])
    expect(scrubbed({ phone: '+34 612345678' }, `Liguei: ${typed}.`)).toBe('Liguei: [erased].');
  for (const typed of ['+351912345678', '351#912345678', '912 345 678', '91 234 56 78'])
    expect(scrubbed({ phone: '912345678' }, `Liguei: ${typed}.`)).toBe('Liguei: [erased].');
  expect(scrubber([{ phone: '+34612345678' }])({ alias: 34612345678 })).toEqual({ alias: '[erased]' });
  const others = 'Liguei: 812345678, 9123456789, 5912345678.';
  expect(scrubbed({ phone: '912345678' }, others)).toBe(others);
});

test('a name is scrubbed with and without accents, and the other words stay as they are', () => {
  const names = ['Zélia Conceição', 'Zelia Conceicao', 'Zélia Conceição'.normalize('NFD')];
  for (const name of names)
    for (const typed of [...names, 'ZÉLIA  CONCEIÇÃO'])
      for (const rest of ['não é de Zélia.', 'não é de Zélia.'.normalize('NFD')])
        expect(scrubbed({ name }, `${typed}, ${rest}`)).toBe(`[erased], ${rest}`);
  expect(scrubbed({ name: 'Ana' }, 'banana, Anabela, \u{1f600} anã')).toBe(
    'banana, Anabela, \u{1f600} [erased]',
  );
});

test('people are scrubbed in any order of their names, at any depth, but no single letter', () => {
  const scrub = scrubber([{ name: 'Ana' }, { name: 'Zé' }, { name: 'B' }]);
  expect(scrub([{ a: { b: { c: 'Zé e B e Ana, Zé' } } }])).toEqual([
    { a: { b: { c: '[erased] e B e [erased], [erased]' } } },
  ]);
});

test('an e-mail address that begins with the name is scrubbed completely', () => {
  const person = { name: 'Ana', email: 'ana@silva.example' };
  expect(scrubbed(person, 'Ana <ANA@silva.example>')).toBe('[erased] <[erased]>');
});

test('overlapping names and addresses of several people are scrubbed completely', () => {
  const people = [
    { name: 'Ana Sá', email: 'ana@a.example' },
    { name: 'Ana Sá Pó', email: 'ana@b.example' },
  ];
  const others = [{ name: 'Ana' }, { name: 'Pó Reis', email: '912345678@c.example', phone: '912345678' }];
  for (const known of [[...people, ...others], [...others, ...people].reverse()]) {
    const scrub = scrubber(known);
    for (const text of ['Ana Sá Pó', 'Ana Sá Pó Reis', 'ana@b.example', '912345678@c.example'])
      expect(scrub(`De ${text}: 5`)).toBe('De [erased]: 5');
  }
});

test('text of repeated characters takes linear time', () => {
  const person = { name: 'a '.repeat(250), email: `${'a.'.repeat(30)}@b.example`, phone: '1'.repeat(500) };
  const scrub = scrubber([person]);
  for (const unit of ['a ', '1 ', '1', '\u{301}\u{327}', 'é', 'a.', '+1 ']) {
    const text = unit.repeat(30_000);
    const startedAt = performance.now();
    scrub(text);
    expect(performance.now() - startedAt).toBeLessThan(1500);
  }
});
