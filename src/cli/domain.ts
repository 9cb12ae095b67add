import { addDomain } from '../merchants/add-domain.ts';
import { removeDomain } from '../merchants/remove-domain.ts';
import type { Run } from './command.ts';

export const add: Run = async (deps, input) => ({
  value: await addDomain(deps, input.id('mer', 0), input.word(1)),
});

export const remove: Run = async (deps, input) => ({
  value: await removeDomain(deps, input.id('mer', 0), input.word(1)),
});
