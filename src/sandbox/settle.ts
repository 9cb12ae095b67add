import { lisbonText } from '../kernel/lisbon.ts';
import { type Cents, cents } from '../kernel/money.ts';
import { CALLBACK_FAULTS, type SandboxContext } from './context.ts';
import { announceEnd, announcePayment, newTrid } from './eupago/notifications.ts';
import { testPhone } from './phones.ts';
import { sortable } from './record.ts';
import type { CustomerAct, Flavour, Payment, Push, Reference, Refund } from './schema.ts';

const OUTCOME = { accept: 'paid', reject: 'rejected', decline: 'declined', expire: 'expired' } as const;

/**
 * Applies the customer's answer to a push: its state, the payment and the callbacks in one transaction. False when the
 * push was answered before.
 */
export function answerPush(context: SandboxContext, push: Push, act: CustomerAct): boolean {
  const { store, clock, random } = context;
  const { acquirer, request_id, order_id, amount_cents } = push;
  const isAnswered = store.atomically(() => {
    if (!store.closePush(push.id, OUTCOME[act], clock.now())) return false;
    const copies = testPhone(push.phone_number, context).callbacks ?? 1;
    if (act === 'accept') {
      const isEupago = acquirer === 'eupago';
      const paid = { order_id, request_id: isEupago ? newTrid(random) : request_id, amount_cents };
      const reference = isEupago ? push.reference : order_id;
      receive(context, { acquirer, entity: 'MBWAY', sub_entity: push.mbway_key, reference, ...paid }, copies);
    } else if (acquirer === 'eupago') {
      announceEnd(context, push, act, takeCallbackFault(context, copies));
    }
    return true;
  });
  if (isAnswered) {
    context.log(`push ${request_id} of ${push.phone_number}: ${OUTCOME[act]}`);
    context.wakeCallbacks();
  }
  return isAnswered;
}

/** Pays a reference. Each payment is a new row of the record. */
export function payReference(context: SandboxContext, paid: Reference, amount_cents: Cents): void {
  const { acquirer, entity, reference, mb_key, order_id } = paid;
  const request_id = acquirer === 'eupago' ? newTrid(context.random) : paid.request_id;
  const payment = { acquirer, entity, sub_entity: mb_key, reference, order_id, request_id, amount_cents };
  context.store.atomically(() => receive(context, payment, 1));
  context.log(`reference ${entity} ${reference}: paid`);
  context.wakeCallbacks();
}

function receive(
  context: SandboxContext,
  paid: Omit<Payment, 'id' | 'refunded_cents' | 'paid_at' | 'paid_local'>,
  copies: number,
): void {
  const { store } = context;
  const now = context.clock.now();
  const payment = { ...paid, paid_at: now, paid_local: sortable(lisbonText(now)) };
  announce(context, { ...payment, id: store.insertPayment(payment), refunded_cents: cents(0) }, null, copies);
}

/** Announces a payment, or one of its refunds, with the callback fault that is set. */
export function announce(
  context: SandboxContext,
  payment: Payment,
  refund: Refund | null,
  copies: number,
): void {
  const { store, clock } = context;
  const isEupago = payment.acquirer === 'eupago';
  const isAnnounced = isEupago || store.findActivation(payment.entity, payment.sub_entity) !== undefined;
  if (!isAnnounced) return;
  const sending = takeCallbackFault(context, copies);
  if (isEupago) {
    announcePayment(context, payment, refund, sending);
    return;
  }
  const ids = { payment_id: payment.id, refund_id: refund?.id ?? null };
  for (let copy = 0; copy < sending.copies; copy++)
    store.callbacks.add({ ...ids, flavour: sending.flavour, due_at: clock.now() });
}

/** Returns how, and how often, a callback is sent with the fault that is set. */
function takeCallbackFault({ store }: SandboxContext, copies: number): { flavour: Flavour; copies: number } {
  if (copies === 0) return { flavour: 'true', copies };
  const fault = store.takeFault(CALLBACK_FAULTS);
  if (fault === 'drop-callback') return { flavour: 'true', copies: 0 };
  return { flavour: flavourOf(fault), copies: fault === 'duplicate-callback' ? Math.max(2, copies) : copies };
}

function flavourOf(fault: (typeof CALLBACK_FAULTS)[number] | null): Flavour {
  if (fault === 'wrong-amount-callback') return 'wrong-amount';
  return fault === 'bad-key-callback' ? 'bad-key' : 'true';
}
