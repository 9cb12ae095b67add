import { verifyCallback } from '../../../src/banks/ifthenpay/callback.ts';
import {
  type Bank,
  type BankAccount,
  type BankRecord,
  BankUnavailable,
  type CreateFailure,
  type ListFilter,
  type PaymentList,
  type PushOrder,
  type PushOutcome,
  type PushState,
  type ReferenceOrder,
  type ReferenceOutcome,
} from '../../../src/banks/port.ts';
import type { Clock } from '../../../src/kernel/clock.ts';
import { lisbonEndOfDay } from '../../../src/kernel/lisbon.ts';
import type { Cents } from '../../../src/kernel/money.ts';

/** What the bank makes of a create: taken or not, and whether its answer arrives, never arrives, or waits for `release`. */
export const CREATES = [
  'accepted',
  'phone',
  'refused',
  'unreachable',
  'taken-unanswered',
  'lost',
  'taken-hanging',
  'lost-hanging',
] as const;
export type Create = (typeof CREATES)[number];

export interface SimPush {
  requestId: string;
  orderId: string;
  amount: Cents;
  account: BankAccount;
  createdAt: number;
  state: 'waiting' | 'paid' | 'rejected' | 'declined';
  finalAt: number | null;
}

export interface SimReference {
  requestId: string;
  orderId: string;
  amount: Cents;
  account: BankAccount;
  entity: string;
  reference: string;
  expiresAt: number;
}

/** Money that the bank received. */
export interface SimRow extends BankRecord {
  paidAt: number;
  /** From when the bank's list shows it. */
  shownFrom: number;
  owner: BankAccount;
  /** The order that was paid; null for money that is none of ours. */
  paidOrder: string | null;
}

interface Answered<T> {
  at: number;
  /** When the answer reached the service; null while it hangs. */
  deliveredAt: number | null;
  value: T;
}

/** A bank in memory that behaves as told and remembers everything that was asked and answered. */
export class SimBank implements Bank {
  readonly clock: Clock;
  next: Create = 'accepted';
  silentInquiries = false;
  silentLists = false;
  unreadableRow = false;
  hangingInquiries = 0;
  inFlight = 0;
  readonly pushes: SimPush[] = [];
  readonly references: SimReference[] = [];
  readonly rows: SimRow[] = [];
  readonly creates: { method: 'MBWAY' | 'REFERENCE'; orderId: string; at: number }[] = [];
  readonly inquiries: (Answered<PushState> & { requestId: string })[] = [];
  readonly lists: { at: number; filter: ListFilter; rows: SimRow[]; clear: boolean; key: string }[] = [];
  #hanging: (() => void)[] = [];
  #count = 0;

  constructor(clock: Clock) {
    this.clock = clock;
  }

  async createPush(account: BankAccount, push: PushOrder): Promise<PushOutcome> {
    this.creates.push({ method: 'MBWAY', orderId: push.bankOrderId, at: this.clock.now() });
    const create = this.next;
    this.next = 'accepted';
    const failure = failureOf(create);
    if (failure) return failure;
    if (create.startsWith('lost')) return this.#answer<PushOutcome>(create, unknown);
    const requestId = this.#token('req');
    this.pushes.push({
      ...{ requestId, orderId: push.bankOrderId, amount: push.amount, account },
      ...{ createdAt: this.clock.now(), state: 'waiting', finalAt: null },
    });
    if (create === 'taken-unanswered') return unknown;
    return this.#answer<PushOutcome>(create, { kind: 'accepted', requestId });
  }

