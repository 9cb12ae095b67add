import type { EventKind } from '../../../db/tables/webhooks.ts';
import { texts } from './i18n.ts';

/** The display names of event kinds. */
export const EVENT_NAMES = texts({
  en: {
    'payment.success': 'Payment received',
    'payment.failed': 'Payment failed',
    'payment.cancelled': 'Payment cancelled',
    'payment.refunded': 'Payment refunded',
    'webhook.test': 'Test',
  } satisfies Record<EventKind, string>,
  pt: {
    'payment.success': 'Pagamento recebido',
    'payment.failed': 'Pagamento falhado',
    'payment.cancelled': 'Pagamento cancelado',
    'payment.refunded': 'Pagamento reembolsado',
    'webhook.test': 'Teste',
  },
});
