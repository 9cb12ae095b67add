import { setTimeout as wait } from 'node:timers/promises';
import { finishRotation } from '../merchants/finish-rotation.ts';
import { rotateWebhookSecret } from '../merchants/rotate-secret.ts';
import { listRecoveries } from '../webhooks/recovery/list.ts';
import { recoverEvents } from '../webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../webhooks/resend.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import type { Run } from './command.ts';

/** Between two pages of a recovery: the server that runs beside it needs the database as well. */
const PAGE_PAUSE_MS = 10;
const PROGRESS_MS = 1000;

export const test: Run = async (deps, input) => ({
  value: await sendTestEvent(deps, input.id('mer', 0)),
});

export const resend: Run = async (deps, input) => ({
  value: await resendDelivery(deps, input.id('dlv', 0)),
});

export const rotate: Run = async (deps, input) => ({
  value: await rotateWebhookSecret(deps, input.id('mer', 0), { now: input.on('now') }),
});

export const finish: Run = async (deps, input) => ({
  value: await finishRotation(deps, input.id('mer', 0)),
});

export const recover: Run = async (deps, input, report) => {
  const merchantId = input.id('mer', 0);
  const run = recoverEvents(deps, { merchantId, since: input.instant('since'), latest: input.on('latest') });
  let told = Number.NEGATIVE_INFINITY;
  for (;;) {
    const step = await run.next();
    if (step.done) {
      report(`${step.value.queued} events queued; "webhook recovery ${merchantId}" shows how far they are`);
      return { value: step.value };
    }
    if (deps.clock.now() - told >= PROGRESS_MS) {
      told = deps.clock.now();
      report(`${step.value} events queued so far`);
    }
    await wait(PAGE_PAUSE_MS);
  }
};

export const recoveries: Run = async (deps, input) => ({
  value: await listRecoveries(deps, input.id('mer', 0)),
});
