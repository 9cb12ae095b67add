import { readCallback } from '../../src/banks/ifthenpay/callback.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import { wallRange } from '../../src/banks/ifthenpay/wall-time.ts';
import {
  type Adapter,
  type BankAccount,
  type BankRecord,
  type BankRefundOrder,
  BankUnavailable,
  type CreateFailure,
  type ListFilter,
  type PushOrder,
  type PushOutcome,
  type PushState,
  type ReferenceOrder,
  type ReferenceOutcome,
  type SentPush,
} from '../../src/banks/port.ts';
import { instantFromBankText, lisbonEndOfDay, lisbonText } from '../../src/kernel/lisbon.ts';
import { alike, type TrueAccount, type TrueMoney, type TruePush } from './bank-state.ts';
import { drawWay, exchange } from './exchange.ts';
import { ServicePart } from './part.ts';

type Account = BankAccount<IfthenpayCredentials>;

/** ifthenpay as one process of the service sees it, in place of its adapter. */
export class Ifthenpay extends ServicePart implements Adapter<IfthenpayCredentials> {
  readonly readCallback = readCallback;

  createPush({ credentials }: Account, order: PushOrder) {
    return this.#create<PushOutcome>('push', order.bankOrderId, () => {
      const push = this.world.bank.addPush(accountOf(credentials, credentials.mbWayKey), order);
      return { kind: 'accepted', requestId: push.requestId };
    });
  }

  createReference({ credentials }: Account, order: ReferenceOrder) {
    return this.#create<ReferenceOutcome>('reference', order.bankOrderId, () => {
      const expiresAt = lisbonEndOfDay(this.world.time.now, order.expiryDays);
      const account = accountOf(credentials, credentials.mbKey);
      const { requestId, entity, reference } = this.world.bank.addReference(account, { ...order, expiresAt });
      return { kind: 'accepted', requestId, entity, reference, expiresAt };
    });
  }

  async inquirePush({ credentials }: Account, { requestId: id }: SentPush) {
    const requestId = id ?? '';
    const world = this.world;
    const push = this.world.bank.pushes.find((one) => one.requestId === requestId);
    if (push !== undefined && push.methodKey !== credentials.mbWayKey && !this.service.dead)
      world.fail('an attempt keeps its account', `push ${requestId}`);
    const askedByService = world.serviceNow();
    return exchange(this.service, world, {
      name: 'inquiry',
      ...this.#ask(),
      work: () => pushState(push),
      noAnswer,
      answered: ({ kind: answer }) => this.world.bank.inquiries.push({ requestId, askedByService, answer }),
    });
  }

  async listPayments({ credentials }: Account, filter: ListFilter) {
    const world = this.world;
    const { lists, money } = this.world.bank;
    // The service dates a read by its start. Its parts count as later, even if the clock was set back between them.
    const earlier = lists.findLast(({ filter: { to } }) => to !== undefined && to + 1 === filter.from);
    const askedByService = Math.max(world.serviceNow(), earlier?.askedByService ?? 0);
    const shows = (row: TrueMoney) =>
      row.acquirer === 'ifthenpay' &&
      row.listKey === credentials.backofficeKey &&
      row.shownFrom <= world.time.now &&
      matches(row, filter);
    return exchange(this.service, world, {
      name: 'list',
      ...this.#ask(),
      noAnswer,
      work: () => {
        const rows = money.filter(shows);
        const readable = rows.filter(() => !this.prng.chance(world.faults.unreadableRow));
        return { records: recordsOf(readable), complete: readable.length === rows.length };
      },
      answered: ({ records, complete: clear }) =>
        lists.push({ filter, askedByService, clear, rows: records.length }),
    });
  }

  refund({ credentials }: Account, { requestId: paymentId, amount }: BankRefundOrder) {
    return this.world.bank.refunds.send(
      this.service,
      { acquirer: 'ifthenpay', paymentId, amount, listKey: credentials.backofficeKey },
      { told: (outcome) => outcome, noAnswer: failed },
    );
  }

  async inquireRefund() {
    return { kind: 'waiting' as const };
  }

  async registerCallback() {}

  #create<Outcome extends PushOutcome | ReferenceOutcome>(
    name: 'push' | 'reference',
    orderId: string,
    accept: () => Outcome,
  ): Promise<Outcome | CreateFailure> {
    return this.world.bank.create<Outcome | CreateFailure>(this.service, {
      name,
      orderId,
      kindOf: ({ kind }) => kind,
      noAnswer: failed,
      work: (refused) => refused ?? accept(),
    });
  }

  #ask() {
    return drawWay(this.world, this.prng, this.world.faults.question);
  }
}

function failed(kind: 'unreachable' | 'unknown'): CreateFailure & { kind: typeof kind } {
  return { kind, detail: 'simulated' };
}

function accountOf({ backofficeKey: listKey }: IfthenpayCredentials, methodKey: string): TrueAccount {
  return { acquirer: 'ifthenpay', methodKey, listKey };
}

function matches(row: TrueMoney, { bankOrderId, requestId, from, to }: ListFilter): boolean {
  if (bankOrderId !== undefined && bankOrderId !== row.orderId) return false;
  if (requestId !== undefined && requestId !== row.requestId) return false;
  if (from === undefined || to === undefined) return true;
  const { fromSeconds, toSeconds } = wallRange(from, to);
  return fromSeconds <= row.wallSeconds && row.wallSeconds <= toSeconds;
}

function noAnswer(): never {
  throw new BankUnavailable('simulated: no answer');
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
