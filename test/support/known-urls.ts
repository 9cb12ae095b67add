import { join } from 'node:path';

/** The PostgreSQL databases of the run by folder. */
export const urls = new Map<string, string>();

/** The address of the database of `folder`: its PostgreSQL database, else a SQLite file in it. */
export function knownUrl(folder: string): string {
  return urls.get(folder) ?? `sqlite:${join(folder, 'service.db')}`;
}
