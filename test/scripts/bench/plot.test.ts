import { expect, test } from 'vitest';
import { plotSvg } from '../../../scripts/bench/plot.ts';

const BAR = { better: 'higher', floor: 0.4, target: 0.6 } as const;
const RATIO = { scenario: 'init', name: 'a / b & c', median: 0.5, min: 0.4, max: 0.6, bar: BAR };

test('a note longer than the picture is wide is broken between words, and the picture grows by its lines', () => {
  const words = Array.from({ length: 60 }, (_, i) => `word${i}`);
  const svg = plotSvg([RATIO], ['a short one', words.join(' ')]);
  const notes = [...svg.matchAll(/<text class="soft" x="20" y="(\d+)">([^<]*)</g)].slice(1);
  const texts = notes.map(([, , text = '']) => text);
  expect(texts[0]).toBe('a short one');
  expect(texts.slice(1).join(' ').split(' ')).toEqual(words);
  expect(Math.max(...texts.map((text) => text.length))).toBeLessThanOrEqual(120);
  const height = Number(/ height="(\d+)"/.exec(svg)?.[1]);
  expect(Math.max(...notes.map(([, y]) => Number(y)))).toBeLessThan(height - 10);
});
