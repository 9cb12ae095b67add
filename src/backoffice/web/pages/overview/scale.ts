const STEPS_MAX = 4;
const EURO = 100;

/** Returns axis ticks in cents from 0 to at least `mostCents`: at most four steps of 1, 2 or 5 times a power of ten euros. */
export function ticksFor(mostCents: number): number[] {
  const most = Math.max(mostCents, STEPS_MAX * EURO);
  const least = most / STEPS_MAX;
  const power = 10 ** Math.floor(Math.log10(least));
  const step = Math.max(
    EURO,
    [1, 2, 5, 10].map((each) => each * power).find((each) => each >= least) ?? least,
  );
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
}
