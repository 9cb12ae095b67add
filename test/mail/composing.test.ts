import { expect, test } from 'vitest';
import type { MailKind } from '../../src/db/tables/mails.ts';
import type { ComposedMail } from '../../src/mail/worker.ts';
import { updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { COMPOSED, mailing } from './outbox.ts';

/** An outbox whose worker has claimed the mail and composes it until `resume` is called. */
async function composing() {
  const { promise: resumed, resolve: resume } = Promise.withResolvers<ComposedMail>();
  const composed = [resumed];
  const { server, outbox } = await mailing({}, () => composed.shift() ?? COMPOSED);
  const worker = outbox.start();
  await until(() => composed.length === 0, 'the claim');
  return { server, outbox, worker, resume: () => resume(COMPOSED) };
}

test('a mail whose process died during the exchange is sent again at once after a restart', async () => {
  const { outbox, worker, resume } = await composing();
  outbox.start();
  expect(await outbox.attempts(2)).toMatchObject({ state: 'sent' });
  resume();
  await worker.stop();
});

test('a process that stalled after it claimed a mail does not send it, because another may have', async () => {
  const { server, outbox, worker, resume } = await composing();
  await outbox.clock.advance(91_000);
  outbox.start();
  expect(await outbox.attempts(2)).toMatchObject({ state: 'sent' });
  resume();
  await worker.stop();
  expect(server.received).toHaveLength(1);
});

test('two workers that find a mail due at the same moment send it once', async () => {
  const { server, outbox } = await mailing();
  await updateRows(outbox.db, 'mails', { due_at: outbox.clock.now() + 10_000 });
  const workers = [outbox.start(), outbox.start()];
  await outbox.clock.advance(5000);
  await updateRows(outbox.db, 'mails', { due_at: outbox.clock.now() });
  for (const worker of workers) worker.wake();
  expect(await outbox.attempts(1)).toMatchObject({ state: 'sent' });
  for (const worker of workers) await worker.stop();
  expect(server.received).toHaveLength(1);
});

test('a mail is sent after its lease although the clock was set back by an hour during its attempt', async () => {
  const { outbox, resume } = await composing();
  const { due_at: lease } = await outbox.row();
  await outbox.clock.jump(-60 * 60_000);
  resume();
  await until(async () => (await outbox.row()).due_at !== lease, 'the new lease');
  await outbox.clock.advance(91_000);
  expect(await outbox.attempts(2)).toMatchObject({ state: 'sent' });
});

test('a mail that cannot be composed is given up, counted and logged after 50 attempts', async () => {
  const { outbox } = await mailing({}, () => {
    throw new Error('an unreadable order');
  });
  await outbox.db.unit((tx) => tx.updateTable('mails').set({ attempts_count: 49 }).execute());
  const worker = outbox.start();
  await until(() => outbox.lines.some(({ msg }) => msg.startsWith('worker task failed')), 'the last attempt');
  await outbox.clock.advance(91_000);
  await until(async () => (await outbox.row()).state === 'failed', 'the end');
  await worker.stop();
  expect(outbox.outcomes).toEqual(['failed']);
  expect(outbox.lines.at(-1)).toMatchObject({ level: 50, msg: expect.stringMatching(/^mail not sent:/) });
});

test.each([
  ['that is no longer needed', () => null, 'payment-receipt'],
  ['of a kind that only a later version knows', () => COMPOSED, 'of-a-later-version'],
])('a mail %s is dropped unsent', async (_which, composed, kind) => {
  const { server, outbox } = await mailing({}, composed);
  await updateRows(outbox.db, 'mails', { kind: kind as MailKind });
  outbox.start();
  expect(await outbox.attempts(1)).toMatchObject({ state: 'dropped' });
  expect(server.received).toEqual([]);
});
