import { resendDelivery } from '../webhooks/resend.ts';
import { sendTestEvent } from '../webhooks/test-event.ts';
import type { Run } from './command.ts';

export const test: Run = async (deps, input) => ({
  value: await sendTestEvent(deps, input.id('mer', 0)),
});

export const resend: Run = async (deps, input) => ({
  value: await resendDelivery(deps, input.id('dlv', 0)),
});
