import type { AttemptView } from '../snapshot.ts';
import type { World } from '../world.ts';

/** The longest check at the bank: several requests, each as slow as the timeout allows. */
const LOOK_MAX_MS = 100_000;

/** Returns which evidence is missing for the end of an attempt, or null. */
export function whyEnded(was: AttemptView, is: AttemptView, world: World): string | null {
  // A check during a clock jump proves nothing.
  const jumped = world.time.now - world.jumpedAt < LOOK_MAX_MS;
  switch (is.state) {
    case 'rejected':
    case 'declined':
      return pushOf(is, world)?.state === is.state ? null : 'the bank knows nothing of it';
    case 'lapsed':
      if (was.state === 'open') return whyOpenLapsed(was, world);
      return jumped ? null : whyUnknownLapsed(was, world);
    case 'expired':
      return jumped ? null : whyExpired(was, world);
    case 'dead':
      return whyDead(was, world);
    default:
      return null;
  }
}

function pushOf(attempt: AttemptView, world: World) {
  return world.bank.pushes.find((push) => push.orderId === attempt.bank_order_id);
}

/** An open push lapses on a readable answer after its window and grace. */
function whyOpenLapsed(was: AttemptView, world: World): string | null {
  const end = (was.expires_at ?? 0) + world.scenario.settings.mbwayGraceMs;
  const asked = world.bank.inquiries.some(
    ({ requestId, askedByService, answer }) =>
      requestId === was.request_id && answer === 'waiting' && askedByService >= end,
  );
  return asked ? null : 'no readable answer to a question asked after its window and grace';
}

/** An unknown push lapses after two separate complete reads of the list, started after its window and grace. */
function whyUnknownLapsed(was: AttemptView, world: World): string | null {
  const { mbwayGraceMs, reconcileMs } = world.scenario.settings;
  const end = (was.expires_at ?? 0) + mbwayGraceMs;
  const reads = world.bank.lists
    .filter(({ filter, clear, askedByService }) => {
      const { from, to } = filter;
      if (!clear || from === undefined || to === undefined || askedByService < end) return false;
      return from <= was.created_at && was.created_at <= to;
    })
    .map(({ askedByService }) => askedByService);
  // The interval is measured between starts; a read of many parts requests the newest days later.
  const apart = reads.some((at) => reads.some((other) => other - at >= reconcileMs / 2));
  return apart
    ? null
    : `${reads.length} complete reads of the list since its window and grace, not two apart`;
}

/** A reference expires after a read of the list past its last day and grace, by order id and, if empty, by request id. */
function whyExpired(was: AttemptView, world: World): string | null {
  const end = (was.expires_at ?? 0) + world.scenario.settings.multibancoGraceMs;
  const clear = world.bank.lists.filter((list) => list.clear && list.askedByService >= end);
  const byOrder = clear.filter(({ filter }) => filter.bankOrderId === was.bank_order_id);
  const read =
    byOrder.some(({ rows }) => rows > 0) ||
    (byOrder.length > 0 && clear.some(({ filter }) => filter.requestId === was.request_id));
  return read ? null : 'no complete read about it after its last day and grace';
}

/** A refusal or no connection; a reference also when its outcome is unknown, since it was never shown. */
function whyDead(was: AttemptView, world: World): string | null {
  const outcome = world.bank.creates.get(was.bank_order_id);
  if (was.method === 'REFERENCE' || outcome === 'refused' || outcome === 'unreachable') return null;
  return `the bank's answer was ${outcome ?? 'none'}`;
}
