import type { Deps } from '../deps.ts';
import type { Id } from '../kernel/ids.ts';
import { lisbonDay } from '../kernel/lisbon.ts';
import { nameKey } from '../kernel/person-keys.ts';
import { merchantNames } from './audit/store.ts';

const SLUG_LENGTH_MAX = 60;

/** The name of a file of everything today: `leads-2026-05-20.csv`. */
export function exportName(deps: Pick<Deps, 'clock'>, what: string, extension: string): string {
  return `${what}-${lisbonDay(deps.clock.now())}.${extension}`;
}

/** The name of a file of one merchant today: `transactions-livraria-do-cais-2026-05-20.csv`. */
export async function merchantExportName(
  deps: Pick<Deps, 'clock' | 'db'>,
  merchantId: Id<'mer'>,
  what: string,
  extension: string,
): Promise<string> {
  const names = await merchantNames(deps.db.read, [merchantId]);
  return exportName(deps, `${what}-${slugOf(names.get(merchantId) ?? '') || merchantId}`, extension);
}

/** Lower-case ASCII letters and digits, with hyphens between; nothing of a name in another script. */
function slugOf(name: string): string {
  return nameKey(name)
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, SLUG_LENGTH_MAX)
    .replace(/^-+|-+$/g, '');
}
