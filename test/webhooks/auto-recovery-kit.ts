import { onTestFinished } from 'vitest';
import type { Id } from '../../src/kernel/ids.ts';
import { createAutoRecovery } from '../../src/webhooks/recovery/auto-recovery.ts';
import type { FakeClock } from '../support/fake-clock.ts';
import { selectRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { delivering, failed, type KitDeps, type Payment, type Shop, writeDelivery } from './kit.ts';

type Kit = Awaited<ReturnType<typeof delivering<FakeClock>>>['kit'];

export const FIRST_MS = 10_000;
export const SECOND_MS = 60_000;

/** An endpoint that can fail, with automatic recovery by two waits. */
export async function autoRecovering() {
  const endpoint = { fails: true, refused: new Set<unknown>() };
  const { receiver, kit, dispatcher, shop } = await delivering((request, response) => {
    const isRefused = endpoint.fails || endpoint.refused.has(request.headers['webhook-id']);
    response.writeHead(isRefused ? 500 : 200).end();
  });
  startRecovery(kit.deps);
  const switched = (auto_recover: 0 | 1) => kit.set(shop, { auto_recover });
  const received = (eventId: string) =>
    receiver.requests.filter(({ headers }) => headers['webhook-id'] === eventId).length;
  /** Moves the clock until the endpoint has received the event this often. */
  const receives = (eventId: string, times: number) =>
    kit.clock.advanceUntil(500, () => received(eventId) === times, `${times} requests of ${eventId}`);
  /** An event that the endpoint refused four times. */
  const missed = async (payment?: Payment, kind?: 'payment.failed') => {
    const made = await kit.announce(shop, payment ?? (await kit.payment(shop)), kind);
    await failed(kit, made.deliveryId);
    return made;
  };
  /** An event that the endpoint of a merchant accepted. */
  const delivered = async (of = shop) => {
    const made = await kit.announce(of, await kit.payment(of));
    await kit.reaches(made.deliveryId, 'delivered');
    return made;
  };
  return { endpoint, receiver, kit, dispatcher, shop, switched, received, receives, missed, delivered };
}

/** Starts automatic recovery by two waits, which stops with the test. */
export function startRecovery(deps: KitDeps): void {
  const settings = { ...deps.settings, autoRecoverMs: [FIRST_MS, SECOND_MS] };
  const job = createAutoRecovery({ ...deps, settings });
  onTestFinished(() => job.stop());
  job.start();
}

/** The kit of `autoRecovering` with a probe of a missed event, which nothing claims, as while the endpoint has no free slot. */
export async function probing() {
  const made = await autoRecovering();
  await made.dispatcher.stop();
  await made.switched(1);
  await reaches(made.kit, made.shop, 'idle');
  const missed = await writeDelivery(made.kit, made.shop, 'undelivered');
  await reaches(made.kit, made.shop, 'probing');
  return { ...made, event: missed.event };
}

/** The kit of `autoRecovering` with a recovery that is queued and not yet claimed when the webhook is turned off. */
export async function unclaimed() {
  const made = await autoRecovering();
  const { kit, dispatcher, shop } = made;
  await made.switched(1);
  const { eventId } = await made.missed();
  await reaches(kit, shop, 'waiting');
  await dispatcher.stop();
  await kit.clock.advance(1);
  await writeDelivery(kit, shop, 'delivered');
  await reaches(kit, shop, 'idle');
  await kit.set(shop, { webhook_enabled: 0 });
  return { ...made, eventId };
}

export const phaseOf = async (kit: Kit, shop: Shop) =>
  (await selectRows(kit.db, 'auto_recoveries', { merchant_id: shop.id }))[0]?.phase;

/** Moves the clock by half seconds until the recovery is in this phase. Returns how far. */
export async function reaches(kit: Kit, shop: Shop, phase: string | undefined): Promise<number> {
  const start = kit.clock.now();
  await until(async () => {
    if ((await phaseOf(kit, shop)) === phase) return true;
    await kit.clock.advance(500);
    return false;
  }, `the phase ${phase}`);
  return kit.clock.now() - start;
}

export const recoveries = async (kit: Kit, eventId: Id<'evt'>) =>
  (await selectRows(kit.db, 'deliveries', { event_id: eventId })).filter(
    ({ recovery_id }) => recovery_id !== null,
  );
