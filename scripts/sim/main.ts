import { readCommandLine, wholeNumber } from '../command-line.ts';
import { runSeed } from './run.ts';
import { createFolder } from './storage.ts';

/**
 * `npm run sim -- --seed N --runs R`: simulates R seeds from N on. The first violated invariant ends the run and prints the seed, the
 * invariant and the trace; `--trace` always prints the trace, `--counts` how often each event occurred.
 */
const USAGE =
  'usage: npm run sim -- [--seed N] [--runs R] [--trace] [--counts] [--keep-going], whole numbers from 1';
const values = readCommandLine(
  {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    trace: { type: 'boolean', default: false },
    counts: { type: 'boolean', default: false },
    'keep-going': { type: 'boolean', default: false },
  },
  USAGE,
);

const PROGRESS_EVERY = 1000;
const first = wholeNumber('seed', values.seed, USAGE);
const runs = wholeNumber('runs', values.runs, USAGE);
const folder = createFolder();
process.on('exit', () => folder.remove());
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

const startedAt = performance.now();
const counts = new Map<string, number>();
const broken: number[] = [];
let played = 0;
for (let seed = first; seed < first + runs; seed++) {
  const result = await runSeed(seed, folder.path);
  played += 1;
  for (const [name, count] of result.counts) counts.set(name, (counts.get(name) ?? 0) + count);
  if (values.trace || (result.violation !== null && !values['keep-going'])) say(result.trace.join('\n'));
  if (result.violation !== null) {
    broken.push(seed);
    say(`seed ${seed} violates: ${result.violation.invariant}\n  ${result.violation.what}`);
    if (!values['keep-going']) break;
  } else if (runs === 1) say(`seed ${seed} passes (trace ${result.digest})`);
  if (played % PROGRESS_EVERY === 0) say(`${played} seeds`);
}
const seconds = (performance.now() - startedAt) / 1000;
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000 / played;
if (values.counts) {
  for (const [name, count] of [...counts].sort(([a], [b]) => (a < b ? -1 : 1))) say(`${count}\t${name}`);
}
say(
  `${played} seeds from ${first} in ${seconds.toFixed(1)} s (${((seconds * 1000) / played).toFixed(0)} ms each, ${cpuMs.toFixed(0)} ms of processor), ${broken.length} failed${broken.length > 0 ? `: ${broken.join(', ')}. Replay one with: npm run sim -- --seed ${broken[0]} --runs 1` : ''}`,
);
process.exitCode = broken.length === 0 ? 0 : 1;

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
