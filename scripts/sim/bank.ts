import { readCallback } from '../../src/banks/ifthenpay/callback.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import { wallRange } from '../../src/banks/ifthenpay/wall-time.ts';
import {
  type Bank,
  type BankAccount,
  type BankRecord,
  BankUnavailable,
  type ListFilter,
  type PaymentList,
  type PushOrder,
  type PushOutcome,
  type PushState,
  type ReferenceOrder,
  type ReferenceOutcome,
} from '../../src/banks/port.ts';
import { instantFromBankText, lisbonEndOfDay, lisbonText } from '../../src/kernel/lisbon.ts';
import { BankRefunds } from './bank-refunds.ts';
import { alike, type TrueMoney, type TruePush, type TrueReference, wallSeconds } from './bank-state.ts';
import { drawWay, exchange } from './exchange.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

/** An inquiry that the bank answered readably; the evidence for ending an attempt. */
export interface AnsweredInquiry {
  requestId: string;
  /** The service's clock at the inquiry. */
  askedByService: number;
  answer: PushState['kind'];
}

export interface AnsweredList {
  filter: ListFilter;
  backofficeKey: string;
  askedByService: number;
  /** No row of it was unreadable. */
  clear: boolean;
  /** How many were readable. */
  rows: number;
}

/** The outcome of a create as the service knows it. */
export type CreateAnswer = 'accepted' | 'refused' | 'unreachable' | 'unknown';

type NotCreated = Exclude<PushOutcome, { kind: 'accepted' }>;

/**
 * The bank: its state of pushes, references and money, and the faults between it and the service. A request that
 * was sent arrives although the service crashed; its answer reaches only the process that sent it.
 */
export class SimBank {
  readonly pushes: TruePush[] = [];
  readonly references: TrueReference[] = [];
  readonly money: TrueMoney[] = [];
  readonly inquiries: AnsweredInquiry[] = [];
  readonly lists: AnsweredList[] = [];
  /** By bank order id. */
  readonly creates = new Map<string, CreateAnswer | null>();
  readonly refunds: BankRefunds;
  readonly #world: World;
  readonly #prng: Prng;
  #ids = 0;

  constructor(world: World, prng: Prng) {
    this.#world = world;
    this.#prng = prng;
    this.refunds = new BankRefunds(world, prng.fork('refunds'));
  }

  /** Returns the bank as one process of the service sees it. */
  port(service: Service): Bank {
    return {
      createPush: (account, order) => this.#createPush(service, account, order),
      createReference: (account, order) => this.#createReference(service, account, order),
      inquirePush: (account, { requestId }) => this.#inquire(service, account, requestId ?? ''),
      listPayments: (account, filter) => this.#list(service, account, filter),
      refund: (account, order) => this.refunds.refund(service, credentialsOf(account), order),
      inquireRefund: (_account, bankRefundId) => this.refunds.inquire(service, bankRefundId),
      registerCallback: () => Promise.resolve(),
      readCallback: (_acquirer, request, accounts) =>
        readCallback(request, accounts as readonly BankAccount<IfthenpayCredentials>[]),
    };
  }

