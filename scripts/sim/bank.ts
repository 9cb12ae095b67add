import { pino } from 'pino';
import { createEupago } from '../../src/banks/eupago/adapter.ts';
import type {
  Adapter,
  Bank,
  BankAccount,
  ListFilter,
  PushOrder,
  PushOutcome,
  PushState,
  ReferenceOrder,
} from '../../src/banks/port.ts';
import { noMetrics } from '../../src/deps.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { BankRefunds } from './bank-refunds.ts';
import {
  type TrueAccount,
  type TrueMoney,
  type TruePush,
  type TrueReference,
  wallSeconds,
} from './bank-state.ts';
import { checkAccount } from './checks/accounts.ts';
import { EupagoWire } from './eupago.ts';
import { drawSendingWay, exchange } from './exchange.ts';
import { Ifthenpay } from './ifthenpay.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';

/** An inquiry with a readable response of the bank; the evidence for ending an attempt. */
export interface AnsweredInquiry {
  requestId: string;
  /** The service's clock at the inquiry. */
  askedByService: number;
  answer: PushState['kind'];
}

export interface AnsweredList {
  filter: ListFilter;
  askedByService: number;
  /** Whether all of its rows were readable. */
  clear: boolean;
  /** The number of readable rows. */
  rows: number;
}

/** The outcome of a create request as the service sees it. */
export type CreateAnswer = 'accepted' | 'refused' | 'unreachable' | 'unknown';

type NotCreated = Exclude<PushOutcome, { kind: 'accepted' }>;
type Refused = Extract<NotCreated, { kind: 'refused' }>;

const FIRST_PUSH = 10_000_000;
const FIRST_TRID = 700_000_000_000;
const ENTITIES = { ifthenpay: '11990', eupago: '81921' };
/** Discards logs: an unreadable row is an error for operators, but a simulated fault here. */
const SILENT = pino({ level: 'silent' });

/** A create request in flight: the bank's action and the outcome that the service receives. */
interface Creating<T> {
  name: 'push' | 'reference';
  orderId: string;
  /** `refused` is the refusal that the bank responds with, or null. */
  work(refused: Refused | null): T;
  kindOf(answer: T): CreateAnswer;
  noAnswer(failure: 'unreachable' | 'unknown'): T;
}

/**
 * The bank at both acquirers: its state of pushes, references and money, and the faults between it and the service. A request
 * that was sent arrives even if the service crashes; its response reaches only the process that sent it.
 */
export class SimBank extends Part {
  readonly pushes: TruePush[] = [];
  readonly references: TrueReference[] = [];
  readonly money: TrueMoney[] = [];
  readonly inquiries: AnsweredInquiry[] = [];
  readonly lists: AnsweredList[] = [];
  /** EuPago's responses that it has no push or reference of this order. */
  readonly absences: { orderId: string; askedByService: number }[] = [];
  /** By bank order id. */
  readonly creates = new Map<string, CreateAnswer | null>();
  readonly refunds = new BankRefunds(this.world, this.prng.fork('refunds'));
  #ids = 0;

  /** Returns the bank as one process of the service sees it. */
  port(service: Service, clock: Clock): Bank {
    const world = this.world;
    const deps = { clock, metrics: noMetrics, log: SILENT, settings: world.scenario.settings };
    const http = new EupagoWire(world, this.prng.fork(`eupago ${world.starts}`), service);
    // An account's credentials fit the adapter of its acquirer.
    const adapters: Record<Acquirer, Adapter> = {
      ifthenpay: new Ifthenpay(world, this.prng, service),
      eupago: createEupago(deps, { http }),
    };
    const of = (account: BankAccount, order?: { bankOrderId: string }) => {
      if (order !== undefined && !service.dead) checkAccount(world, account, order.bankOrderId);
      return adapters[account.acquirer];
    };
    return {
      createPush: (account, push) => of(account, push).createPush(account, push),
      createReference: (account, order) => of(account, order).createReference(account, order),
      inquirePush: (account, push) => of(account, push).inquirePush(account, push),
      listPayments: (account, filter) => of(account).listPayments(account, filter),
      refund: (account, order) => this.refunds.refund(service, account, order, of(account)),
      inquireRefund: (account, bankRefundId) => of(account).inquireRefund(account, bankRefundId),
      registerCallback: () => Promise.resolve(),
      readCallback: (acquirer, request, accounts) => adapters[acquirer].readCallback(request, accounts),
    };
  }

