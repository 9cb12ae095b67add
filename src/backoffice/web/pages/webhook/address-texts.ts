import { texts } from '../../lib/i18n.ts';

/** The texts of the endpoint's URL and of its switch. */
export const ADDRESS_TEXTS = texts({
  en: {
    title: 'Endpoint',
    label: 'Endpoint URL',
    hint: 'Must start with https:// and be reachable from the internet.',
    placeholder: 'https://shop.pt/webhooks/payments',
    none: 'No URL yet',
    save: 'Save URL',
    saved: 'URL saved. It applies from the next event.',
    savedOn: 'URL saved and sending turned on. Every event is sent from now on.',
    savedOff: 'URL saved. Sending is still off. Turn it on when your server is ready.',
    toggle: 'Send events',
    on: 'Events are sent as they occur.',
    off: 'Events are stored and not sent. You can resend them later.',
    first: 'Save a URL first.',
    turnedOn: 'Events are sent from now on.',
    turnedOff: 'Events are stored and not sent.',
    askOff: 'Stop sending events?',
    askOffText:
      'Your shop is not notified of any payment until you turn sending on again. Events are stored, and you can resend them later.',
    stop: 'Stop sending',
    isOff: 'Sending is off',
    isOffText: 'Your shop is not notified of payments. Turn sending on when your server is ready.',
  },
  pt: {
    title: 'Endpoint',
    label: 'URL do endpoint',
    hint: 'Deve começar por https:// e ser acessível a partir da internet.',
    placeholder: 'https://loja.pt/webhooks/pagamentos',
    none: 'Ainda sem URL',
    save: 'Guardar URL',
    saved: 'URL guardado. Aplica-se a partir da próxima notificação.',
    savedOn: 'URL guardado e envio ligado. A partir de agora, todas as notificações são enviadas.',
    savedOff: 'URL guardado. O envio continua desligado. Ligue-o quando o seu servidor estiver pronto.',
    toggle: 'Enviar notificações',
    on: 'As notificações são enviadas de imediato.',
    off: 'As notificações ficam guardadas e não são enviadas. Pode reenviá-las mais tarde.',
    first: 'Guarde primeiro um URL.',
    turnedOn: 'As notificações passam a ser enviadas.',
    turnedOff: 'As notificações ficam guardadas e não são enviadas.',
    askOff: 'Parar de enviar notificações?',
    askOffText:
      'A sua loja não é notificada de nenhum pagamento até voltar a ligar o envio. As notificações ficam guardadas e pode reenviá-las mais tarde.',
    stop: 'Parar o envio',
    isOff: 'O envio está desligado',
    isOffText:
      'A sua loja não é notificada dos pagamentos. Ligue o envio quando o seu servidor estiver pronto.',
  },
});
