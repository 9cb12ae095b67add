import type { Answer, Question } from '../../src/banks/exchange.ts';
import { HOUR_MS } from '../../src/kernel/clock.ts';
import { lisbonDateText, lisbonDay, lisbonEndOfDay, lisbonText } from '../../src/kernel/lisbon.ts';
import { type Cents, cents, decimalFromCents, eurosFromCents } from '../../src/kernel/money.ts';
import { entitySpelling } from '../../src/sandbox/record.ts';
import { accountOf } from './accounts.ts';
import { type TrueMoney, wallTime } from './bank-state.ts';
import { BankWire, json, type Reply } from './wire.ts';

const STATUSES = { paid: '000', rejected: '020', declined: '122', waiting: '123', expired: '101' };

/** The members of requests that the simulation reads. */
type Orders = Record<'orderId' | 'amount' | 'mobileNumber' | 'requestId' | 'dateStart' | 'dateEnd', string>;
type Keys = Record<'mbWayKey' | 'mbKey' | 'backofficekey' | 'boKey', string>;
type Body = Orders & Keys & { expiryDays: number };

/** ifthenpay as its adapter sees it. */
export class IfthenpayWire extends BankWire {
  protected readonly acquirer = 'ifthenpay';

  once({ url, json: body }: Question): Promise<Answer> {
    const request = body as unknown as Body;
    if (url.endsWith('/refund')) return this.#refund(request);
    return url.endsWith('/mbway') ? this.#createPush(request) : this.#createReference(request);
  }

  protected reply({ url, json: body }: Question, askedByService: number): Reply {
    return body === undefined
      ? this.#pushState(new URL(url).searchParams, askedByService)
      : this.#list(body as unknown as Body, askedByService);
  }

  #createPush({ mbWayKey, orderId, amount, mobileNumber }: Body): Promise<Answer> {
    const order = { bankOrderId: orderId, amount: centsOf(amount) };
    return this.create('push', order, (refused) => {
      if (refused !== null) return json(200, { Status: refused === 'phone-unknown' ? '113' : '999' });
      const phoneNumber = mobileNumber.replace('351#', '');
      const push = this.world.bank.addPush(accountOf(this.acquirer, mbWayKey), { ...order, phoneNumber });
      return json(200, { Amount: amount, OrderId: orderId, RequestId: push.requestId, Status: '000' });
    });
  }

  #createReference({ mbKey, orderId, amount, expiryDays }: Body): Promise<Answer> {
    const order = { bankOrderId: orderId, amount: centsOf(amount) };
    return this.create('reference', order, (refused) => {
      if (refused !== null) return json(200, { Status: '-1', Message: 'simulated' });
      const expiresAt = lisbonEndOfDay(this.world.time.now, expiryDays);
      const made = this.world.bank.addReference(accountOf(this.acquirer, mbKey), { ...order, expiresAt });
      return json(200, {
        Amount: eurosFromCents(order.amount),
        orderId,
        RequestId: made.requestId,
        Entity: made.entity,
        Reference: made.reference,
        ExpiryDate: lisbonDateText(expiresAt),
        Status: '0',
      });
    });
  }

  #refund({ backofficekey: listKey, requestId: paymentId, amount }: Body): Promise<Answer> {
    return this.refund({ paymentId, amount: centsOf(amount), listKey }, (outcome) => {
      if (outcome.kind !== 'refused') return json(200, { Code: this.prng.pick([1, '1']) });
      const { reason } = outcome;
      return json(200, { Code: reason === 'INSUFFICIENT_FUNDS' ? -1 : 0, Message: reason });
    });
  }

  #pushState(query: URLSearchParams, askedByService: number): Reply {
    const { bank, time } = this.world;
    const requestId = query.get('requestId') ?? '';
    const push = bank.pushes.find((one) => one.requestId === requestId);
    if (push !== undefined && push.methodKey !== query.get('mbWayKey'))
      this.world.fail('an attempt keeps its account', `push ${requestId}`);
    const { state = 'waiting', createdAt = time.now, answeredAt = null } = push ?? {};
    const answer = json(200, {
      RequestId: requestId,
      Status: STATUSES[this.stateOf({ state, createdAt })],
      UpdateAt: lisbonText(answeredAt ?? createdAt),
    });
    return { ...answer, proof: () => bank.inquiries.push({ requestId, askedByService, answer: state }) };
  }

  /** Returns the received payments. The response is evidence, unless a row is unreadable. */
  #list(body: Partial<Body>, askedByService: number): Reply {
    const { bank } = this.world;
    const { boKey, requestId, orderId: bankOrderId, dateStart, dateEnd } = body;
    // Without a range, neither bound excludes a payment.
    const [from, to] = [wallTime(dateStart ?? ''), wallTime(dateEnd ?? '')];
    const payments = this.listed()
      .filter((row) => row.listKey === boKey && row.orderId === (bankOrderId ?? row.orderId))
      .filter((row) => row.requestId === (requestId ?? row.requestId))
      .filter(({ paymentDate }) => !(wallTime(paymentDate) < from || wallTime(paymentDate) > to))
      .map((row) => this.#row(row));
    const rows = payments.filter(({ amount }) => amount !== null).length;
    // The service reads the list in parts, which adjoin or share the repeated hour. No part counts as asked before the
    // previous one, even if the clock was set back between them.
    const earlier = bank.lists.findLast(({ boKey: key, filter: { to: end = Number.NaN } }) => {
      return key === boKey && from > end - HOUR_MS && from <= end + 1000;
    });
    const asked = Math.max(askedByService, earlier?.askedByService ?? 0);
    const filter = { requestId, bankOrderId, from, to };
    const clear = rows === payments.length;
    const answer = json(200, { message: 'OK', status: 200, payments });
    return { ...answer, proof: () => bank.lists.push({ filter, boKey, askedByService: asked, clear, rows }) };
  }

  /** A row of the list. The real bank varies the spelling of amounts and entities. */
  #row(row: TrueMoney) {
    const spelt = this.prng.chance(0.5) ? decimalFromCents : eurosFromCents;
    return {
      amount: this.prng.chance(this.world.faults.unreadableRow) ? null : spelt(row.amount),
      entity: entitySpelling(row.entity, this.prng.int(0, 3)),
      fee: '0.01',
      netAmount: spelt(cents(row.amount - 1)),
      orderId: row.orderId,
      paymentDate: row.paymentDate,
      procDate: lisbonDay(row.paidAt).replaceAll('-', ''),
      reference: row.reference,
      requestId: row.requestId,
      subEntity: row.methodKey,
    };
  }
}

/** The bank requires two decimals. */
function centsOf(amount: string): Cents {
  return cents(Number(amount.replace(/\.(?=\d\d$)/, '')));
}
