import type { AttemptView } from '../snapshot.ts';
import type { World } from '../world.ts';

/** How long one look at the bank may take: some requests, each as slow as the bank's deadline allows. */
const LOOK_MAX_MS = 100_000;

/** What is missing for an attempt to have ended as it did; null when the bank's answers bear it out. */
export function whyEnded(was: AttemptView, is: AttemptView, world: World): string | null {
  // A look that was under way when the clock jumped began by another time than it ended by: nothing to be told from it.
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

/** An open push: asked about after its window and grace, and answered readably. */
function whyOpenLapsed(was: AttemptView, world: World): string | null {
  const end = (was.expires_at ?? 0) + world.plan.settings.mbwayGraceMs;
  const asked = world.bank.inquiries.some(
    ({ requestId, askedByService, answer }) =>
      requestId === was.request_id && answer === 'waiting' && askedByService >= end,
  );
  return asked ? null : 'no readable answer to a question asked after its window and grace';
}

/** An unknown push: two complete reads of the list, begun after its window and grace, apart. */
function whyUnknownLapsed(was: AttemptView, world: World): string | null {
  const { mbwayGraceMs, reconcileMs } = world.plan.settings;
  const end = (was.expires_at ?? 0) + mbwayGraceMs;
  const reads = world.bank.lists
    .filter(({ filter, clear, askedByService }) => {
      const { from, to } = filter;
      if (!clear || from === undefined || to === undefined || askedByService < end) return false;
      return from <= was.created_at && was.created_at <= to;
    })
    .map(({ askedByService }) => askedByService);
  // Reads are apart by their beginnings; one of many parts asks for the newest days some time later.
  const apart = reads.some((at) => reads.some((other) => other - at >= reconcileMs / 2));
  return apart
    ? null
    : `${reads.length} complete reads of the list since its window and grace, not two apart`;
}

/** A reference: the record read about it after its last day and grace, by our id and, if that showed nothing, by the bank's. */
function whyExpired(was: AttemptView, world: World): string | null {
  const end = (was.expires_at ?? 0) + world.plan.settings.multibancoGraceMs;
  const clear = world.bank.lists.filter((list) => list.clear && list.askedByService >= end);
  const byOrder = clear.filter(({ filter }) => filter.bankOrderId === was.bank_order_id);
  const read =
    byOrder.some(({ rows }) => rows > 0) ||
    (byOrder.length > 0 && clear.some(({ filter }) => filter.requestId === was.request_id));
  return read ? null : 'no complete read about it after its last day and grace';
}

/** A no of the bank, or no connection; a reference also when its outcome was lost or came too late, since nobody was shown it. */
function whyDead(was: AttemptView, world: World): string | null {
  const outcome = world.bank.creates.get(was.bank_order_id);
  if (was.method === 'REFERENCE' || outcome === 'refused' || outcome === 'unreachable') return null;
  return `the bank's answer was ${outcome ?? 'none'}`;
}
