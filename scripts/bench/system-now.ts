import { performance } from 'node:perf_hooks';

/** The time that all processes of a run share, in milliseconds, finer than one. */
export function systemNow(): number {
  return performance.timeOrigin + performance.now();
}
