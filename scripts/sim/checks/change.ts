import type { ReceiptView, Snapshot } from '../snapshot.ts';
import type { World } from '../world.ts';

/** The change made by one unit of work. */
export interface Change {
  before: Snapshot;
  after: Snapshot;
  /** The service's clock. */
  now: number;
  world: World;
}

/** Invariants by name, checked after every unit of work. Each yields a message for each violation. */
export type ChangeChecks = Readonly<Record<string, (change: Change) => Iterable<string>>>;

/** The rows of a table that the unit created or moved to another state. */
export function* moves<Row extends { state: string }>(
  before: ReadonlyMap<string, Row>,
  after: ReadonlyMap<string, Row>,
) {
  for (const [id, is] of after) {
    const was = before.get(id);
    if (was?.state !== is.state) yield { id, was, is };
  }
}

/** Receipts that are new, or newly assigned to a transaction. */
export function newReceipts({ before, after }: Change): ReceiptView[] {
  return [...after.receipts.values()].filter((row) => {
    const was = before.receipts.get(row.id);
    return was === undefined || was.transaction_id !== row.transaction_id;
  });
}
