import { setTimeout as wait } from 'node:timers/promises';
import { residentMib } from '../machine.ts';
import type { Options } from '../options.ts';
import { install, launch } from '../service.ts';
import { median, type Row } from '../statistics.ts';

const IDLE_MS = 2000;

/** Time from the start of the process to ready, and the resident memory of the idle service with its sandbox. */
export async function start(folder: string, { rounds, scaled }: Options): Promise<Row[]> {
  const installation = await install(folder, null);
  const ready: number[] = [];
  const idle: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const running = await launch(installation);
    await wait(scaled(IDLE_MS));
    ready.push(running.readyMs);
    idle.push(residentMib(running.pid));
    await running.stop();
  }
  return [
    { name: 'start to ready', value: median(ready), unit: 'ms' },
    { name: 'idle memory', value: median(idle), unit: 'MiB' },
  ];
}
