import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { createTurns, type Turns } from '../kernel/periodic.ts';
import { stepErasure } from './erasure-steps.ts';
import { dueErasures } from './erasure-store.ts';

const SWEEP_EVERY_MS = 5000;
const SWEEP_MAX = 10;

type ErasuresDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** Goes on with erasures that are not finished, from start() to stop(), whoever began them. State is in the database alone. */
export function createErasures(deps: ErasuresDeps): Turns {
  return createTurns(deps.clock, async (isStopping) => {
    await sweepErasures(deps, isStopping).catch((error: unknown) =>
      deps.log.error({ detail: errorText(error) }, 'the erasures could not be looked up; they will be'),
    );
    return SWEEP_EVERY_MS;
  });
}

async function sweepErasures(deps: ErasuresDeps, isStopping: () => boolean): Promise<void> {
  const goOn = async (leadId: Id<'led'>) => {
    while (!isStopping() && (await stepErasure(deps, leadId)));
  };
  for (const { lead_id: leadId } of await dueErasures(deps.db.read, deps.clock.now(), SWEEP_MAX)) {
    // One that fails must not keep the others from being done.
    await goOn(leadId).catch((error: unknown) =>
      deps.log.error({ leadId, detail: errorText(error) }, 'an erasure failed; it will be tried again'),
    );
  }
}
