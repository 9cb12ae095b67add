import { pino } from 'pino';
import { createBank } from '../../src/banks/bank.ts';
import type {
  Bank,
  BankAccount,
  ListFilter,
  PushOrder,
  PushState,
  ReferenceOrder,
} from '../../src/banks/port.ts';
import { noMetrics } from '../../src/deps.ts';
import type { Acquirer } from '../../src/kernel/acquirer.ts';
import type { Clock } from '../../src/kernel/clock.ts';
import { lisbonText } from '../../src/kernel/lisbon.ts';
import { BankRefunds } from './bank-refunds.ts';
import type { TrueAccount, TrueMoney, TruePush, TrueReference } from './bank-state.ts';
import { checkAccount } from './checks/accounts.ts';
import { EupagoWire } from './eupago.ts';
import { IfthenpayWire } from './ifthenpay.ts';
import { Part } from './part.ts';
import type { Service } from './service.ts';

interface AnsweredList {
  /** At ifthenpay, `from` and `to` are wall-clock times; see `wallTime`. */
  filter: { [Key in keyof ListFilter]: ListFilter[Key] | undefined };
  /** The backoffice key at ifthenpay. */
  boKey?: string | undefined;
  /** The service's clock when it asked. */
  askedByService: number;
  /** Whether all of its rows were readable. */
  clear: boolean;
  /** The number of readable rows. */
  rows: number;
}

/** The outcome of a create request as the service sees it. */
export type CreateAnswer = 'accepted' | 'refused' | 'unreachable' | 'unknown';

const FIRST_PUSH = 10_000_000;
const FIRST_TRID = 700_000_000_000;
const ENTITIES = { ifthenpay: '11990', eupago: '81921' };
/** Discards logs: an unreadable row is an error for operators, but a simulated fault here. */
const SILENT = pino({ level: 'silent' });

/** The bank at both acquirers: its state of pushes, references and money. The production adapters reach it through its wires. */
export class SimBank extends Part {
  readonly pushes: TruePush[] = [];
  readonly references: TrueReference[] = [];
  readonly money: TrueMoney[] = [];
  /** Inquiries with a readable response of the bank; the evidence for ending an attempt. */
  readonly inquiries: { requestId: string; askedByService: number; answer: PushState['kind'] }[] = [];
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
    const wire = (Wire: typeof EupagoWire | typeof IfthenpayWire, acquirer: Acquirer) =>
      new Wire(world, this.prng.fork(`${acquirer} of process ${world.starts}`), service);
    const http = { ifthenpay: wire(IfthenpayWire, 'ifthenpay'), eupago: wire(EupagoWire, 'eupago') };
    const bank = createBank(deps, { http });
    const check = (account: BankAccount, order: { bankOrderId: string }) => {
      if (!service.dead) checkAccount(world, account, order.bankOrderId);
      return bank;
    };
    return {
      ...bank,
      createPush: (account, push) => check(account, push).createPush(account, push),
      createReference: (account, order) => check(account, order).createReference(account, order),
      inquirePush: (account, push) => check(account, push).inquirePush(account, push),
      refund: (account, order) => this.refunds.refund(service, account, order, bank),
      registerCallback: () => Promise.resolve(),
    };
  }

  receive(source: TruePush | TrueReference, amount: TrueMoney['amount']): TrueMoney {
    const { now } = this.world.time;
    const push = 'phone' in source;
    const isEupago = source.acquirer === 'eupago';
    // ifthenpay's list may name a wrong order; only the request id then identifies the attempt.
    const misnamed = push && !isEupago && this.prng.chance(this.world.faults.misnamedRow);
    if (misnamed) this.world.count('bank misnamed row');
    const row: TrueMoney = {
      acquirer: source.acquirer,
      methodKey: source.methodKey,
      listKey: source.listKey,
      method: push ? 'MBWAY' : 'REFERENCE',
      amount,
      paymentId: isEupago ? String(FIRST_TRID + this.money.length) : source.requestId,
      requestId: source.requestId,
      orderId: misnamed ? `MISNAMED${this.money.length}` : source.orderId,
      paidOrderId: source.orderId,
      entity: push ? 'MBWAY' : source.entity,
      reference: push ? null : source.reference,
      paidAt: now,
      paymentDate: lisbonText(now),
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
      requestId: account.acquirer === 'eupago' ? String(FIRST_PUSH + this.#ids) : `push+${this.#ids}`,
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
}
