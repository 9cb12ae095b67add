import { isDeepStrictEqual } from 'node:util';
import type { TruePush } from './bank-state.ts';
import { ACCOUNT_CHECKS } from './checks/accounts.ts';
import { ATTEMPT_CHECKS } from './checks/attempts.ts';
import type { ChangeChecks } from './checks/change.ts';
import { EVENT_CHECKS } from './checks/events.ts';
import { MAIL_CHECKS } from './checks/mails.ts';
import { RECEIPT_CHECKS } from './checks/receipts.ts';
import { RECOVERY_CHECKS, recoverable } from './checks/recovery.ts';
import { REFUND_CHECKS } from './checks/refunds.ts';
import { SESSION_CHECKS } from './checks/sessions.ts';
import { TRANSACTION_CHECKS } from './checks/transactions.ts';
import type { Arrival } from './endpoints.ts';
import type { Service } from './service.ts';
import {
  attemptOfOrder,
  attemptsOf,
  type DeliveryView,
  dueReader,
  EMPTY,
  isLive,
  type Snapshot,
  snapshotReader,
} from './snapshot.ts';
import { traceChange } from './trace-change.ts';
import type { World } from './world.ts';

const CHANGE_CHECKS: ChangeChecks = {
  ...RECEIPT_CHECKS,
  ...TRANSACTION_CHECKS,
  ...EVENT_CHECKS,
  ...ATTEMPT_CHECKS,
  ...REFUND_CHECKS,
  ...ACCOUNT_CHECKS,
  ...SESSION_CHECKS,
  ...MAIL_CHECKS,
  ...RECOVERY_CHECKS,
};
const UNDER_WAY = new Set(['requested', 'sent', 'accepted']);
const SENDS_MAX = 5;

/**
 * Checks the invariants after every unit of work, before its commit, and on every request that reaches the bank and the
 * endpoints.
 */
export class Monitor {
  /** The state after the latest unit of work. */
  state: Snapshot = EMPTY;
  /** The committed state. */
  stored: Snapshot = EMPTY;
  #changes = -1;
  #isBegun = false;
  #readDue = (_now: number) => Number.POSITIVE_INFINITY;
  #read = () => EMPTY;
  /** Counts the rows that the service's connection has changed. */
  #countChanges = () => 0;
  readonly #world: World;
  readonly #sends = new Map<string, number>();
  readonly #bodies = new Map<string, string>();
  /** Deliveries interrupted by the last crash. */
  #interrupted: DeliveryView[] = [];
  readonly #shown = new Map<string, { reference: string; expiresAt: string; at: number }>();

  constructor(world: World) {
    this.#world = world;
  }

