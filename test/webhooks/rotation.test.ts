import { createHmac } from 'node:crypto';
import { expect, test } from 'vitest';
import { DAY_MS } from '../../src/kernel/clock.ts';
import { OperatorError } from '../../src/kernel/errors.ts';
import { systemRandom } from '../../src/kernel/random.ts';
import { createSecretBox } from '../../src/kernel/secret-box.ts';
import { finishRotation, rotateWebhookSecret } from '../../src/merchants/rotate-secret.ts';
import { signingSecrets } from '../../src/webhooks/signature.ts';
import type { Received, ReceiverHandler } from '../support/tls-receiver.ts';
import { until } from '../support/until.ts';
import { delivering } from './kit.ts';

/** Which of these secrets a request is signed with, by either header, computed from its raw bytes alone. */
function signers(request: Received | undefined, secrets: Record<string, string>) {
  if (!request) throw new Error('nothing was sent');
  const { headers, body } = request;
  const nameOf = (signature: string, sign: (secret: string) => string) =>
    Object.entries(secrets).find(([, secret]) => sign(secret) === signature)?.[0] ?? 'unknown';
  const service = (secret: string) => `sha256=${createHmac('sha256', secret).update(body).digest('hex')}`;
  const standard = (secret: string) => {
    const signed = Buffer.concat([
      Buffer.from(`${headers['webhook-id']}.${headers['webhook-timestamp']}.`),
      body,
    ]);
    const key = Buffer.from(secret.slice('whsec_'.length), 'base64');
    return `v1,${createHmac('sha256', key).update(signed).digest('base64')}`;
  };
  return {
    service: nameOf(String(headers['x-service-signature']), service),
    standard: String(headers['webhook-signature'])
      .split(' ')
      .map((signature) => nameOf(signature, standard)),
  };
}

const OLD_ALONE = { service: 'old', standard: ['old'] };
const OVERLAP = { service: 'old', standard: ['old', 'new'] };
const NEW_ALONE = { service: 'new', standard: ['new'] };

async function setUp(handler?: ReceiverHandler) {
  const { receiver, kit, shop } = await delivering(handler);
  const send = async () => {
    const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
    await kit.reaches(deliveryId, 'delivered');
    return receiver.requests.at(-1);
  };
  const rotate = (now = false) => rotateWebhookSecret(kit.deps, shop.id, { now });
  return { receiver, kit, shop, send, rotate };
}

test('the old secret signs before a rotation, both for exactly 24 hours, then only the new one', async () => {
  const { kit, shop, send, rotate } = await setUp();
  const before = await send();
  const { webhookSecret } = await rotate();
  const secrets = { old: shop.secret, new: webhookSecret };
  expect(webhookSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(signers(before, secrets)).toEqual(OLD_ALONE);
  expect(signers(await send(), secrets)).toEqual(OVERLAP);
  await kit.clock.jump(DAY_MS - 1);
  expect(signers(await send(), secrets)).toEqual(OVERLAP);
  await kit.clock.jump(1);
  expect(signers(await send(), secrets)).toEqual(NEW_ALONE);
});

test('a finished rotation uses only the new secret at once; finishing twice changes nothing', async () => {
  const { kit, shop, send, rotate } = await setUp();
  const { webhookSecret } = await rotate();
  const secrets = { old: shop.secret, new: webhookSecret };
  expect(signers(await send(), secrets)).toEqual(OVERLAP);
  expect(await finishRotation(kit.deps, shop.id)).toEqual({ webhookSecret });
  expect(signers(await send(), secrets)).toEqual(NEW_ALONE);
  expect(await finishRotation(kit.deps, shop.id)).toEqual({ webhookSecret });
  const row = await kit.db.read.selectFrom('merchants').selectAll().executeTakeFirstOrThrow();
  expect(row).toMatchObject({ previous_webhook_secret: null, previous_secret_until: null });
});

test('with --now only the new secret signs, also during a rotation', async () => {
  const { shop, send, rotate } = await setUp();
  const first = await rotate(true);
  expect(signers(await send(), { old: shop.secret, new: first.webhookSecret })).toEqual(NEW_ALONE);
  await rotate();
  const last = await rotate(true);
  expect(signers(await send(), { old: first.webhookSecret, new: last.webhookSecret })).toEqual(NEW_ALONE);
});

test('a second rotation is refused while one runs and allowed after its 24 hours', async () => {
  const { kit, shop, send, rotate } = await setUp();
  const first = await rotate();
  const refusal = await rotate().catch((thrown: unknown) => thrown);
  expect(refusal).toBeInstanceOf(OperatorError);
  expect(String(refusal)).toContain('in progress until 2026-01-16T12:00:00.000Z');
  expect(signers(await send(), { old: shop.secret, new: first.webhookSecret })).toEqual(OVERLAP);
  await kit.clock.jump(DAY_MS);
  const second = await rotate();
  expect(signers(await send(), { old: first.webhookSecret, new: second.webhookSecret })).toEqual(OVERLAP);
});

test('each attempt is signed by the secrets valid when it is made', async () => {
  const { kit, shop, receiver, rotate } = await setUp((_request, response) => {
    response.writeHead(500).end();
  });
  const { deliveryId } = await kit.announce(shop, await kit.payment(shop));
  const ended = (count: number) =>
    until(async () => (await kit.attempts(deliveryId))[count - 1]?.duration_ms === 0, `attempt ${count}`);
  await ended(1);
  const { webhookSecret } = await rotate();
  await kit.clock.advance(200);
  await ended(2);
  await kit.clock.jump(DAY_MS);
  await ended(3);
  const secrets = { old: shop.secret, new: webhookSecret };
  expect(receiver.requests.map((request) => signers(request, secrets))).toEqual([
    OLD_ALONE,
    OVERLAP,
    NEW_ALONE,
  ]);
  const [first] = receiver.requests;
  for (const { body } of receiver.requests) expect(body).toEqual(first?.body);
});

test("a secret that was moved to another merchant's row signs nothing, also once it was read", () => {
  const box = createSecretBox(systemRandom(32), systemRandom);
  const row = {
    webhook_secret: box.encrypt('whsec_AAAA', 'merchants.webhook_secret:mer_1'),
    previous_webhook_secret: null,
    previous_secret_until: null,
  };
  expect(signingSecrets(box, 'mer_1', row, 0)).toEqual(['whsec_AAAA']);
  expect(() => signingSecrets(box, 'mer_2', row, 0)).toThrow();
});
