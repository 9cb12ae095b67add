import fc from 'fast-check';

/** The values that an arbitrary generates. */
export type Generated<A> = A extends fc.Arbitrary<infer Value> ? Value : never;

/** One of the values of a choice, which has its weight in front. */
export function weighted<const T>(...choices: readonly (readonly [weight: number, ...T[]])[]) {
  return fc.oneof(
    ...choices.map(([weight, ...values]) => ({ weight, arbitrary: fc.constantFrom(...values) })),
  );
}
