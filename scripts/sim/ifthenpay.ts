import { readCallback } from '../../src/banks/ifthenpay/callback.ts';
import type { IfthenpayCredentials } from '../../src/banks/ifthenpay/profile.ts';
import { wallRange } from '../../src/banks/ifthenpay/wall-time.ts';
import {
  type Adapter,
  type BankRecord,
  BankUnavailable,
  type CreateFailure,
  type ListFilter,
  type PushState,
} from '../../src/banks/port.ts';
import { instantFromBankText, lisbonEndOfDay, lisbonText } from '../../src/kernel/lisbon.ts';
import type { SimBank } from './bank.ts';
import { alike, type TrueAccount, type TrueMoney, type TruePush } from './bank-state.ts';
import { drawWay, exchange } from './exchange.ts';
import type { Prng } from './prng.ts';
import type { Service } from './service.ts';
import type { World } from './world.ts';

interface Side {
  world: World;
  bank: SimBank;
  service: Service;
  prng: Prng;
}

/** ifthenpay as one process of the service sees it, in place of its adapter. */
export function createIfthenpay({ world, bank, service, prng }: Side): Adapter<IfthenpayCredentials> {
  const failed = (kind: 'unreachable' | 'unknown'): CreateFailure & { kind: typeof kind } => ({
    kind,
    detail: 'simulated',
  });
  const create = <T extends { kind: 'accepted' }>(
    name: 'push' | 'reference',
    orderId: string,
    accept: () => T,
  ) =>
    bank.create<T | CreateFailure>(service, {
      name,
      orderId,
      kindOf: ({ kind }) => kind,
      noAnswer: failed,
      work: (refused) => refused ?? accept(),
    });
  const ask = () => drawWay(world, prng, world.faults.question);

  return {
    createPush: ({ credentials }, order) =>
      create('push', order.bankOrderId, () => {
        const push = bank.addPush(accountOf(credentials, credentials.mbWayKey), order);
        return { kind: 'accepted', requestId: push.requestId };
      }),

    createReference: ({ credentials }, order) =>
      create('reference', order.bankOrderId, () => {
        const expiresAt = lisbonEndOfDay(world.time.now, order.expiryDays);
        const account = accountOf(credentials, credentials.mbKey);
        const { requestId, entity, reference } = bank.addReference(account, { ...order, expiresAt });
        return { kind: 'accepted', requestId, entity, reference, expiresAt };
      }),

    inquirePush({ credentials }, { requestId: id }) {
      const requestId = id ?? '';
      const push = bank.pushes.find((one) => one.requestId === requestId);
      if (push !== undefined && push.methodKey !== credentials.mbWayKey && !service.dead)
        world.fail('an attempt keeps its account', `push ${requestId}`);
      const askedByService = world.serviceNow();
      return exchange(service, world, {
        name: 'inquiry',
        ...ask(),
        work: () => pushState(push),
        noAnswer,
        answered: ({ kind: answer }) => bank.inquiries.push({ requestId, askedByService, answer }),
      });
    },

    listPayments({ credentials }, filter) {
      // The service dates a read by its start. Its parts count as later, even if the clock was set back between them.
      const earlier = bank.lists.findLast(({ filter: { to } }) => to !== undefined && to + 1 === filter.from);
      const askedByService = Math.max(world.serviceNow(), earlier?.askedByService ?? 0);
      const shows = (row: TrueMoney) =>
        row.acquirer === 'ifthenpay' &&
        row.listKey === credentials.backofficeKey &&
        row.shownFrom <= world.time.now &&
        matches(row, filter);
      return exchange(service, world, {
        name: 'list',
        ...ask(),
        noAnswer,
        work() {
          const rows = bank.money.filter(shows);
          const readable = rows.filter(() => !prng.chance(world.faults.unreadableRow));
          return { records: recordsOf(readable), complete: readable.length === rows.length };
        },
        answered: ({ records, complete: clear }) =>
          bank.lists.push({ filter, askedByService, clear, rows: records.length }),
      });
    },

    refund: ({ credentials }, { requestId: paymentId, amount }) =>
      bank.refunds.send(
        service,
        { acquirer: 'ifthenpay', paymentId, amount, listKey: credentials.backofficeKey },
        { told: (outcome) => outcome, noAnswer: failed },
      ),
    inquireRefund: async () => ({ kind: 'waiting' }),
    registerCallback: async () => {},
    readCallback,
  };
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
