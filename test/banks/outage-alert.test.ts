import { expect, onTestFinished, test } from 'vitest';
import { createOutageAlert } from '../../src/banks/workers/outage-alert.ts';
import type { Deps } from '../../src/deps.ts';
import { insertRows } from '../support/rows.ts';
import { workerKit } from './support.ts';

test('an outage alert is sent although the credentials of an account cannot be read', async () => {
  const { db, clock, deps, account, lines } = await workerKit();
  await insertRows(db, 'bank_accounts', { id: 'acc_unreadable', acquirer: 'eupago' });
  const bankUnavailableSince = new Map([account, 'acc_unreadable'].map((id) => [id, clock.now()]));
  const queued: string[] = [];
  const job = createOutageAlert({
    ...deps,
    settings: { bankAlertMs: 1000 },
    runtimeStats: { read: () => ({ bankUnavailableSince }) },
    queueMail: async (_tx: unknown, { entity }: { entity: string }) => queued.push(entity),
  } as unknown as Deps);
  job.start();
  onTestFinished(() => job.stop());
  await clock.advance(2000);
  expect(lines).toEqual([]);
  expect(queued.map((entity) => entity.split('.')[0])).toEqual(['ifthenpay', 'eupago']);
});
