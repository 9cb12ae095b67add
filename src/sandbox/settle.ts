import { lisbonText } from '../kernel/lisbon.ts';
import type { Cents } from '../kernel/money.ts';
import { type Flavour, findActivation, insertCallback } from './callback-store.ts';
import type { SandboxContext } from './context.ts';
import { CALLBACK_FAULTS, takeFault } from './faults.ts';
import { selfActing } from './phones.ts';
import {
  atomically,
  type CustomerAct,
  closePush,
  insertPayment,
  type Payment,
  type Push,
  type Reference,
} from './store.ts';

const OUTCOME = { accept: 'paid', reject: 'rejected', decline: 'declined' } as const;

/**
 * The customer (or the scheme) answers a push: its state, the row in the bank's record and the callbacks are one
 * change. False when the push had its answer already.
 */
export function answerPush(context: SandboxContext, push: Push, act: CustomerAct): boolean {
  const now = context.clock.now();
  const answered = atomically(context.db, () => {
    if (!closePush(context.db, push.id, OUTCOME[act], now)) return false;
    if (act === 'accept') {
      const copies = selfActing(push.phoneNumber, context)?.callbacks ?? 1;
      const row = { entity: 'MBWAY', subEntity: push.mbwayKey, reference: push.orderId };
      receive(
        context,
        { ...row, orderId: push.orderId, requestId: push.requestId, amount: push.amount },
        copies,
      );
    }
    return true;
  });
  if (answered) {
    context.log(`push ${push.requestId} of ${push.phoneNumber}: ${OUTCOME[act]}`);
    context.wakeCallbacks();
  }
  return answered;
}

/** Somebody pays a reference: one more row in the bank's record, whatever was paid before. */
export function payReference(context: SandboxContext, reference: Reference, amount: Cents): void {
  const { entity, reference: digits, mbKey, orderId, requestId } = reference;
  atomically(context.db, () =>
    receive(context, { entity, subEntity: mbKey, reference: digits, orderId, requestId, amount }, 1),
  );
  context.log(`reference ${entity} ${digits}: paid`);
  context.wakeCallbacks();
}

/** What is paid, before the bank has booked it. */
type Received = Omit<Payment, 'id' | 'refunded' | 'paidAt' | 'paidLocal'>;

function receive(context: SandboxContext, received: Received, copies: number): void {
  const now = context.clock.now();
  const paymentId = insertPayment(context.db, { ...received, paidAt: now, paidLocal: sortableLisbon(now) });
  if (copies === 0 || findActivation(context.db, received.entity, received.subEntity) === undefined) return;
  const plan = planCallbacks(context, copies);
  for (let copy = 0; copy < plan.copies; copy++) {
    insertCallback(context.db, paymentId, plan.flavour, now);
  }
}

/** A callback fault hits the whole notice of a payment, its repetitions included. */
function planCallbacks(context: SandboxContext, copies: number): { copies: number; flavour: Flavour } {
  switch (takeFault(context.db, CALLBACK_FAULTS)) {
    case 'drop-callback':
      return { copies: 0, flavour: 'true' };
    case 'duplicate-callback':
      return { copies: Math.max(2, copies), flavour: 'true' };
    case 'wrong-amount-callback':
      return { copies, flavour: 'wrong-amount' };
    case 'bad-key-callback':
      return { copies, flavour: 'bad-key' };
    case null:
      return { copies, flavour: 'true' };
  }
}

/** `yyyy-MM-dd HH:mm:ss` in Lisbon. */
function sortableLisbon(instant: number): string {
  return sortable(lisbonText(instant));
}

/** Turns the bank's `dd-MM-yyyy HH:mm:ss` into a form whose text order is the order of time. */
export function sortable(bankText: string): string {
  const [date = '', time = ''] = bankText.split(' ');
  return `${date.split('-').reverse().join('-')} ${time}`;
}
