import { texts } from './i18n.ts';

/** What each kind of event is called, wherever a person reads of it. */
export const EVENT_KINDS = texts({
  en: {
    'payment.success': 'Payment received',
    'payment.failed': 'Payment failed',
    'payment.cancelled': 'Payment cancelled',
    'webhook.test': 'Test',
  },
  pt: {
    'payment.success': 'Pagamento recebido',
    'payment.failed': 'Pagamento falhado',
    'payment.cancelled': 'Pagamento cancelado',
    'webhook.test': 'Teste',
  },
});
