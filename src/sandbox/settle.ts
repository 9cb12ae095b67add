import { lisbonText } from '../kernel/lisbon.ts';
import type { Cents } from '../kernel/money.ts';
import { CALLBACK_FAULTS, type SandboxContext } from './context.ts';
import { testPhone } from './phones.ts';
import { sortable } from './record.ts';
import type { CustomerAct, Flavour, Payment, Push, Reference } from './schema.ts';

const OUTCOME = { accept: 'paid', reject: 'rejected', decline: 'declined' } as const;

/**
 * Applies the customer's answer to a push: its state, the payment and the callbacks in one transaction. False when the
 * push was answered before.
 */
export function answerPush(context: SandboxContext, push: Push, act: CustomerAct): boolean {
  const { store, clock } = context;
  const { request_id, order_id, amount_cents } = push;
  const isAnswered = store.atomically(() => {
    if (!store.closePush(push.id, OUTCOME[act], clock.now())) return false;
    if (act === 'accept') {
      const copies = testPhone(push.phone_number, context).callbacks ?? 1;
      const account = { entity: 'MBWAY', sub_entity: push.mbway_key, reference: order_id };
      receive(context, { ...account, order_id, request_id, amount_cents }, copies);
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
  const { entity, reference, mb_key, order_id, request_id } = paid;
  context.store.atomically(() =>
    receive(context, { entity, sub_entity: mb_key, reference, order_id, request_id, amount_cents }, 1),
  );
  context.log(`reference ${entity} ${reference}: paid`);
  context.wakeCallbacks();
}

function receive(
  { store, clock }: SandboxContext,
  payment: Omit<Payment, 'id' | 'refunded_cents' | 'paid_at' | 'paid_local'>,
  copies: number,
): void {
  const now = clock.now();
  const id = store.insertPayment({ ...payment, paid_at: now, paid_local: sortable(lisbonText(now)) });
  if (copies === 0 || store.findActivation(payment.entity, payment.sub_entity) === undefined) return;
  const fault = store.takeFault(CALLBACK_FAULTS);
  if (fault === 'drop-callback') return;
  const count = fault === 'duplicate-callback' ? Math.max(2, copies) : copies;
  for (let copy = 0; copy < count; copy++) {
    store.insertCallback({ payment_id: id, flavour: flavourOf(fault), due_at: now });
  }
}

function flavourOf(fault: (typeof CALLBACK_FAULTS)[number] | null): Flavour {
  if (fault === 'wrong-amount-callback') return 'wrong-amount';
  return fault === 'bad-key-callback' ? 'bad-key' : 'true';
}
