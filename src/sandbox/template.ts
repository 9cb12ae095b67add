import { lisbonText } from '../kernel/lisbon.ts';
import { cents, decimalFromCents } from '../kernel/money.ts';
import type { Activation, Flavour } from './callback-store.ts';
import { feeOf, terminalOf } from './record.ts';
import type { Payment } from './store.ts';

const PLACEHOLDER = /\[([A-Z_]+)\]/g;

/** The address to call for a payment: every known placeholder of the template filled in, URL-encoded; others stay. */
export function callbackUrl(activation: Activation, payment: Payment, flavour: Flavour): string {
  const values = placeholderValues(activation, payment, flavour);
  return activation.url.replace(PLACEHOLDER, (whole, name: string) => {
    const value = values[name];
    return value === undefined ? whole : encodeURIComponent(value);
  });
}

function placeholderValues(
  activation: Activation,
  payment: Payment,
  flavour: Flavour,
): Record<string, string> {
  const key =
    flavour === 'bad-key' ? `not-${activation.antiPhishingKey.slice(1)}` : activation.antiPhishingKey;
  const amount = decimalFromCents(flavour === 'wrong-amount' ? cents(payment.amount + 1) : payment.amount);
  const paidAt = lisbonText(payment.paidAt);
  return {
    ANTI_PHISHING_KEY: key,
    CHAVE_ANTI_PHISHING: key,
    ORDER_ID: payment.orderId,
    ID: payment.orderId,
    REFERENCIA: payment.orderId,
    AMOUNT: amount,
    VALOR: amount,
    REQUEST_ID: payment.requestId,
    ID_TRANSACAO: payment.requestId,
    ENTITY: payment.entity,
    ENTIDADE: payment.entity,
    REFERENCE: payment.reference,
    PAYMENT_DATETIME: paidAt,
    DATA_HORA_PAGAMENTO: paidAt,
    PAYMENT_METHOD: payment.entity === 'MBWAY' ? 'MBWAY' : 'MULTIBANCO',
    TERMINAL: terminalOf(payment),
    STATUS: 'PAGO',
    ESTADO: 'PAGO',
    FEE: decimalFromCents(feeOf(payment)),
  };
}
