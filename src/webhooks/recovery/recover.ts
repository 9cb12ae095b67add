import type { Deps } from '../../deps.ts';
import { releaseClaims } from '../delivery/release-store.ts';

/**
 * What a dead process had claimed is due at once: nothing waits for a lease after a restart. Only on SQLite, where one
 * process at a time sends; elsewhere a claim may belong to a living neighbour, and `Peers` looks who is. Resolves to the
 * number of attempts that the death cut.
 */
export async function recoverClaims(deps: Pick<Deps, 'db' | 'clock'>): Promise<number> {
  if (deps.db.engine !== 'sqlite') return 0;
  return await deps.db.unit((tx) => releaseClaims(tx, deps.clock.now()));
}
