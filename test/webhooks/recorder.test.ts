import { expect, test } from 'vitest';
import { type Outcome, Recorder } from '../../src/webhooks/delivery/recorder.ts';
import { keptLog } from '../banks/support.ts';
import { fakeClock } from '../support/fake-clock.ts';

test('outcomes that come one after the other are each retried twice a second while the database refuses them', async () => {
  const clock = fakeClock();
  const { log, lines } = keptLog();
  const db = { unit: () => Promise.reject(new Error('disk full')) };
  const recorder = new Recorder({ db, clock, log } as unknown as ConstructorParameters<typeof Recorder>[0]);
  const count = 10;
  for (let place = 0; place < count; place++) {
    const outcome = { attempt: { delivery: { id: `dlv_${place}` } }, result: { endedAt: clock.now() } };
    void recorder.add(outcome as Outcome);
    recorder.flush();
    await clock.advance(40);
  }
  const before = lines.length;
  const seconds = 10;
  await clock.advance(seconds * 1000);
  expect(lines.length - before).toBe(count * seconds * 2);
});
