import { setTimeout as wait } from 'node:timers/promises';
import { rotateSecrets } from '../installation/rotate-secrets.ts';
import type { Run } from './command.ts';

/** Between two pages: the server that runs beside it needs the database as well. */
const PAGE_PAUSE_MS = 10;
const PROGRESS_MS = 1000;

export const rotate: Run = async (deps, input, report) => {
  const run = rotateSecrets(deps, { serviceStopped: input.on('stopped') });
  let told = Number.NEGATIVE_INFINITY;
  for (;;) {
    const step = await run.next();
    if (step.done) {
      const { unreadable } = step.value;
      return {
        value: step.value,
        note: 'SERVICE_SECRET_KEY_PREVIOUS can be removed now. Copies of the database made before this still need the old key.',
        failure: unreadable === 0 ? undefined : unreadableLine(unreadable),
      };
    }
    if (deps.clock.now() - told >= PROGRESS_MS) {
      told = deps.clock.now();
      report(`${step.value} secrets looked at`);
    }
    await wait(PAGE_PAUSE_MS);
  }
};

function unreadableLine(count: number): string {
  return `${count} secrets open with neither key and stay as they are: give their owners new ones ("key roll", "webhook rotate --now", "bank set", "user reset --totp")`;
}
