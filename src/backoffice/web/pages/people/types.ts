import type { RouterOutputs } from '../../lib/trpc.ts';

export type Person = RouterOutputs['users']['list']['rows'][number];
