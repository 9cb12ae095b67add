import type { RunResult } from '../../scripts/sim/run.ts';

const TRACE_LINES_MAX = 60;

/** Returns `passed`, or the violated invariant with the end of the trace and the command that replays the seed. */
export function verdict({ seed, violation, trace }: RunResult): string {
  if (violation === null) return 'passed';
  const end = trace.slice(-TRACE_LINES_MAX).join('\n');
  return `${violation.invariant}: ${violation.what}\n${end}\nReplay: npm run sim -- --seed ${seed} --runs 1`;
}
