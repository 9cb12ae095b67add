import { afterAll, expect, test } from 'vitest';
import { recordAudit } from '../../src/audit/store.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { SERVICE } from '../../src/kernel/actor.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { addDomain, removeDomain } from '../../src/merchants/domains.ts';
import { rollKey } from '../../src/merchants/keys.ts';
import { finishRotation, rotateWebhookSecret } from '../../src/merchants/rotate-secret.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { recoverEvents } from '../../src/webhooks/recovery/recover-events.ts';
import { resendDelivery } from '../../src/webhooks/resend.ts';
import { sendTestEvent } from '../../src/webhooks/test-event.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { startService, type TestMerchant } from '../support/harness.ts';
import { auditLog } from './support.ts';

const NOW = Date.UTC(2026, 5, 1, 12);
const service = await startService({ whenOver: afterAll, clock: { ...systemClock, now: () => NOW } });

const ACTOR = { userId: 'usr_somebody', name: 'somebody@example.pt', address: '192.0.2.7' } as const;
const acting = () => ({ ...service.app.deps, actor: ACTOR });

async function linesOf({ merchantId }: Pick<TestMerchant, 'merchantId'>) {
  const rows = await auditLog(service, { merchant_id: merchantId });
  return rows.map(({ action, target, details, actor, user_id, address }) => ({
    action,
    target,
    details: details === null ? null : JSON.parse(details),
    by: [user_id, actor, address],
  }));
}

const WEBHOOK = 'https://127.0.0.1:9/hook';

test('every change of a merchant is in the audit log with actor, address and without secrets', async () => {
  const merchant = await service.merchant({ name: 'Audited', domains: ['shop.pt'] });
  const { merchantId } = merchant;
  const deps = acting();
  await setMerchant(deps, merchantId, { hold: true, webhookUrl: WEBHOOK, webhookEnabled: true });
  await setMerchant(deps, merchantId, { hold: true, webhookUrl: WEBHOOK, webhookEnabled: true });
  await setMerchant(deps, merchantId, {});
  await addDomain(deps, merchantId, 'other.pt');
  await addDomain(deps, merchantId, 'other.pt');
  await removeDomain(deps, merchantId, 'other.pt');
  const { apiKey } = await rollKey(deps, merchantId, { graceHours: 2 });
  const { webhookSecret } = await rotateWebhookSecret(deps, merchantId, { now: false });
  await finishRotation(deps, merchantId);
  await finishRotation(deps, merchantId);
  const { deliveryId } = await sendTestEvent(deps, merchantId);
  const resent = await resendDelivery(deps, deliveryId);
  const run = recoverEvents(deps, { merchantId, since: NOW - 1000, latest: true });
  while (!(await run.next()).done);
  const { account } = await setBankAccount(deps, { merchantId, credentials: CREDENTIALS });

  const by = [ACTOR.userId, ACTOR.name, ACTOR.address];
  const lines = await linesOf(merchant);
  expect(lines[0]).toEqual({
    action: 'merchant.created',
    target: merchantId,
    details: { name: 'Audited', domains: ['shop.pt'], webhookUrl: null },
    by: [null, SERVICE.name, null],
  });
  expect(lines.slice(1)).toEqual(
    [
      { action: 'merchant.changed', target: merchantId, details: { hold: true } },
      { action: 'webhook.changed', target: merchantId, details: { url: WEBHOOK, enabled: true } },
      { action: 'domain.added', target: 'other.pt', details: null },
      { action: 'domain.removed', target: 'other.pt', details: null },
      { action: 'key.rolled', target: expect.stringMatching(/^key_/), details: { graceHours: 2 } },
      {
        action: 'secret.rotated',
        target: merchantId,
        details: { overlapUntil: '2026-06-02T12:00:00.000Z' },
      },
      { action: 'secret.rotation_finished', target: merchantId, details: null },
      { action: 'test.sent', target: deliveryId, details: null },
      {
        action: 'delivery.resent',
        target: deliveryId,
        details: { deliveryId: resent.deliveryId, event: 'webhook.test' },
      },
      {
        action: 'deliveries.recovered',
        target: expect.stringMatching(/^rcv_/),
        details: { since: '2026-06-01T11:59:59.000Z', latest: true },
      },
      { action: 'bank.changed', target: account, details: { acquirer: 'ifthenpay' } },
    ].map((line) => ({ ...line, by })),
  );
  const text = JSON.stringify(lines);
  for (const secret of [apiKey, webhookSecret, merchant.webhookSecret, ...Object.values(CREDENTIALS)])
    expect(text).not.toContain(secret);
});

test('a failed change leaves no entry', async () => {
  const merchant = await service.merchant();
  const { merchantId } = merchant;
  const deps = acting();
  const before = await linesOf(merchant);
  const failing = [
    () => removeDomain(deps, merchantId, 'never-added.pt'),
    () => sendTestEvent(deps, merchantId),
    () => rollKey(deps, merchantId, { graceHours: -1 }),
    () => recoverEvents(deps, { merchantId, since: 0, latest: false }).next(),
    () => setMerchant(deps, merchantId, { active: false, webhookUrl: 'http://plain.example' }),
    async () => releaseTransaction(deps, await merchant.init()),
  ];
  for (const verb of failing) await expect(verb()).rejects.toThrow();
  // Also when the failure comes after the line was written.
  const { db } = service.app.deps;
  const late = db.unit(async (tx) => {
    await recordAudit(tx, deps, { action: 'key.rolled', merchantId, target: null });
    throw new Error('after all');
  });
  await expect(late).rejects.toThrow('after all');
  expect(await linesOf(merchant)).toEqual(before);
});
