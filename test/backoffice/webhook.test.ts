import { afterAll, expect, test } from 'vitest';
import { setWebhookUrl } from '../../src/backoffice/webhook/set-url.ts';
import type { Id } from '../../src/kernel/ids.ts';
import type { ResolvedAddress } from '../../src/webhooks/transport/resolve.ts';
import { quickClock } from '../support/fake-clock.ts';
import { startService } from '../support/harness.ts';
import { openReceiver } from '../support/open-receiver.ts';
import { insertRows, selectRow, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { webhookKit } from '../webhooks/kit.ts';
import { auditLog, shopWithOwner, signedIn, type Visitor } from './support.ts';

const receiver = await openReceiver((request, response, count) => {
  if (request.path.startsWith('/refuse')) response.writeHead(500).end(`no ${count}`);
  else response.end('thanks');
});
const started = { whenOver: afterAll, webhookCa: receiver.ca };
const service = await startService(started);
/** A service that repeats deliveries sooner. */
const quick = await startService({ ...started, clock: quickClock() });
afterAll(() => receiver.close());

const shop = (webhookUrl: string | undefined = receiver.url, at = service) =>
  shopWithOwner(at, { ...(webhookUrl !== '' && { webhookUrl }) });

async function audited(merchantId: Id<'mer'>, at = service): Promise<string[]> {
  const entries = await auditLog(at, { merchant_id: merchantId });
  const byPeople = entries.filter(({ actor }) => actor.startsWith('person-'));
  return byPeople.map(({ action }) => action).filter((action) => !action.startsWith('user.'));
}

async function ended(owner: Visitor, merchantId: string, deliveryId: string) {
  return await until(async () => {
    const { value } = await owner.query('webhook.delivery', { merchantId, deliveryId });
    return value.state === 'due' ? null : value;
  });
}

test('revealing a secret or key is in the audit log', async () => {
  const { merchant, merchantId, owner } = await shop();
  expect((await owner.query('webhook.show', { merchantId })).value).toEqual({
    url: receiver.url,
    enabled: true,
    secretMasked: `whsec_••••••••${merchant.webhookSecret.slice(-4)}`,
    rotation: null,
    missed: null,
    autoRecover: false,
    health: { state: 'unused', lastDeliveredAt: null, nextTryAt: null },
  });
  expect((await owner.mutate('webhook.revealSecret', { merchantId })).value).toEqual({
    secret: merchant.webhookSecret,
  });
  const [key] = (await owner.query('keys.list', { merchantId })).value.keys;
  expect(key).toMatchObject({ masked: `sk_••••••••${merchant.apiKey.slice(-4)}`, state: 'current' });
  expect((await owner.mutate('keys.reveal', { merchantId, keyId: key.keyId })).value).toEqual({
    apiKey: merchant.apiKey,
  });
  expect(await audited(merchantId)).toEqual(['secret.revealed', 'key.revealed']);
});

test('an invalid webhook URL is refused with a reason, a valid one is normalised', async () => {
  const { merchantId, owner } = await shop('');
  expect((await owner.mutate('webhook.sendTest', { merchantId })).error).toMatchObject({
    reason: 'webhook_without_url',
  });
  for (const [url, reason] of [
    ['http://shop.pt/', 'url_scheme'],
    ['https://', 'url_malformed'],
    ['https://a:b@shop.pt/', 'url_credentials'],
    ['https://169.254.169.254/', 'url_not_public'],
    [`https://shop.pt/${'a'.repeat(3000)}`, 'url_long'],
  ]) {
    const { error } = await owner.mutate('webhook.setUrl', { merchantId, url });
    expect(error).toMatchObject({ reason, code: 'BAD_REQUEST', fields: ['url'] });
    expect(error.message).not.toContain('SERVICE_');
  }
  const set = async (url: string) => (await owner.mutate('webhook.setUrl', { merchantId, url })).value;
  const normalised = { url: receiver.url, enabled: true };
  expect(await set(` ${receiver.url}#x`)).toEqual(normalised);
  expect((await owner.query('webhook.show', { merchantId })).value).toMatchObject(normalised);
  expect(await audited(merchantId)).toEqual(['webhook.changed']);
});

test('a host with a private address and an unknown host get the same refusal', async () => {
  const kit = await webhookKit({ allowPrivateNetworks: false });
  const { id } = await kit.shop(null);
  const set = (answers: ResolvedAddress[] | Error) =>
    setWebhookUrl(
      { ...kit.deps, resolve: async () => (answers instanceof Error ? Promise.reject(answers) : answers) },
      id,
      'https://hook.shop.pt/',
    ).then(
      (set) => set.url,
      (error) => error.message,
    );
  const open = { address: '93.184.216.34', family: 4 };
  const inside = { address: '10.0.0.7', family: 4 };
  const refusals = [
    await set([inside]),
    await set([open, inside]),
    await set([{ address: '::ffff:169.254.169.254', family: 6 }]),
    await set([]),
    await set(new Error('ENOTFOUND')),
  ];
  expect(new Set(refusals).size).toBe(1);
  expect(refusals[0]).toContain('cannot be reached');
  expect(await set([open])).toBe('https://hook.shop.pt/');
});

test('a delivery shows the endpoint’s response without operator details and can be resent', async () => {
  const { merchantId, owner } = await shop(receiver.url.replace('/hook', '/refuse'), quick);
  const viewer = await signedIn(quick, { role: 'viewer', merchantId });
  const { deliveryId } = (await owner.mutate('webhook.sendTest', { merchantId })).value;
  const shown = await ended(viewer, merchantId, deliveryId);
  expect(shown).toMatchObject({ state: 'undelivered', kind: 'webhook.test', number: 1, attemptsCount: 4 });
  expect(shown.attempts).toHaveLength(4);
  for (const attempt of shown.attempts)
    expect(attempt).toEqual({
      number: expect.any(Number),
      startedAt: expect.any(Number),
      durationMs: expect.any(Number),
      status: 500,
      error: 'The endpoint answered 500, not a 2xx status.',
      errorDetail: null,
      answer: expect.stringMatching(/^no \d+$/),
    });
  await owner.mutate('webhook.setUrl', { merchantId, url: receiver.url });
  const again = (await owner.mutate('webhook.resend', { merchantId, deliveryId })).value.deliveryId;
  expect(again).not.toBe(deliveryId);
  expect(await ended(viewer, merchantId, again)).toMatchObject({
    state: 'delivered',
    number: 1,
    attempts: [{ number: 1, status: 200, error: null, answer: 'thanks' }],
  });
  // The first delivery of a test event is not shown as resent.
  expect(shown.origin).toBe('event');
  const log = (await viewer.query('webhook.deliveries', { merchantId, limit: 10 })).value;
  expect(log.rows).toMatchObject([
    { deliveryId: again, status: 200 },
    { deliveryId, status: 500 },
  ]);
  expect(JSON.stringify(log)).not.toMatch(/detail/i);
  expect(await audited(merchantId, quick)).toEqual(['test.sent', 'webhook.changed', 'delivery.resent']);
});

test('missed events are recovered once the webhook is on, with progress', async () => {
  const { merchant, merchantId, owner } = await shop();
  const since = Date.now() - 1000;
  await owner.mutate('webhook.setEnabled', { merchantId, enabled: false });
  await Promise.all([merchant.pay(), merchant.pay()]);
  const missed = async () => (await owner.query('webhook.show', { merchantId })).value.missed;
  await until(async () => (await missed())?.events === 2, 'the missed events');
  expect(await missed()).toMatchObject({ events: 2, more: false });
  const recover = (from: number) =>
    owner.mutate('webhook.recover', { merchantId, since: from, latest: false });
  expect((await recover(since)).error).toMatchObject({ reason: 'webhook_off' });
  await owner.mutate('webhook.setEnabled', { merchantId, enabled: true });
  expect((await recover(Date.now() + 60_000)).error).toMatchObject({ reason: 'moment_to_come' });
  expect((await recover(since)).value).toMatchObject({ complete: true, queued: 2 });
  await until(async () => {
    const [run] = (await owner.query('webhook.recoveries', { merchantId })).value;
    return run.delivered === 2;
  });
  expect(await missed()).toBeNull();
});

test('the endpoint’s health follows from its latest deliveries, and owners switch automatic recovery on', async () => {
  const { merchant, merchantId, owner } = await shop(new URL('/refuse', receiver.url).href, quick);
  const reader = await signedIn(quick, { role: 'viewer', merchantId });
  const health = async () => (await reader.query('webhook.show', { merchantId })).value;
  expect(await health()).toMatchObject({ autoRecover: false, health: { state: 'unused' } });
  const wanted = { merchantId, autoRecover: true };
  expect((await owner.mutate('webhook.setAutoRecover', wanted)).status).toBe(200);
  await merchant.pay();
  await until(async () => (await health()).health.state === 'failing', 'the fourth attempt');
  expect(await health()).toMatchObject({ autoRecover: true, health: { lastDeliveredAt: null } });
  const planned = () =>
    until(async () => (await health()).health.nextTryAt !== null, 'the plan of the recovery');
  await planned();
  const rests = { phase: 'resting', due_at: null } as const;
  await updateRows(quick.app.deps.db, 'auto_recoveries', rests, { merchant_id: merchantId });
  await owner.mutate('webhook.setAutoRecover', { merchantId, autoRecover: false });
  await owner.mutate('webhook.setAutoRecover', wanted);
  await planned();
  await owner.mutate('webhook.setEnabled', { merchantId, enabled: false });
  expect((await health()).health).toMatchObject({ state: 'off', nextTryAt: null });
});

test('an endpoint that accepted an event before the last 20 were not sent is not shown as unused', async () => {
  const { merchantId, owner } = await shop();
  const { deliveryId } = (await owner.mutate('webhook.sendTest', { merchantId })).value;
  await ended(owner, merchantId, deliveryId);
  const { db, ids } = service.app.deps;
  const sent = await selectRow(db, 'deliveries', { id: deliveryId });
  const skipped = Array.from({ length: 20 }, () => ({ ...sent, id: ids('dlv'), state: 'skipped' as const }));
  await insertRows(db, 'deliveries', ...skipped);
  const { health } = (await owner.query('webhook.show', { merchantId })).value;
  expect(health).toMatchObject({ state: 'unstable', lastDeliveredAt: sent.finished_at });
});

test('a rotation shows its end, refuses a second rotation, and can be finished', async () => {
  const { merchant, merchantId, owner } = await shop();
  const { value } = await owner.mutate('webhook.rotate', { merchantId, now: false });
  expect(value.secret).not.toBe(merchant.webhookSecret);
  const { rotation } = (await owner.query('webhook.show', { merchantId })).value;
  expect(rotation.until).toBeGreaterThan(Date.now() + 23 * 3_600_000);
  expect((await owner.mutate('webhook.rotate', { merchantId, now: false })).error).toMatchObject({
    reason: 'rotation_running',
    values: { until: rotation.until },
  });
  await owner.mutate('webhook.finishRotation', { merchantId });
  expect((await owner.query('webhook.show', { merchantId })).value.rotation).toBeNull();
});

test('only owners download events, complete and in order', async () => {
  const { merchantId, owner } = await shop();
  const viewer = await signedIn(service, { role: 'viewer', merchantId });
  for (let i = 0; i < 3; i++) await owner.mutate('webhook.sendTest', { merchantId });
  await until(async () => {
    const { rows } = (await owner.query('webhook.deliveries', { merchantId, limit: 5 })).value;
    return rows.every((row: { number: number | null }) => row.number !== null);
  });
  const response = await owner.get(`/export/events.jsonl?merchantId=${merchantId}&after=1`);
  expect(response.headers.get('content-disposition')).toMatch(
    /filename="events-[a-z0-9-]+-\d{4}-\d\d-\d\d\.jsonl"/,
  );
  const lines = (await response.text())
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  expect(lines.map(({ sequence, event }) => [sequence, event])).toEqual([
    [2, 'webhook.test'],
    [3, 'webhook.test'],
  ]);
  expect(JSON.parse(lines[0].body)).toMatchObject({ event: 'webhook.test', data: { amount: 1 } });
  expect((await viewer.get(`/export/events.jsonl?merchantId=${merchantId}`)).status).toBe(403);
  expect((await owner.get(`/export/events.jsonl?merchantId=${merchantId}&after=x`)).status).toBe(400);
});

test('a merchant can send 30 test events and resends per minute, and others still can', async () => {
  const { merchantId, owner } = await shop();
  const { deliveryId } = (await owner.mutate('webhook.sendTest', { merchantId })).value;
  for (let i = 1; i < 30; i++) {
    expect((await owner.mutate('webhook.resend', { merchantId, deliveryId })).status).toBe(200);
  }
  for (const refused of [
    await owner.mutate('webhook.sendTest', { merchantId }),
    await owner.mutate('webhook.resend', { merchantId, deliveryId }),
    await owner.mutate('webhook.recover', { merchantId, since: 0, latest: false }),
  ]) {
    expect(refused).toMatchObject({
      status: 429,
      error: { reason: 'sends_too_many', values: { limit: 30 } },
    });
    expect(refused.error.values.seconds).toBeGreaterThan(0);
    expect(refused.error.message).toMatch(/Try again in \d+ s\./);
  }
  const other = await shop();
  expect((await other.owner.mutate('webhook.sendTest', { merchantId: other.merchantId })).status).toBe(200);
});
