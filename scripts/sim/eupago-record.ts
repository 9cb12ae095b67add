import { dayAfter, lisbonDay } from '../../src/kernel/lisbon.ts';
import { fiveDecimals, localTime } from '../../src/sandbox/eupago/notifications.ts';
import type { TrueMoney, TruePush, TrueReference } from './bank-state.ts';
import { Part } from './part.ts';
import { json, type Reply } from './wire.ts';

const STATES = { paid: 'paga', rejected: 'cancelada', declined: 'erro' } as const;

/** EuPago's record of references, payments and refunds, as its answers show it. */
export class EupagoRecord extends Part {
  /** Returns one reference with its payments. The response is evidence, unless a row is unreadable. */
  info(apiKey: string, reference: string, askedByService: number): Reply {
    const bank = this.world.bank;
    const found = this.#known().find((one) => one.methodKey === apiKey && one.requestId === reference);
    if (found === undefined) return json(200, { sucesso: false, estado: -11, resposta: 'não encontrado' });
    const rows = bank.money
      .filter((row) => row.paidOrderId === found.orderId && this.#shows(row))
      .map((row) => this.#paymentRow(row));
    const state = this.#stateOf(found, rows.length > 0);
    const proof = () => {
      const { orderId: bankOrderId, requestId } = found;
      if (rows.length === 0 && (state === 'pendente' || state === 'expirada'))
        bank.inquiries.push({ requestId, askedByService, answer: 'waiting' });
      const clear = rows.every(({ valor }) => valor !== null);
      // The reference itself is a row.
      bank.lists.push({ filter: { bankOrderId }, askedByService, clear, rows: rows.length + 1 });
    };
    const answer = json(200, {
      sucesso: true,
      estado: 0,
      resposta: 'OK',
      referencia: reference,
      identificador: found.orderId,
      estado_referencia: state,
      ...(rows.length === 0 ? {} : { pagamentos: rows }),
    });
    return { ...answer, proof };
  }

  /** The references of an order id. */
  find(clientId: string, identifier: string, askedByService: number): Reply {
    const found = this.#known().filter((one) => one.listKey === clientId && one.orderId === identifier);
    const referenceList = found.map((one) => ({
      identifier,
      reference: one.requestId,
      amount: fiveDecimals(one.amount),
      entity: 'phone' in one ? null : one.entity,
    }));
    const proof = () => {
      if (found.length === 0) this.world.bank.absences.push({ orderId: identifier, askedByService });
    };
    return { ...json(200, { transactionStatus: 'Success', referenceList }), proof };
  }

  /** Received payments; after their transfer they have another state. */
  transactions(clientId: string, status: string | null): Reply {
    const transactionList = this.world.bank.money
      .filter((row) => row.acquirer === 'eupago' && row.listKey === clientId && this.#shows(row))
      .filter((row) => stateOfMoney(row) === status)
      .map((row) => ({
        trid: row.paymentId,
        amount: this.#told(row),
        identifier: row.orderId,
        status,
        entity: row.method === 'MBWAY' ? null : row.entity,
        reference: row.reference ?? row.requestId,
        datePayment: localTime(row.paidAt).join(' '),
        dateTransfer: null,
      }));
    return json(200, { transactionStatus: 'Success', transactionList });
  }

  refundState(bankRefundId: string): Reply {
    const { kind } = this.world.bank.refunds.stateOf(bankRefundId);
    const status = { done: 'Reembolsado', refused: 'Recusado', waiting: 'Pendente' }[kind];
    return json(200, { transactionStatus: 'Success', refundList: [{ status }] });
  }

  #paymentRow(row: TrueMoney) {
    const [day, time] = localTime(row.paidAt);
    return {
      trid: Number(row.paymentId),
      estado: stateOfMoney(row),
      valor: this.#told(row),
      comissao: '0.12300',
      data_pagamento: day,
      hora_pagamento: time,
      data_previsao_transferencia: dayAfter(lisbonDay(row.paidAt), 2),
    };
  }

  /** The amount as text or as a number; null when it is unreadable. */
  #told({ amount }: TrueMoney): string | number | null {
    if (this.prng.chance(this.world.faults.unreadableRow)) return null;
    return this.prng.chance(0.5) ? fiveDecimals(amount) : amount / 100;
  }

  #stateOf(found: TruePush | TrueReference, isPaid: boolean): string {
    const { now } = this.world.time;
    if (!('phone' in found)) return isPaid ? 'paga' : now > found.expiresAt ? 'expirada' : 'pendente';
    if (found.state !== 'waiting') return STATES[found.state];
    const { mbwayWindowMs } = this.world.scenario.settings;
    return now > found.createdAt + mbwayWindowMs ? 'expirada' : 'pendente';
  }

  #shows({ shownFrom }: TrueMoney): boolean {
    return shownFrom <= this.world.time.now;
  }

  #known(): (TruePush | TrueReference)[] {
    const { pushes, references } = this.world.bank;
    return [...pushes, ...references].filter(({ acquirer }) => acquirer === 'eupago');
  }
}

function stateOfMoney({ paymentId }: TrueMoney): 'paga' | 'transferida' {
  return Number(paymentId) % 4 === 0 ? 'transferida' : 'paga';
}
