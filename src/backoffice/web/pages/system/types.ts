import type { RouterOutputs } from '../../lib/trpc.ts';

export type SystemState = RouterOutputs['system']['show'];
export type Level = SystemState['level'];
