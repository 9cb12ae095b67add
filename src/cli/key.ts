import { rollKey } from '../merchants/roll-key.ts';
import type { Run } from './command.ts';

export const roll: Run = async (deps, input) => ({
  value: await rollKey(deps, input.id('mer', 0), { graceHours: input.number('grace-hours', 0) }),
});
