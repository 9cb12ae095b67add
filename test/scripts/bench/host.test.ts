import { cpus } from 'node:os';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { Host } from '../../../scripts/bench/host.ts';

/** A host with a clock of its own, which takes time when it is told to. */
function simulated() {
  let [now, stolen] = [1000, 0];
  const host = new Host(
    () => stolen,
    () => now,
  );
  const pass = (ms: number, taken = 0) => {
    for (let i = 0; i < ms; i += 20) {
      now += 20;
      host.look();
    }
    if (taken === 0) return;
    now += 20;
    stolen += taken;
    host.look();
  };
  return { host, pass, now: () => now };
}

const span = (from: number, until: number) => ({ from, until });

test('what began within a tenth of a second of a burst is left out, however long it took; others are kept and sorted', () => {
  const { host, pass } = simulated();
  pass(1000, 30); // taken between 2000 and 2020
  pass(1000);
  const kept = [span(1000, 1030), span(1500, 1599), span(1899, 2300), span(2121, 2123), span(2500, 2501)];
  const met = [span(1990, 2001), span(2005, 2006), span(1900, 1901), span(2119, 2130)];
  expect([...host.durations([...kept, ...met])]).toEqual([1, 2, 30, 99, 401]);
  expect(host.summary()).toContain('44.4 % of the times measured one by one began beside that');
});

test('a time whose begin or end is missing is not left out, so that it is noticed', () => {
  const { host, pass } = simulated();
  pass(1000, 30);
  const spans = [span(Number.NaN, 1500), span(1500, Number.NaN), span(1100, 1101), span(1200, 1202)];
  expect([...host.durations(spans)]).toEqual([1, 2, Number.NaN, Number.NaN]);
});

test('whatever the bursts: what is left out began beside one, what is kept did not, unless most did', () => {
  const burst = fc.record({ after: fc.integer({ min: 0, max: 60 }), taken: fc.constantFrom(10, 40) });
  const when = fc.record({ from: fc.integer({ min: 1000, max: 9000 }), ms: fc.nat(400) });
  fc.assert(
    fc.property(
      fc.array(burst, { maxLength: 8 }),
      fc.array(when, { minLength: 1, maxLength: 40 }),
      (bursts, whens) => {
        const { host, pass, now } = simulated();
        const late = bursts.map(({ after, taken }) => {
          pass(after * 20, taken);
          return span(now() - 120, now() + 100);
        });
        const spans = whens.map(({ from, ms }) => span(from, from + ms));
        const calm = spans.filter((one) => !late.some((b) => b.from <= one.from && one.from <= b.until));
        const kept = calm.length < spans.length / 2 ? spans : calm;
        const lengths = kept.map(({ from, until }) => until - from).sort((a, b) => a - b);
        expect([...host.durations(spans)]).toEqual(lengths);
      },
    ),
  );
});

test('nothing is left out of what was hardly ever calm', () => {
  const { host, pass } = simulated();
  for (let i = 0; i < 20; i++) pass(80, 10);
  const spans = Array.from({ length: 10 }, (_, i) => span(1000 + 100 * i, 1001 + 100 * i));
  expect(host.durations(spans)).toHaveLength(10);
  expect(host.summary()).toContain(' 0 % of the times');
  expect(host.summary()).toContain('1 series kept whole');
});

test('a turn is taken again while more than a fiftieth was stolen, so many times at most; then the calmest counts', async () => {
  const { host, pass } = simulated();
  const cores = cpus().length;
  const turns = (...shares: number[]) => {
    let taken = 0;
    return async () => {
      pass(980, (shares[taken] ?? 0) * 1000 * cores);
      return taken++;
    };
  };
  expect(await host.calmest(turns(0.01), 3)).toBe(0);
  expect(await host.calmest(turns(0.2, 0.01), 3)).toBe(1);
  expect(await host.calmest(turns(0.2, 0.1, 0.3, 0.4, 0), 3)).toBe(1);
  expect(await host.calmest(turns(0.2, 0), 0)).toBe(0);
  expect(host.summary()).toContain('4 turns were taken again, 2 stayed disturbed');
});

test('the machine that it runs on is asked, and told about', () => {
  const host = new Host().watch();
  expect(host.durations([span(Date.now() - 5, Date.now())])).toHaveLength(1);
  expect(host.summary()).toMatch(/^the host: gave [\d.]+ % of the processors' time to others/);
});
