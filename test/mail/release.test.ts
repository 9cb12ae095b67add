import { expect, test } from 'vitest';
import { createMailQueue } from '../../src/mail/queue.ts';
import { releaseMails } from '../../src/mail/store.ts';
import { updateRows } from '../support/rows.ts';
import { webhookKit } from '../webhooks/kit.ts';

const LEASE_MS = 90_000;

test.each([
  ['whose first attempt was interrupted is due', { attempts_count: 1 }, 0],
  ['whose attempts may have ended the process keeps its lease', { attempts_count: 2 }, LEASE_MS],
  ['whose first attempt failed keeps its wait', { attempts_count: 1, error: 'busy' }, LEASE_MS],
  ['that is planned for later stays planned', { attempts_count: 0 }, LEASE_MS],
])('after a restart, a mail %s', async (_name, columns, dueInMs) => {
  const { db, deps, clock } = await webhookKit();
  const queue = createMailQueue(deps, () => {});
  await db.unit((tx) => queue(tx, { kind: 'payment-receipt', entity: 'tx_1' }));
  await updateRows(db, 'mails', { ...columns, due_at: clock.now() + LEASE_MS });
  await db.unit((tx) => releaseMails(tx, clock.now()));
  const { due_at } = await db.read.selectFrom('mails').select('due_at').executeTakeFirstOrThrow();
  expect(due_at).toBe(clock.now() + dueInMs);
});