  async createReference(account: BankAccount, order: ReferenceOrder): Promise<ReferenceOutcome> {
    this.creates.push({ method: 'REFERENCE', orderId: order.bankOrderId, at: this.clock.now() });
    const create = this.next;
    this.next = 'accepted';
    const failure = failureOf(create);
    if (failure) return failure;
    if (create.startsWith('lost')) return this.#answer<ReferenceOutcome>(create, unknown);
    const reference: SimReference = {
      ...{ requestId: this.#token('req'), orderId: order.bankOrderId, amount: order.amount, account },
      ...{ entity: '11990', reference: String(100_000_000 + this.references.length) },
      expiresAt: lisbonEndOfDay(this.clock.now(), order.expiryDays),
    };
    this.references.push(reference);
    if (create === 'taken-unanswered') return unknown;
    const { requestId, entity, reference: digits, expiresAt } = reference;
    return this.#answer<ReferenceOutcome>(create, {
      ...{ kind: 'accepted', requestId, entity, reference: digits, expiresAt },
    });
  }

  async inquirePush(_account: BankAccount, requestId: string): Promise<PushState> {
    if (this.silentInquiries) throw new BankUnavailable('told to be silent');
    const push = this.pushes.find((known) => known.requestId === requestId);
    const value = pushState(push);
    const asked: (typeof this.inquiries)[number] = {
      ...{ requestId, at: this.clock.now(), deliveredAt: null, value },
    };
    this.inquiries.push(asked);
    if (this.hangingInquiries > 0) {
      this.hangingInquiries -= 1;
      await this.#hang();
    }
    asked.deliveredAt = this.clock.now();
    return value;
  }

  async listPayments(account: BankAccount, filter: ListFilter): Promise<PaymentList> {
    if (this.silentLists) throw new BankUnavailable('told to be silent');
    const now = this.clock.now();
    const key = account.credentials.backofficeKey;
    const rows = this.rows.filter(
      (row) =>
        row.owner.credentials.backofficeKey === key &&
        row.shownFrom <= now &&
        (filter.bankOrderId === undefined || row.bankOrderId === filter.bankOrderId) &&
        (filter.requestId === undefined || row.requestId === filter.requestId) &&
        (filter.from === undefined || row.paidAt >= filter.from) &&
        (filter.to === undefined || row.paidAt <= filter.to),
    );
    this.lists.push({ at: now, filter, rows, clear: !this.unreadableRow, key });
    const records = rows.map(({ owner, shownFrom, paidOrder, ...record }) => record);
    return { records, complete: !this.unreadableRow };
  }

  async registerCallback(): Promise<void> {}
  verifyCallback = verifyCallback;

  /** The customer answers a push in the app. */
  answer(
    push: SimPush,
    act: 'paid' | 'rejected' | 'declined',
    lagMs: number,
    mangled = false,
  ): SimRow | null {
    if (push.state !== 'waiting') return null;
    push.state = act;
    push.finalAt = this.clock.now();
    if (act !== 'paid') return null;
    const row = this.#receive(`push:${push.requestId}`, 'MBWAY', push, push.amount, lagMs);
    if (mangled) row.bankOrderId = `MANGLED${this.#count++}`;
    return row;
  }

  /** Somebody pays a reference: one more row, whatever was paid before. */
  pay(reference: SimReference, amount: Cents, lagMs: number): SimRow {
    return this.#receive(`row:${this.#count++}`, 'REFERENCE', reference, amount, lagMs);
  }

  /** Money that names no order of ours, perhaps paid by the digits of a reference of ours. */
  foreign(account: BankAccount, amount: Cents, digits?: { entity: string; reference: string }): SimRow {
    const orderId = `FOREIGN${this.#count++}`;
    const stranger = { orderId, requestId: this.#token('foreign'), account, amount, expiresAt: 0 };
    const { entity, reference } = digits ?? { entity: '21800', reference: '1' };
    const paid = { ...stranger, entity, reference };
    const row = this.#receive(`row:${this.#count++}`, 'REFERENCE', paid, amount, 0);
    row.paidOrder = null;
    return row;
  }

  #receive(
    identity: string,
    method: 'MBWAY' | 'REFERENCE',
    due: SimPush | SimReference,
    amount: Cents,
    lagMs: number,
  ): SimRow {
    const now = this.clock.now();
    const keys = due.account.credentials;
    const row: SimRow = {
      ...{ identity, method, amount, paidAt: now, shownFrom: now + lagMs, owner: due.account },
      ...{ requestId: due.requestId, bankOrderId: due.orderId, paidOrder: due.orderId, raw: { identity } },
      entity: 'entity' in due ? due.entity : null,
      reference: 'reference' in due ? due.reference : null,
      methodKey: method === 'MBWAY' ? keys.mbWayKey : keys.mbKey,
    };
    this.rows.push(row);
    return row;
  }

  /** Lets everything that hangs go. */
  release(): void {
    for (const go of this.#hanging.splice(0)) go();
  }

  /** The process that waited is dead: nobody reads these answers. */
  forget(): void {
    this.#hanging = [];
    this.hangingInquiries = 0;
  }

  #hang(): Promise<void> {
    return new Promise((resolve) => this.#hanging.push(resolve));
  }

  async #answer<T>(create: Create, value: T): Promise<T> {
    if (create.endsWith('hanging')) await this.#hang();
    return value;
  }

  #token(prefix: string): string {
    return `${prefix}-${this.#count++}`;
  }
}

const unknown = { kind: 'unknown', detail: 'simulated' } as const;

function failureOf(create: Create): CreateFailure | null {
  const detail = 'simulated';
  if (create === 'phone') return { kind: 'refused', reason: 'phone-unknown', detail };
  if (create === 'refused') return { kind: 'refused', reason: 'other', detail };
  if (create === 'unreachable') return { kind: 'unreachable', detail };
  return create === 'lost' ? unknown : null;
}

function pushState(push: SimPush | undefined): PushState {
  if (push === undefined || push.state === 'waiting') return { kind: 'waiting' };
  if (push.state !== 'paid') return { kind: push.state };
  return { kind: 'paid', paidAt: push.finalAt ?? 0, identity: `push:${push.requestId}` };
}