  /** Records a payment to the bank. */
  receive(source: TruePush | TrueReference, amount: TrueMoney['amount']): TrueMoney {
    const { now } = this.world.time;
    const push = 'phone' in source;
    const isEupago = source.acquirer === 'eupago';
    // ifthenpay's list may name a wrong order; only the request id then identifies the attempt.
    const misnamed = push && !isEupago && this.prng.chance(this.world.faults.misnamedRow);
    if (misnamed) this.world.count('bank misnamed row');
    const row: TrueMoney = {
      ...accountOf(source),
      method: push ? 'MBWAY' : 'REFERENCE',
      amount,
      paymentId: isEupago ? String(FIRST_TRID + this.money.length) : source.requestId,
      requestId: source.requestId,
      orderId: misnamed ? `MISNAMED${this.money.length}` : source.orderId,
      paidOrderId: source.orderId,
      entity: push ? 'MBWAY' : source.entity,
      reference: push ? null : source.reference,
      paidAt: now,
      wallSeconds: wallSeconds(now),
      shownFrom: now + (this.prng.chance(0.3) ? this.prng.int(0, 90_000) : 0),
    };
    this.money.push(row);
    return row;
  }

  /** Adds a push to the bank's state, to which the customer reacts. */
  addPush(
    account: TrueAccount,
    { bankOrderId, amount, phoneNumber }: Omit<PushOrder, 'description'>,
  ): TruePush {
    const world = this.world;
    this.#ids += 1;
    const push: TruePush = {
      ...account,
      requestId: account.acquirer === 'eupago' ? String(FIRST_PUSH + this.#ids) : `push-${this.#ids}`,
      orderId: bankOrderId,
      amount,
      phone: phoneNumber,
      createdAt: world.time.now,
      createdByService: world.serviceNow(),
      state: 'waiting',
      answeredAt: null,
    };
    world.monitor.pushCreated(push);
    this.pushes.push(push);
    world.customers.onPush(push);
    return push;
  }

  addReference(
    account: TrueAccount,
    order: Pick<ReferenceOrder, 'bankOrderId' | 'amount'> & { expiresAt: number },
  ): TrueReference {
    const digits = String(100_000_000 + this.references.length);
    const reference: TrueReference = {
      ...account,
      requestId: account.acquirer === 'eupago' ? digits : `ref-${digits}`,
      orderId: order.bankOrderId,
      amount: order.amount,
      entity: ENTITIES[account.acquirer],
      reference: digits,
      expiresAt: order.expiresAt,
    };
    this.references.push(reference);
    this.world.customers.onReference(reference);
    return reference;
  }

  /** Sends a create request to either acquirer and records its outcome. */
  async create<T>(
    service: Service,
    { name, orderId, work, kindOf, noAnswer: failed }: Creating<T>,
  ): Promise<T> {
    const world = this.world;
    if (service.dead) return service.never();
    world.monitor.createLeaves(orderId);
    this.creates.set(orderId, null);
    const note = (kind: CreateAnswer) => {
      this.creates.set(orderId, kind);
      world.count(`create ${kind}`);
    };
    const refused = this.#refusal();
    const { failure, ...way } = drawSendingWay(world, this.prng, world.faults.create);
    return exchange<T>(service, world, {
      name,
      ...way,
      work: () => work(refused),
      answered: (answer) => note(kindOf(answer)),
      noAnswer: () => {
        note(failure);
        return failed(failure);
      },
    });
  }

  #refusal(): Refused | null {
    if (!this.prng.chance(this.world.faults.create / 2)) return null;
    const reason = this.prng.pick(['phone-unknown', 'other'] as const);
    return { kind: 'refused', reason, detail: 'simulated' };
  }
}

function accountOf({ acquirer, methodKey, listKey }: TrueAccount): TrueAccount {
  return { acquirer, methodKey, listKey };
}
