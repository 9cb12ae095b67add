import { readCommandLine, wholeNumber } from '../command-line.ts';
import { runSeed } from './run.ts';
import { createFolder } from './storage.ts';

/**
 * `npm run sim -- --seed N --runs R`: simulates R seeds from N on. The first violated invariant ends the run and prints the trace, the
 * seed and the invariant; `--trace` always prints the trace.
 */
const USAGE = 'usage: npm run sim -- [--seed N] [--runs R] [--trace], whole numbers from 1';
const values = readCommandLine(
  {
    seed: { type: 'string', default: '1' },
    runs: { type: 'string', default: '100' },
    trace: { type: 'boolean', default: false },
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
let played = 0;
while (played < runs && process.exitCode === undefined) {
  const seed = first + played;
  const { violation, trace, digest } = await runSeed(seed, folder.path);
  played += 1;
  if (values.trace || violation !== null) say(trace.join('\n'));
  if (violation !== null) {
    say(`seed ${seed} violates: ${violation.invariant}\n  ${violation.what}`);
    say(`Replay it with: npm run sim -- --seed ${seed} --runs 1`);
    process.exitCode = 1;
  } else if (runs === 1) say(`seed ${seed} passes (trace ${digest})`);
  if (played % PROGRESS_EVERY === 0) say(`${played} seeds`);
}
const ms = performance.now() - startedAt;
const { user, system } = process.cpuUsage();
const cpuMs = (user + system) / 1000 / played;
say(
  `${played} seeds from ${first} in ${(ms / 1000).toFixed(1)} s (${(ms / played).toFixed(0)} ms each, ${cpuMs.toFixed(0)} ms of processor)`,
);

function say(text: string): void {
  process.stdout.write(`${text}\n`);
}
