import type { DeliveryView, Snapshot } from '../snapshot.ts';
import type { ShopId, World } from '../world.ts';
import type { Change, ChangeChecks } from './change.ts';
import type { EndChecks } from './end.ts';

/** The number of successes of an endpoint after which recovery stops sending an event that the endpoint never accepts. */
const RELEASES_MAX = 3;

export const RECOVERY_CHECKS: ChangeChecks = {
  *'automatic recovery takes what is missed, never what a later event overtook'(change) {
    for (const { shop, taken, missed, succeeded } of newRecoveries(change)) {
      if (succeeded !== 'unknown')
        change.world.count(succeeded === 'never' ? 'recovery try' : 'recovery release');
      const merchant = change.before.merchants.get(shop);
      if (merchant?.auto_recover !== 1 || merchant.webhook_enabled !== 1) yield `${shop} does not recover`;
      const ids = new Set(missed.map(({ eventId }) => eventId));
      for (const { event_id } of taken) if (!ids.has(event_id)) yield `${event_id} is not missed`;
    }
  },

  *'before a success only the oldest missed event is tried, after a wait'(change) {
    const { before, now, world } = change;
    for (const { shop, taken, missed, succeeded } of newRecoveries(change)) {
      if (succeeded !== 'never') continue;
      // Events that ended at one instant are equally old.
      const equal = missed.filter(({ firstAt }) => firstAt === missed[0]?.firstAt);
      const oldest = equal.find(({ eventId }) => eventId === taken[0]?.event_id) ?? missed[0];
      if (taken.length !== 1 || taken[0]?.event_id !== oldest?.eventId)
        yield `${taken.map(({ event_id }) => event_id).join(', ')}, not ${oldest?.eventId}`;
      const tries = [...before.deliveries.values()].filter(
        (row) => row.event_id === oldest?.eventId && isAutomatic(before, row, world),
      );
      const lastEnd = Math.max(startOf(before, shop, missed), ...tries.map((row) => row.finished_at ?? 0));
      const [wait = 0] = world.scenario.settings.autoRecoverMs;
      // While an operator resends an older event, the wait that began with that event still counts.
      if (now < lastEnd + wait && !isResent(before, shop) && !isAmbiguous(lastEnd, world))
        yield `${oldest?.eventId} was tried ${now - lastEnd} ms after the last end`;
    }
  },

  *'a success releases every missed event'(change) {
    for (const { shop, succeeded } of newRecoveries(change)) {
      const left = succeeded === 'since' ? missedEvents(change.after, shop, change.world) : [];
      for (const { eventId } of left) yield `${eventId} of ${shop} was not released`;
    }
  },

  *'a fresh event never waits behind a recovered one'({ after }) {
    const due = [...after.deliveries.values()].filter(({ state }) => state === 'due');
    for (const row of due) {
      const waitsFor = (other: DeliveryView) =>
        other.transaction_id === row.transaction_id &&
        other.recovery_id === null &&
        (other.lane_position ?? Number.POSITIVE_INFINITY) < (row.lane_position ?? 0);
      if (row.recovery_id === null && row.blocked !== 0 && !due.some(waitsFor))
        yield `${row.id} waits for nothing that is fresh`;
    }
  },
};

export const RECOVERY_END_CHECKS: EndChecks = {
  *'nothing recoverable stays undelivered at a healthy endpoint'(world) {
    for (const { shop, eventId } of recoverable(world)) yield `${eventId} of ${shop}`;
  },
};

interface Missed {
  eventId: string;
  /** The times at which its first and its last delivery ended. */
  firstAt: number;
  lastAt: number;
}

/** The missed events of a shop that automatic recovery delivers, the oldest first. */
function missedEvents({ events, deliveries }: Snapshot, shop: string, { scenario }: World): Missed[] {
  const recoveriesMax = scenario.settings.autoRecoverMs.length + RELEASES_MAX;
  const byEvent = Map.groupBy(deliveries.values(), ({ event_id }) => event_id as string);
  const isDelivered = (id: string) => byEvent.get(id)?.some(({ state }) => state === 'delivered') === true;
  const overtaken = new Set<string>();
  const missed: Missed[] = [];
  for (const { id, transaction_id: transaction, kind, merchant_id } of [...events.values()].reverse()) {
    const own = byEvent.get(id) ?? [];
    const isOvertaken = overtaken.has(transaction ?? '');
    if (isDelivered(id) && transaction !== null) overtaken.add(transaction);
    if (merchant_id !== shop || kind === 'webhook.test' || isOvertaken) continue;
    if (own.some(({ state }) => state === 'delivered' || state === 'due')) continue;
    const ends = own.filter(({ state }) => state === 'undelivered').map((row) => row.finished_at ?? 0);
    const recoveries = own.filter(({ recovery_id }) => recovery_id !== null);
    if (ends.length > 0 && recoveries.length < recoveriesMax)
      missed.push({ eventId: id, firstAt: Math.min(...ends), lastAt: Math.max(...ends) });
  }
  return missed.sort((a, b) => a.firstAt - b.firstAt);
}

