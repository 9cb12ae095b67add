import type { Bar, Ratio } from './contest.ts';
import { short } from './text.ts';

const WIDTH = 960;
const NAME_WIDTH = 330;
const TEXT_WIDTH = 190;
const ROW_HEIGHT = 30;
const BAR_HEIGHT = 16;
const TOP = 84;
const BOTTOM = 46;
const NOTE_HEIGHT = 17;
/** In letters; with the widest fonts in use, as many still fit between the margins. */
const NOTE_LENGTH = 120;
/** Bars end here, in multiples of their floor. */
const SCALE_MAX = 4;

/** Its own ground, so that it reads the same on a light and on a dark page. */
const STYLE = `
    text { font: 13px system-ui, -apple-system, 'Segoe UI', sans-serif; fill: #1f2328; }
    .title { font-size: 17px; font-weight: 600; } .soft { fill: #59636e; font-size: 12px; }
    .ground { fill: #ffffff; stroke: #d1d9e0; } .track { fill: #f0f2f5; } .good { fill: #2da44e; } .bad { fill: #cf222e; }
    .floor { stroke: #1f2328; } .target { stroke: #0969da; } .spread { stroke: #1f2328; stroke-opacity: 0.55; }
    @media (prefers-color-scheme: dark) {
      text { fill: #e6edf3; } .soft { fill: #9198a1; }
      .ground { fill: #0d1117; stroke: #3d444d; } .track { fill: #1c2128; } .good { fill: #3fb950; } .bad { fill: #f85149; }
      .floor { stroke: #e6edf3; } .target { stroke: #4493f8; } .spread { stroke: #e6edf3; }
    }`;

interface Judged extends Ratio {
  readonly bar: Bar;
}

/**
 * The comparisons that have a floor, as an SVG picture: a bar each, drawn in multiples of its floor, so that all floors are
 * one line and longer is better, also where the ratio itself should be small. `notes` stand below it.
 */
export function plotSvg(ratios: readonly Ratio[], notes: readonly string[]): string {
  const rows = ratios.filter((ratio): ratio is Judged => ratio.bar !== null);
  const lines = notes.flatMap(broken);
  const height = TOP + rows.length * ROW_HEIGHT + BOTTOM + lines.length * NOTE_HEIGHT;
  const bottom = TOP + rows.length * ROW_HEIGHT;
  const floorX = x(1);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
  <title>The service beside others, in multiples of each floor</title>
  <style>${STYLE}
  </style>
  <rect class="ground" x="0.5" y="0.5" width="${WIDTH - 1}" height="${height - 1}" rx="8"/>
  <text class="title" x="20" y="32">The service beside others</text>
  <text class="soft" x="20" y="52">Each bar in multiples of its floor; right of the line passes. Whiskers: lowest and highest round.</text>
  <line class="target" x1="${x(SCALE_MAX) - 52}" x2="${x(SCALE_MAX) - 52}" y1="39" y2="54" stroke-width="3"/>
  <text class="soft" x="${x(SCALE_MAX) - 42}" y="52">target</text>
${rows.map(row).join('\n')}
  <line class="floor" x1="${floorX}" x2="${floorX}" y1="${TOP - 10}" y2="${bottom + 4}" stroke-width="1.5"/>
  <text class="soft" x="${floorX}" y="${bottom + 20}" text-anchor="middle">floor</text>
${[2, 3, 4].map((at) => `  <text class="soft" x="${x(at)}" y="${bottom + 20}" text-anchor="middle">${at} ×</text>`).join('\n')}
${lines.map((line, i) => `  <text class="soft" x="20" y="${bottom + 50 + i * NOTE_HEIGHT}">${escaped(line)}</text>`).join('\n')}
</svg>
`;
}

function row(ratio: Judged, place: number): string {
  const { bar, median, min, max } = ratio;
  const top = TOP + place * ROW_HEIGHT;
  const middle = top + BAR_HEIGHT / 2;
  const value = multiple(median, bar);
  const [left, right] = [multiple(min, bar), multiple(max, bar)].map(x).sort((a, b) => a - b);
  const target = x(multiple(bar.target, bar));
  const start = x(0);
  const sign = bar.better === 'higher' ? '≥' : '≤';
  return [
    `  <text x="${NAME_WIDTH - 6}" y="${middle + 4.5}" text-anchor="end">${escaped(ratio.name)}</text>`,
    `  <rect class="track" x="${start}" y="${top}" width="${x(SCALE_MAX) - start}" height="${BAR_HEIGHT}" rx="3"/>`,
    `  <rect class="${value >= 1 ? 'good' : 'bad'}" x="${start}" y="${top}" width="${fixed(x(value) - start)}" height="${BAR_HEIGHT}" rx="3"/>`,
    `  <line class="spread" x1="${left}" x2="${right}" y1="${middle}" y2="${middle}" stroke-width="1.5"/>`,
    `  <line class="target" x1="${target}" x2="${target}" y1="${top - 3}" y2="${top + BAR_HEIGHT + 3}" stroke-width="3"/>`,
    `  <text x="${x(SCALE_MAX) + 12}" y="${middle + 4.5}">${short(median)} <tspan class="soft">(${sign} ${bar.floor}, target ${bar.target})</tspan></text>`,
  ].join('\n');
}

/** How many times as good as the floor. */
function multiple(value: number, { better, floor }: Bar): number {
  return better === 'higher' ? value / floor : floor / value;
}

function x(multiples: number): number {
  const shown = Math.min(SCALE_MAX, Math.max(0, Number.isFinite(multiples) ? multiples : 0));
  return fixed(NAME_WIDTH + (shown / SCALE_MAX) * (WIDTH - NAME_WIDTH - TEXT_WIDTH));
}

function fixed(value: number): number {
  return Math.round(value * 10) / 10;
}

/** A picture's text does not flow: lines of at most `NOTE_LENGTH`, broken between words. */
function broken(note: string): string[] {
  const lines: string[] = [];
  for (const word of note.split(' ')) {
    const longer = lines.length === 0 ? word : `${lines.at(-1)} ${word}`;
    if (lines.length === 0 || longer.length > NOTE_LENGTH) lines.push(word);
    else lines[lines.length - 1] = longer;
  }
  return lines;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}
