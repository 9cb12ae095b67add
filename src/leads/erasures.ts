import type { Deps } from '../deps.ts';
import { errorText } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import { stepErasure } from './erasure-steps.ts';
import { dueErasures } from './erasure-store.ts';

const SWEEP_EVERY_MS = 5000;
const SWEEP_MAX = 10;

type ErasuresDeps = Pick<Deps, 'db' | 'clock' | 'log'>;

/** Goes on with erasures that are not finished, from start() to stop(), whoever began them. State is in the database alone. */
export function createErasures(deps: ErasuresDeps): { start(): void; stop(): Promise<void> } {
  let stopped = false;
  let cancel = () => {};
  let running: Promise<void> = Promise.resolve();
  const goOn = async (leadId: Id<'led'>) => {
    while (!stopped && (await stepErasure(deps, leadId)));
  };
  const sweep = async () => {
    for (const { lead_id: leadId } of await dueErasures(deps.db.read, deps.clock.now(), SWEEP_MAX)) {
      // One that fails must not keep the others from being done.
      await goOn(leadId).catch((error: unknown) =>
        deps.log.error({ leadId, detail: errorText(error) }, 'an erasure failed; it will be tried again'),
      );
    }
  };
  const turn = () => {
    running = sweep()
      .catch((error: unknown) =>
        deps.log.error({ detail: errorText(error) }, 'the erasures could not be looked up; they will be'),
      )
      .then(() => {
        if (!stopped) cancel = deps.clock.after(SWEEP_EVERY_MS, turn);
      });
  };
  return {
    start: turn,
    async stop() {
      stopped = true;
      cancel();
      await running;
    },
  };
}