/** The start of the first wait: the oldest miss, or the time when recovery was turned on if that is later. */
function startOf({ auto_recoveries: states }: Snapshot, shop: string, [oldest]: Missed[]): number {
  return Math.max(oldest?.firstAt ?? 0, states.get(shop)?.since_at ?? 0);
}

/** Whether the service's clock showed this time twice, because it was set back: the order of events around it is unknown. */
function isAmbiguous(at: number, { backwardJumps }: World): boolean {
  return backwardJumps.some(({ from, to }) => at > to && at <= from);
}

interface Taken {
  shop: string;
  taken: DeliveryView[];
  missed: Missed[];
  /** A delivery succeeded after the first miss of the outage, or after all of them; `unknown` after the clock was set back. */
  succeeded: 'never' | 'once' | 'since' | 'unknown';
}

/** The deliveries that automatic recovery made in this unit, by shop. */
function* newRecoveries({ before, after, world }: Change): Iterable<Taken> {
  if (before.deliveries.size === after.deliveries.size) return;
  const made = [...after.deliveries.values()].filter(
    (row) => !before.deliveries.has(row.id) && isAutomatic(after, row, world),
  );
  for (const [shop, taken] of Map.groupBy(made, ({ merchant_id }) => merchant_id as string)) {
    const missed = missedEvents(before, shop, world);
    const delivered = [...before.deliveries.values()].filter(
      (row) => row.merchant_id === shop && row.state === 'delivered',
    );
    const successAt = Math.max(0, ...delivered.map((row) => row.finished_at ?? 0));
    const firstAt = startOf(before, shop, missed);
    const lastAt = Math.max(firstAt, ...missed.map((event) => event.lastAt));
    const { missed_at = null, since_at = 0 } = before.auto_recoveries.get(shop) ?? {};
    // The event that began the outage may be the delivered one.
    const outageAt = Math.min(firstAt, Math.max(missed_at ?? firstAt, since_at));
    const isUnknown = [firstAt, lastAt, successAt, outageAt].some((at) => isAmbiguous(at, world));
    const order = successAt > lastAt ? 'since' : successAt > outageAt ? 'once' : 'never';
    yield { shop, taken, missed, succeeded: isUnknown ? 'unknown' : order };
  }
}

/** Whether automatic recovery made the delivery, and not an operator. */
function isAutomatic({ recoveries }: Snapshot, { recovery_id }: DeliveryView, world: World): boolean {
  return recovery_id !== null && recoveries.get(recovery_id)?.since_at !== world.operator.recoversSince;
}

/** Whether an undelivered event of the shop is being delivered again. */
function isResent({ deliveries }: Snapshot, shop: string): boolean {
  const own = [...deliveries.values()].filter(({ merchant_id }) => merchant_id === shop);
  const undelivered = new Set(own.filter(({ state }) => state === 'undelivered').map((row) => row.event_id));
  return own.some(({ state, event_id }) => state === 'due' && undelivered.has(event_id));
}

/** The missed events of shops with automatic recovery and a working endpoint. */
export function recoverable(world: World): { shop: ShopId; isResting: boolean; eventId: string }[] {
  const { state } = world.monitor;
  return world.shops.flatMap(({ id: shop, host }) => {
    const merchant = state.merchants.get(shop);
    const isOff = merchant?.auto_recover !== 1 || merchant.webhook_enabled !== 1;
    if (isOff || host === world.endpoints.brokenHost) return [];
    const isResting = state.auto_recoveries.get(shop)?.phase === 'resting';
    return missedEvents(state, shop, world).map(({ eventId }) => ({ shop, isResting, eventId }));
  });
}
