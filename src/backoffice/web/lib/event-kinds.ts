import { texts } from './i18n.ts';

/** The display names of event kinds. */
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
