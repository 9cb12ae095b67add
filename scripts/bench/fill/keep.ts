import { peersInstalled } from '../packages.ts';
import { startProgram } from '../program.ts';
import { progress } from '../progress.ts';

/** Holds in memory what is there of a file, as a system does whose host leaves it its memory. */
export interface Keeper {
  /** Takes in what was read since it was called last; within half a minute, or it may be gone. */
  keep(): Promise<void>;
  stop(): Promise<void>;
}

const NOTHING: Keeper = { keep: async () => {}, stop: async () => {} };

/** Without the packages of the peers, and where the system is another, nothing is held; the latter is told. */
export async function startKeeper(file: string): Promise<Keeper> {
  if (!peersInstalled()) return NOTHING;
  try {
    const program = new URL('../peers/servers/page-keeper.ts', import.meta.url);
    const { ask, stop } = await startProgram<string>(program, { BENCH_FILE: file });
    return { keep: async () => void (await ask<number>('keep')), stop };
  } catch {
    progress('growth: pages cannot be held in memory on this system, which may take them back');
    return NOTHING;
  }
}
