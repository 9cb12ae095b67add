import type { Deps } from '../../deps.ts';
import { OperatorError } from '../../kernel/errors.ts';
import type { Id } from '../../kernel/ids.ts';
import { findWebhook, recoveriesOf } from './store.ts';
import { type RecoveryView, recoveryView } from './view.ts';

const RUNS_MAX = 20;

/** The merchant's newest 20 runs of recovery, newest first. Throws OperatorError on an unknown id. */
export async function listRecoveries(
  { db }: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
): Promise<RecoveryView[]> {
  if (!(await findWebhook(db.read, merchantId))) {
    throw new OperatorError(`there is no merchant ${merchantId}; "merchant list" shows all of them`);
  }
  const runs = await recoveriesOf(db.read, merchantId, RUNS_MAX);
  return await Promise.all(runs.map((run) => recoveryView(db.read, run)));
}
