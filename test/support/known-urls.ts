import { join } from 'node:path';

/** Databases of a server for the run, by the folder that each belongs to. */
export const urls = new Map<string, string>();

/** The address of the database that belongs to `folder`: one that was asked for before, else a file in it. */
export function knownUrl(folder: string): string {
  return urls.get(folder) ?? `sqlite:${join(folder, 'service.db')}`;
}
