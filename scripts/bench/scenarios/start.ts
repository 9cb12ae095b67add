import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Experiment, Figure } from '../contest.ts';
import { residentMb } from '../resident.ts';
import { install, launch } from '../service.ts';
import { median, spread } from '../statistics.ts';
import { aligned, short } from '../text.ts';

const NAME = 'start';
const IDLE_SECONDS = 2;
const IDLE_SECONDS_SMOKE = 0.1;

/** How long the service takes from nothing to ready, and how much memory it holds with nothing to do. */
export const start: Experiment = {
  name: NAME,
  async run(parent, options) {
    const folder = join(parent, NAME);
    mkdirSync(folder);
    const installation = await install(folder, null);
    const rounds: { readyMs: number; idleMb: number }[] = [];
    for (let round = 0; round < options.rounds; round++) {
      const running = await launch(installation);
      await wait((options.smoke ? IDLE_SECONDS_SMOKE : IDLE_SECONDS) * 1000);
      rounds.push({ readyMs: running.readyMs, idleMb: residentMb(running.pid).now });
      await running.stop();
    }
    const ready = rounds.map(({ readyMs }) => readyMs);
    const idle = rounds.map(({ idleMb }) => idleMb);
    const row = (name: string, values: readonly number[], unit: string) => {
      const { median: middle, min, max } = spread(values);
      return [name, `${short(middle)} ${unit}`, `${short(min)} … ${short(max)}`];
    };
    const rows = [
      ['', 'median', 'lowest … highest'],
      row('start to ready', ready, 'ms'),
      row('idle memory', idle, 'MiB'),
    ];
    const figures: Figure[] = [
      { scenario: NAME, name: 'start to ready', value: median(ready), unit: 'ms' },
      { scenario: NAME, name: 'idle memory', value: median(idle), unit: 'MiB' },
    ];
    return {
      text: [`start: ${options.rounds} starts, with the sandbox inside`, ...aligned(rows)].join('\n'),
      ratios: [],
      figures,
    };
  },
};
