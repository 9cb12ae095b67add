import type { EventKind } from '../../../db/tables/webhooks.ts';
import { texts } from './i18n.ts';

/** The display names of event kinds. */
export const EVENT_NAMES = texts({
  'payment.success': ['Payment received', 'Pagamento recebido'],
  'payment.failed': ['Payment failed', 'Pagamento falhado'],
  'payment.cancelled': ['Payment cancelled', 'Pagamento cancelado'],
  'payment.refunded': ['Payment refunded', 'Pagamento reembolsado'],
  'webhook.test': ['Test', 'Teste'],
} satisfies Record<EventKind, readonly [string, string]>);
