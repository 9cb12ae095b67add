import type Sqlite from 'better-sqlite3';
import type { TruePush } from './bank-truth.ts';
import { CHANGE_CHECKS } from './checks/change.ts';
import type { Arrival } from './endpoints.ts';
import type { Life } from './life.ts';
import { type AttemptView, type DeliveryView, EMPTY, type Snapshot, snapshotReader } from './snapshot.ts';
import type { World } from './world.ts';

const LIVE = ['initiated', 'open', 'unknown'];
const SENDS_MAX = 5;

interface Eye {
  changes(): number;
  read(): Snapshot;
}

/**
 * Looks at the database after every unit of work, inside the commit that carries it, and at what reaches the bank and the
 * endpoints, and holds all of it against the promises.
 */
export class Watch {
  /** After the newest unit. */
  state: Snapshot = EMPTY;
  #committed: Snapshot = EMPTY;
  #changes = -1;
  #eye: Eye | null = null;
  readonly #world: World;
  readonly #sends = new Map<string, number>();
  readonly #bodies = new Map<string, string>();
  /** Deliveries that the last death cut, with the attempts counted by then. */
  #cut = new Map<string, number>();
  readonly #shown = new Map<string, { reference: string; expiresAt: string }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** A new life begins: it must find what the one before had committed, all of it and nothing else. */
  lifeBegins(life: Life): void {
    this.#eye = eyeOf(life.storage.writer);
    this.#changes = -1;
    const found = snapshotReader(life.storage.committed)();
    if (!same(found, this.#committed))
      this.#fail('what was committed is there after a restart', 'the file differs');
    this.state = found;
    const cut = life.storage.committed.prepare(
      "select id, attempts_count as count from deliveries where state = 'due' and claim_token is not null",
    );
    this.#cut = new Map((cut.all() as { id: string; count: number }[]).map(({ id, count }) => [id, count]));
  }

  /** The service has started and come to a halt: what a death had cut is on its way again, whatever its lease says. */
  started(): void {
    for (const [id, count] of this.#cut) {
      const delivery = this.state.deliveries.get(id);
      if (delivery?.state === 'due' && delivery.attempts_count === count) {
        this.#fail('nothing waits for a lease after a restart', id);
      }
    }
    this.#cut.clear();
  }

  /** A unit did its work and is about to be committed with its neighbours. */
  unitDone(life: Life): void {
    const eye = this.#eye;
    const changes = eye?.changes() ?? 0;
    if (eye === null || changes === this.#changes) return;
    this.#changes = changes;
    const before = this.state;
    this.state = eye.read();
    const change = { before, after: this.state, now: life.deps.clock.now(), world: this.#world };
    for (const { name, faults } of CHANGE_CHECKS) {
      for (const fault of faults(change)) this.#fail(name, fault);
    }
    this.#traceChange(before, this.state);
  }

  /** What units did so far is committed. */
  committed(): void {
    this.#committed = this.state;
  }

  /** A create is about to leave: its attempt must be on disk, its order id new. */
  createLeaves(orderId: string): void {
    const attempt = attemptOfOrder(this.#committed, orderId);
    if (attempt?.state !== 'initiated') {
      this.#fail('an attempt is committed before the bank is called', `${orderId} is ${attempt?.state}`);
    }
    if (this.#world.bank.creates.has(orderId)) this.#fail('a bank order id is never repeated', orderId);
  }

  /** The bank takes a push: no other of the same transaction may be alive there. */
  pushCreated(push: TruePush): void {
    const transactionId = attemptOfOrder(this.state, push.orderId)?.transaction_id;
    const { time, plan } = this.#world;
    for (const other of this.#world.bank.pushes) {
      if (other.state !== 'waiting') continue;
      if (attemptOfOrder(this.state, other.orderId)?.transaction_id !== transactionId) continue;
      // A clock that jumped may take a push for older than it is; no service can know better.
      const alive =
        time.now < other.createdAt + plan.settings.mbwayWindowMs &&
        this.#world.serviceNow() < other.createdByService + plan.settings.mbwayWindowMs;
      if (alive)
        this.#fail('no second push while one may be alive', `${push.orderId} beside ${other.orderId}`);
    }
  }

  /** A merchant was told that the push is out. */
  pushConfirmed(transactionId: string): void {
    const ids = new Set(this.#world.bank.pushes.map((push) => push.orderId));
    const attempts = [...this.#committed.attempts.values()];
    if (
      !attempts.some((attempt) => attempt.transaction_id === transactionId && ids.has(attempt.bank_order_id))
    ) {
      this.#fail('a push that was confirmed is at the bank', transactionId);
    }
  }

  /** A merchant was told a reference: one that the bank knows, and the same one while it can be paid. */
  referenceShown(
    transactionId: string,
    shown: { entity: string; reference: string; expiresAt: string },
  ): void {
    const known = this.#world.bank.references.find(({ reference }) => reference === shown.reference);
    const attempt = known === undefined ? undefined : attemptOfOrder(this.#committed, known.orderId);
    if (attempt?.transaction_id !== transactionId) {
      this.#fail('a reference that was shown can be paid', `${shown.reference} of ${transactionId}`);
    }
    const before = this.#shown.get(transactionId);
    const usable = before !== undefined && Date.parse(before.expiresAt) >= this.#world.serviceNow();
    if (usable && before.reference !== shown.reference && this.#world.skewMs === 0) {
      this.#fail(
        'a second call shows the same live reference',
        `${before.reference}, then ${shown.reference}`,
      );
    }
    this.#shown.set(transactionId, shown);
  }

  /** A request reached an endpoint. */
  arrives({ deliveryId, eventId, transactionId, body }: Arrival): void {
    const delivery = this.#committed.deliveries.get(deliveryId);
    if (delivery === undefined || !this.#committed.events.has(eventId)) {
      this.#fail('nothing is announced before it is committed', deliveryId);
      return;
    }
    if ((this.#committed.events.get(eventId)?.sequence ?? null) === null) {
      this.#fail('an event has its number before it is sent', eventId);
    }
    const sends = (this.#sends.get(deliveryId) ?? 0) + 1;
    this.#sends.set(deliveryId, sends);
    if (sends > SENDS_MAX) this.#fail('at most 5 sends of a delivery', `${deliveryId}: ${sends}`);
    if (delivery.state !== 'due')
      this.#fail('what is finished is not sent', `${deliveryId} is ${delivery.state}`);
    if ((this.#bodies.get(eventId) ?? body) !== body)
      this.#fail('an event has the same bytes each time', eventId);
    this.#bodies.set(eventId, body);
    const ahead = this.#unfinishedBefore(delivery, transactionId);
    if (ahead !== undefined) {
      this.#fail('events of one transaction arrive in order', `${deliveryId} overtakes ${ahead.id}`);
    }
  }

  #unfinishedBefore(delivery: DeliveryView, transactionId: string): DeliveryView | undefined {
    const position = delivery.lane_position;
    if (position === null) return undefined;
    return [...this.#committed.deliveries.values()].find(
      (other) =>
        other.transaction_id === transactionId &&
        other.state === 'due' &&
        (other.recovery_id === null) === (delivery.recovery_id === null) &&
        other.lane_position !== null &&
        other.lane_position < position,
    );
  }

  /** When something in the database falls due after `now`, by the service's clock; Infinity when nothing does. */
  nextDueAt(now: number): number {
    const { life } = this.#world;
    return life === null ? Number.POSITIVE_INFINITY : dueReader(life.storage.committed)(now);
  }

  /** True when nothing is left to be done: nothing live, nothing pending, nothing to send, no money unrecorded. */
  isQuiet(): boolean {
    const { transactions, attempts, deliveries, receipts } = this.state;
    return (
      receipts.size >= this.#world.bank.money.length &&
      ![...attempts.values()].some((attempt) => LIVE.includes(attempt.state)) &&
      ![...transactions.values()].some((row) => row.status === 'pending' && row.held === 0) &&
      ![...deliveries.values()].some((delivery) => delivery.state === 'due')
    );
  }

  #traceChange(before: Snapshot, after: Snapshot): void {
    const world = this.#world;
    for (const [id, row] of after.transactions) {
      const was = before.transactions.get(id);
      if (was?.status === row.status && was.held === row.held) continue;
      world.note('transaction', `${id} ${was?.status ?? '-'} → ${row.status}${row.held ? ' (held)' : ''}`);
      world.count(`transaction ${row.held ? 'held' : row.status}`);
      if (row.status === 'failed' || row.status === 'cancelled') {
        const own = [...after.attempts.values()].filter((attempt) => attempt.transaction_id === id);
        world.shoppers.sawOver(new Set(own.map((attempt) => attempt.bank_order_id)));
      }
    }
    for (const [id, row] of after.attempts) {
      const was = before.attempts.get(id);
      if (was?.state === row.state) continue;
      world.note('attempt', `${row.bank_order_id} ${row.method} ${was?.state ?? '-'} → ${row.state}`);
      world.count(`attempt ${row.state}`);
    }
    for (const [id, row] of after.receipts) {
      if (before.receipts.has(id)) continue;
      const flags = (['late', 'duplicate', 'under', 'over', 'unmatched'] as const).filter(
        (flag) => row[flag] === 1,
      );
      world.note('receipt', `${row.identity} ${row.amount_cents} ${flags.join(' ')}`);
      for (const flag of flags) world.count(`receipt ${flag}`);
      if (row.under === 1) world.operator.sawUnder();
    }
    for (const [id, row] of after.deliveries) {
      const was = before.deliveries.get(id);
      if (was?.state === row.state && was.attempts_count === row.attempts_count) continue;
      world.note('delivery', `${id} ${row.state} after ${row.attempts_count}`);
      if (was?.state !== row.state) world.count(`delivery ${row.state}`);
    }
  }

  #fail(name: string, what: string): void {
    this.#world.fail(name, what);
  }
}

function attemptOfOrder(state: Snapshot, orderId: string): AttemptView | undefined {
  for (const attempt of state.attempts.values()) if (attempt.bank_order_id === orderId) return attempt;
  return undefined;
}

function eyeOf(writer: Sqlite.Database): Eye {
  const changes = writer.prepare('select total_changes()').pluck();
  return { changes: () => changes.get() as number, read: snapshotReader(writer) };
}

const dueReaders = new WeakMap<Sqlite.Database, (now: number) => number>();

function dueReader(handle: Sqlite.Database): (now: number) => number {
  const known = dueReaders.get(handle);
  if (known !== undefined) return known;
  const statement = handle
    .prepare(
      `select min(at) from (
        select min(check_at) as at from attempts where state in ('open', 'initiated') and check_at > :now
        union all select min(next_attempt_at) from deliveries where state = 'due' and next_attempt_at > :now
        union all select min(check_at) from bank_hints where check_at > :now
        union all select min(deadline_at) from transactions where deadline_at > :now)`,
    )
    .pluck();
  const reader = (now: number) => (statement.get({ now }) as number | null) ?? Number.POSITIVE_INFINITY;
  dueReaders.set(handle, reader);
  return reader;
}

function same(a: Snapshot, b: Snapshot): boolean {
  return JSON.stringify(flat(a)) === JSON.stringify(flat(b));
}

function flat({ transactions, attempts, receipts, events, deliveries, holds }: Snapshot): unknown {
  const tables = [transactions, attempts, receipts, events, deliveries];
  return [...tables.map((table) => [...table].sort(([x], [y]) => (x < y ? -1 : 1))), [...holds].sort()];
}
