import { texts } from '../../lib/i18n.ts';

/** The texts of the endpoint's URL and of its switch. */
export const ADDRESS_TEXTS = texts({
  title: ['Endpoint', 'Endpoint'],
  label: ['Endpoint URL', 'URL do endpoint'],
  hint: [
    'Must start with https:// and be reachable from the internet.',
    'Deve começar por https:// e ser acessível a partir da internet.',
  ],
  placeholder: ['https://shop.pt/webhooks/payments', 'https://loja.pt/webhooks/pagamentos'],
  none: ['No URL yet', 'Ainda sem URL'],
  save: ['Save URL', 'Guardar URL'],
  saved: [
    'URL saved. It applies from the next event.',
    'URL guardado. Aplica-se a partir da próxima notificação.',
  ],
  savedOn: [
    'URL saved and sending turned on. Every event is sent from now on.',
    'URL guardado e envio ligado. A partir de agora, todas as notificações são enviadas.',
  ],
  savedOff: [
    'URL saved. Sending is still off. Turn it on when your server is ready.',
    'URL guardado. O envio continua desligado. Ligue-o quando o seu servidor estiver pronto.',
  ],
  toggle: ['Send events', 'Enviar notificações'],
  on: ['Events are sent as they occur.', 'As notificações são enviadas de imediato.'],
  off: [
    'Events are stored and not sent. You can resend them later.',
    'As notificações ficam guardadas e não são enviadas. Pode reenviá-las mais tarde.',
  ],
  first: ['Save a URL first.', 'Guarde primeiro um URL.'],
  turnedOn: ['Events are sent from now on.', 'As notificações passam a ser enviadas.'],
  turnedOff: ['Events are stored and not sent.', 'As notificações ficam guardadas e não são enviadas.'],
  askOff: ['Stop sending events?', 'Parar de enviar notificações?'],
  askOffText: [
    'Your shop is not notified of any payment until you turn sending on again. Events are stored, and you can resend them later.',
    'A sua loja não é notificada de nenhum pagamento até voltar a ligar o envio. As notificações ficam guardadas e pode reenviá-las mais tarde.',
  ],
  stop: ['Stop sending', 'Parar o envio'],
  isOff: ['Sending is off', 'O envio está desligado'],
  isOffText: [
    'Your shop is not notified of payments. Turn sending on when your server is ready.',
    'A sua loja não é notificada dos pagamentos. Ligue o envio quando o seu servidor estiver pronto.',
  ],
});
