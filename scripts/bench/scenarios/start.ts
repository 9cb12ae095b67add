import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { residentMib } from '../machine.ts';
import { install, launch } from '../service.ts';
import { aligned, median, range, short } from '../statistics.ts';
import type { Scenario } from '../types.ts';

const NAME = 'start';
const IDLE_MS = 2000;
const IDLE_MS_SMOKE = 100;

/** Time from the start of the process to ready, and the resident memory of the idle service with its sandbox. */
export const start: Scenario = {
  name: NAME,
  async run(folder, { rounds, smoke }) {
    const installation = await install(join(folder, 'ours'), null);
    const ready: number[] = [];
    const idle: number[] = [];
    for (let round = 0; round < rounds; round++) {
      const running = await launch(installation);
      await wait(smoke ? IDLE_MS_SMOKE : IDLE_MS);
      ready.push(running.readyMs);
      idle.push(residentMib(running.pid));
      await running.stop();
    }
    const row = (name: string, values: readonly number[]) => [name, short(median(values)), range(values)];
    const rows = [
      ['', 'median', 'lowest … highest'],
      row('start to ready, ms', ready),
      row('idle memory, MiB', idle),
    ];
    return {
      text: [`${NAME}: ${rounds} starts, with the sandbox`, ...aligned(rows)].join('\n'),
      ratios: [],
      figures: [
        { name: 'start to ready', value: median(ready), unit: 'ms' },
        { name: 'idle memory', value: median(idle), unit: 'MiB' },
      ],
    };
  },
};