  /** Checks that a new process finds exactly what was committed. */
  opened(service: Service): void {
    const { writer } = service.storage;
    this.#read = snapshotReader(writer);
    const changes = writer.prepare<[], number>('select total_changes()').pluck();
    this.#countChanges = () => changes.get() ?? 0;
    this.#changes = -1;
    this.#isBegun = false;
    this.#readDue = dueReader(service.storage.committed);
    const found = snapshotReader(service.storage.committed)();
    if (!isDeepStrictEqual(found, this.stored))
      this.#fail('what was committed is there after a restart', 'the file differs');
    this.state = found;
    this.#interrupted = [...found.deliveries.values()].filter(
      ({ state, claim_token }) => state === 'due' && claim_token !== null,
    );
  }

  /** Checks after a start that interrupted deliveries are sent again without waiting for their leases. */
  started(): void {
    for (const { id, attempts_count } of this.#interrupted) {
      const delivery = this.state.deliveries.get(id);
      if (delivery?.state === 'due' && delivery.attempts_count === attempts_count)
        this.#fail('nothing waits for a lease after a restart', id);
    }
    this.#interrupted = [];
  }

  /** Reads the state again after a unit that failed, because the units that share its commit were rolled back as well. */
  transactionBegins(): void {
    if (this.#isBegun) {
      this.state = this.#read();
      this.#changes = this.#countChanges();
    }
    this.#isBegun = true;
  }

  /** Checks the change of a unit of work that is about to be committed. */
  transactionDone(service: Service): void {
    this.#isBegun = false;
    const changes = this.#countChanges();
    if (changes === this.#changes) return;
    this.#changes = changes;
    const before = this.state;
    this.state = this.#read();
    const change = { before, after: this.state, now: service.deps.clock.now(), world: this.#world };
    for (const [name, faults] of Object.entries(CHANGE_CHECKS))
      for (const fault of faults(change)) this.#fail(name, fault);
    traceChange(this.#world, before, this.state);
  }

  committed(): void {
    this.stored = this.state;
  }

  /** Checks before a create is sent: its attempt is committed and has this amount, its order id is new. */
  checkCreate(orderId: string, amount: number): void {
    const attempt = attemptOfOrder(this.stored, orderId);
    if (attempt?.state !== 'initiated') {
      this.#fail('an attempt is committed before the bank is called', `${orderId} is ${attempt?.state}`);
    }
    if (attempt?.amount_cents !== amount)
      this.#fail('the bank is asked for the amount of an attempt', `${orderId}: ${amount}`);
    if (this.#world.bank.creates.has(orderId)) this.#fail('a bank order id is never repeated', orderId);
  }

  /** Checks before a refund is sent: the call is committed, and it is the only one. */
  checkRefund(id: string, accountId: string): void {
    const { state, account_id } = this.stored.refunds.get(id) ?? {};
    if (account_id !== accountId) this.#fail('a refund keeps its account', `${id} goes to ${accountId}`);
    if (state !== 'sent') this.#fail('a refund is committed before the bank is called', `${id} is ${state}`);
    if (this.#world.bank.refunds.calls.has(id)) this.#fail('no refund is sent twice', id);
  }

  /** Checks that no other push of the transaction, or of its session, is open when the bank accepts one. */
  pushCreated(push: TruePush): void {
    const sale = this.#saleOf(push);
    const { time, scenario } = this.#world;
    for (const other of this.#world.bank.pushes) {
      if (other.state !== 'waiting') continue;
      if (this.#saleOf(other) !== sale) continue;
      // After a clock jump the service may overestimate the age of a push.
      const alive =
        time.now < other.createdAt + scenario.settings.mbwayWindowMs &&
        this.#world.serviceNow() < other.createdByService + scenario.settings.mbwayWindowMs;
      if (alive)
        this.#fail('no second push while one may be alive', `${push.orderId} while ${other.orderId} is open`);
    }
  }

  #saleOf({ orderId }: TruePush): string | undefined {
    const id = attemptOfOrder(this.state, orderId)?.transaction_id;
    return this.state.transactions.get(id ?? '')?.session_id ?? id;
  }

  pushConfirmed(transactionId: string): void {
    const ids = new Set(this.#world.bank.pushes.map((push) => push.orderId));
    if (!attemptsOf(this.stored, transactionId).some((attempt) => ids.has(attempt.bank_order_id))) {
      this.#fail('a push that was confirmed is at the bank', transactionId);
    }
  }

  /** Checks a reference shown to a merchant: it exists at the bank, and it stays the same while it can be paid. */
  referenceShown(
    transactionId: string,
    shown: { entity: string; reference: string; expiresAt: string },
    calledAt: number,
  ): void {
    const { time } = this.#world;
    const known = this.#world.bank.references.find(({ reference }) => reference === shown.reference);
    const attempt = attemptOfOrder(this.stored, known?.orderId);
    if (attempt?.transaction_id !== transactionId) {
      this.#fail('a reference that was shown can be paid', `${shown.reference} of ${transactionId}`);
    }
    const before = this.#shown.get(transactionId);
    const isUsable = ({ expiresAt }: { expiresAt: string }) =>
      Date.parse(expiresAt) >= this.#world.serviceNow();
    // The answer of an earlier call, whose reference has expired while a commit was slow.
    if (before !== undefined && calledAt < before.at && !isUsable(shown)) return;
    const usable = before !== undefined && isUsable(before);
    if (usable && before.reference !== shown.reference && this.#world.skewMs === 0) {
      const what = `${before.reference}, then ${shown.reference}`;
      this.#fail('a second call shows the same live reference', what);
    }
    this.#shown.set(transactionId, { ...shown, at: time.now });
  }

  arrives({ deliveryId, eventId, transactionId, body }: Arrival): void {
    const delivery = this.stored.deliveries.get(deliveryId);
    if (delivery === undefined || !this.stored.events.has(eventId)) {
      this.#fail('nothing is announced before it is committed', deliveryId);
      return;
    }
    if ((this.stored.events.get(eventId)?.sequence ?? null) === null) {
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
    return [...this.stored.deliveries.values()].find(
      (other) =>
        other.transaction_id === transactionId &&
        other.state === 'due' &&
        (other.recovery_id === null) === (delivery.recovery_id === null) &&
        other.lane_position !== null &&
        other.lane_position < position,
    );
  }

  /** Returns the time of the next due row after `now`, by the service's clock, or Infinity. */
  nextDueAt(now: number): number {
    return this.#world.service === null ? Number.POSITIVE_INFINITY : this.#readDue(now);
  }

  /** Counts the work that must end before the run may end. */
  unfinished() {
    const { transactions, attempts, deliveries, receipts, refunds, mails } = this.state;
    const count = <Row>(table: ReadonlyMap<string, Row>, isOpen: (row: Row) => boolean) =>
      [...table.values()].filter(isOpen).length;
    return {
      attempts: count(attempts, isLive),
      transactions: count(transactions, ({ status, held }) => status === 'pending' && held === 0),
      deliveries: count(deliveries, ({ state }) => state === 'due'),
      refunds: count(refunds, ({ state }) => UNDER_WAY.has(state)),
      mails: count(mails, ({ state }) => state === 'queued'),
      recoveries: recoverable(this.#world).filter(({ isResting }) => !isResting).length,
      payments: Math.max(0, this.#world.bank.money.length - receipts.size),
    };
  }

  isQuiet(): boolean {
    return Object.values(this.unfinished()).every((count) => count === 0);
  }

  #fail(name: string, what: string): void {
    this.#world.fail(name, what);
  }
}
