import { setTimeout as wait } from 'node:timers/promises';
import { forcedWritesMs } from '../machine.ts';
import { progress } from '../progress.ts';
import { median, quantile } from '../statistics.ts';

/** A slow tenth of forced writes that takes so many times what one took before: somebody still writes beside it. */
const BUSY = 4;
const ASK_AGAIN_MS = 5000;
const SETTLE_MS_MAX = 300_000;

/**
 * Resolves when the slow ones of forced writes in `folder` take no longer than four did before gigabytes were written, or after
 * five minutes. Below a virtual machine the host may go on writing when here all is on the disk; the 99th percentile of an init was
 * 28 ms then, with ten thousand payments as well.
 */
export async function diskSettled(folder: string, beforeMs: readonly number[]): Promise<void> {
  const limit = BUSY * median(beforeMs);
  for (const end = performance.now() + SETTLE_MS_MAX; performance.now() < end; await wait(ASK_AGAIN_MS)) {
    const slow = quantile(Float64Array.from(forcedWritesMs(folder)).sort(), 0.9);
    if (slow <= limit) return;
    progress(`growth: the disk is still busy, ${slow.toFixed(1)} ms for a forced write of a slow tenth`);
  }
  progress('growth: the disk stays busy, measured all the same');
}
