import { platform } from 'node:os';
import { peersInstalled } from '../packages.ts';
import { startProgram } from '../program.ts';

/** Holds in memory what was read of a file, as a system does whose host leaves it its memory. */
export interface Keeper {
  /** Takes in what was read since it was called last; within half a minute, or it may be gone. */
  keep(): Promise<void>;
  stop(): Promise<void>;
}

/** Without the packages of the peers, and where the system is another, nothing is held. */
export async function startKeeper(file: string): Promise<Keeper> {
  if (platform() !== 'linux' || !peersInstalled()) return { keep: async () => {}, stop: async () => {} };
  const program = new URL('../peers/servers/page-keeper.ts', import.meta.url);
  const { ask, stop } = await startProgram<string>(program, { BENCH_FILE: file });
  return { keep: async () => void (await ask<number>('keep')), stop };
}
