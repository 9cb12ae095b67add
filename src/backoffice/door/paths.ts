import { splitTarget } from '../../http/paths.ts';

export const BACKOFFICE = '/backoffice';
export const PROCEDURES = `${BACKOFFICE}/trpc`;
export const DOWNLOADS = `${BACKOFFICE}/export`;

/** What a target names below /backoffice/, without a query. */
export function pathBelow(target: string): string {
  return splitTarget(target)[0].slice(BACKOFFICE.length + 1);
}
