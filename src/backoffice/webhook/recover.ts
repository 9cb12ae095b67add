import type { Deps } from '../../deps.ts';
import type { RecoveryView } from '../../webhooks/recovery/list.ts';
import { type RecoveryRequest, recoverEvents } from '../../webhooks/recovery/recover-events.ts';

/** Queues the events that a merchant missed since an instant, one page per transaction. Throws WebhookRefused. */
export async function recoverMissed(
  deps: Pick<Deps, 'db' | 'clock' | 'ids' | 'wakeDispatcher' | 'actor'>,
  order: RecoveryRequest,
): Promise<RecoveryView> {
  const run = recoverEvents(deps, order);
  for (;;) {
    const step = await run.next();
    if (step.done) return step.value;
    await new Promise((resolve) => setImmediate(resolve));
  }
}