  /** Records a payment to the bank. */
  receive(source: TruePush | TrueReference, amount: TrueMoney['amount']): TrueMoney {
    const { now } = this.#world.time;
    const push = 'phone' in source;
    // The bank's list may name a wrong order; only the request id then identifies the attempt.
    const misnamed = push && this.#prng.chance(this.#world.faults.misnamedRow);
    if (misnamed) this.#world.count('bank misnamed row');
    const row: TrueMoney = {
      method: push ? 'MBWAY' : 'REFERENCE',
      amount,
      requestId: source.requestId,
      orderId: misnamed ? `MISNAMED${this.money.length}` : source.orderId,
      paidOrderId: source.orderId,
      entity: push ? 'MBWAY' : source.entity,
      reference: push ? null : source.reference,
      methodKey: push ? source.mbWayKey : source.mbKey,
      backofficeKey: source.backofficeKey,
      paidAt: now,
      wallSeconds: wallSeconds(now),
      shownFrom: now + (this.#prng.chance(0.3) ? this.#prng.int(0, 90_000) : 0),
    };
    this.money.push(row);
    return row;
  }

  #createPush(service: Service, account: BankAccount, order: PushOrder): Promise<PushOutcome> {
    const world = this.#world;
    const credentials = credentialsOf(account);
    return this.#create(service, 'push', order.bankOrderId, () => {
      const push: TruePush = {
        requestId: this.#id('push'),
        orderId: order.bankOrderId,
        amount: order.amount,
        phone: order.phoneNumber,
        mbWayKey: credentials.mbWayKey,
        backofficeKey: credentials.backofficeKey,
        createdAt: world.time.now,
        createdByService: world.serviceNow(),
        state: 'waiting',
        answeredAt: null,
      };
      world.monitor.pushCreated(push);
      this.pushes.push(push);
      world.customers.onPush(push);
      return { kind: 'accepted', requestId: push.requestId };
    });
  }

  #createReference(service: Service, account: BankAccount, order: ReferenceOrder): Promise<ReferenceOutcome> {
    const credentials = credentialsOf(account);
    return this.#create(service, 'reference', order.bankOrderId, () => {
      const reference: TrueReference = {
        requestId: this.#id('ref'),
        orderId: order.bankOrderId,
        amount: order.amount,
        entity: '11990',
        reference: String(100_000_000 + this.references.length),
        mbKey: credentials.mbKey,
        backofficeKey: credentials.backofficeKey,
        expiresAt: lisbonEndOfDay(this.#world.time.now, order.expiryDays),
      };
      this.references.push(reference);
      this.#world.customers.onReference(reference);
      const { requestId, entity, reference: digits, expiresAt } = reference;
      return { kind: 'accepted', requestId, entity, reference: digits, expiresAt };
    });
  }

  async #create<T extends { kind: 'accepted' }>(
    service: Service,
    name: string,
    orderId: string,
    accept: () => T,
  ): Promise<T | NotCreated> {
    this.#world.monitor.createLeaves(orderId);
    this.creates.set(orderId, null);
    const refused = this.#refusal();
    const outcome = await exchange<T | NotCreated>(service, this.#world, {
      name,
      ...drawWay(this.#world, this.#prng, this.#world.faults.create),
      work: () => refused ?? accept(),
      noAnswer: () => ({ kind: 'unknown', detail: 'simulated' }),
    });
    this.creates.set(orderId, outcome.kind);
    this.#world.count(`create ${outcome.kind}`);
    return outcome;
  }

  #inquire(service: Service, _account: BankAccount, requestId: string): Promise<PushState> {
    const askedByService = this.#world.serviceNow();
    return exchange(service, this.#world, {
      name: 'inquiry',
      ...drawWay(this.#world, this.#prng, this.#world.faults.question),
      work: () => pushState(this.pushes.find((push) => push.requestId === requestId)),
      noAnswer,
      answered: (state) => this.inquiries.push({ requestId, askedByService, answer: state.kind }),
    });
  }

  #list(service: Service, account: BankAccount, filter: ListFilter): Promise<PaymentList> {
    const { backofficeKey } = credentialsOf(account);
    const askedByService = this.#world.serviceNow();
    return exchange(service, this.#world, {
      name: 'list',
      ...drawWay(this.#world, this.#prng, this.#world.faults.question),
      work: () => {
        const rows = this.money.filter(
          (row) => row.backofficeKey === backofficeKey && this.#shows(row, filter),
        );
        const readable = rows.filter(() => !this.#prng.chance(this.#world.faults.unreadableRow));
        return { records: recordsOf(readable), complete: readable.length === rows.length };
      },
      noAnswer,
      answered: ({ records, complete }) => {
        const [clear, rows] = [complete, records.length];
        this.lists.push({ filter, backofficeKey, askedByService, clear, rows });
      },
    });
  }

  #shows(row: TrueMoney, filter: ListFilter): boolean {
    if (row.shownFrom > this.#world.time.now) return false;
    if (filter.bankOrderId !== undefined && filter.bankOrderId !== row.orderId) return false;
    if (filter.requestId !== undefined && filter.requestId !== row.requestId) return false;
    if (filter.from === undefined || filter.to === undefined) return true;
    const { fromSeconds, toSeconds } = wallRange(filter.from, filter.to);
    return fromSeconds <= row.wallSeconds && row.wallSeconds <= toSeconds;
  }

  #refusal(): NotCreated | null {
    if (!this.#prng.chance(this.#world.faults.create / 2)) return null;
    const reason = this.#prng.pick(['phone-unknown', 'other'] as const);
    return { kind: 'refused', reason, detail: 'simulated' };
  }

  #id(kind: string): string {
    this.#ids += 1;
    return `${kind}-${this.#ids}`;
  }
}

function noAnswer(): never {
  throw new BankUnavailable('simulated silence');
}

function pushState(push: TruePush | undefined): PushState {
  if (push === undefined || push.state === 'waiting') return { kind: 'waiting' };
  if (push.state !== 'paid') return { kind: push.state };
  return { kind: 'paid', paidAt: asRead(push.answeredAt ?? 0), identity: `push ${push.requestId}` };
}

/** Converts an instant through the bank's text format, which drops milliseconds and is ambiguous when summer time ends. */
function asRead(instant: number): number {
  return instantFromBankText(lisbonText(instant)) ?? instant;
}

/** Converts rows to records as the adapter does: the identity from the row alone, with a rank among equal rows. */
function recordsOf(rows: readonly TrueMoney[]): BankRecord[] {
  const ranks = new Map<string, number>();
  return rows.map((row) => {
    const rank = (ranks.get(alike(row)) ?? 0) + 1;
    ranks.set(alike(row), rank);
    return {
      identity: row.method === 'MBWAY' ? alike(row) : `${alike(row)} ${rank}`,
      method: row.method,
      amount: row.amount,
      paidAt: asRead(row.paidAt),
      requestId: row.requestId,
      bankOrderId: row.orderId,
      entity: row.entity,
      reference: row.reference,
      raw: { requestId: row.requestId },
      methodKey: row.methodKey,
    };
  });
}

function credentialsOf({ credentials }: BankAccount): IfthenpayCredentials {
  return credentials as IfthenpayCredentials;
}
