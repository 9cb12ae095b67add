import { texts } from '../../lib/i18n.ts';

/** The texts about bank accounts and routes. */
export const BANK_TEXTS = texts({
  bank: ['Bank accounts', 'Contas bancárias'],
  ownAccount: ['Own account', 'Conta própria'],
  defaultAccount: ['Default account', 'Conta predefinida'],
  replaced: ['replaced', 'substituída'],
  noAccount: ['None; payments cannot be created', 'Nenhuma; não podem ser criados pagamentos'],
  listRead: ['List read', 'Lista lida'],
  setOwn: ['Set own account', 'Definir conta própria'],
  defaultTitle: ['Default bank accounts', 'Contas bancárias predefinidas'],
  defaultText: [
    'Used by every merchant without its own account at the acquirer.',
    'Usadas por todos os comerciantes sem conta própria no adquirente.',
  ],
  standard: [
    (acquirer: string) =>
      `Merchants without their own routes collect at ${acquirer}, without a fallback (SERVICE_BANK).`,
    (acquirer) =>
      `Os comerciantes sem rotas próprias recebem na ${acquirer}, sem alternativa (SERVICE_BANK).`,
  ],
  setDefault: ['Set default account', 'Definir conta predefinida'],
  bankTitle: ['Bank account', 'Conta bancária'],
  bankText: [
    'The keys are stored encrypted and never shown again. New payments use them from the next call. Payments created with the previous account can still be paid.',
    'As chaves são guardadas encriptadas e não voltam a ser mostradas. Os novos pagamentos usam-nas a partir da próxima chamada. Os pagamentos criados com a conta anterior ainda podem ser pagos.',
  ],
  acquirer: ['Acquirer', 'Adquirente'],
  routesBoth: [
    (acquirer: string) => `Both methods of this merchant are then collected at ${acquirer}.`,
    (acquirer) => `Os dois métodos deste comerciante passam a ser recebidos na ${acquirer}.`,
  ],
  fields: {
    mbWayKey: ['MB WAY key', 'Chave MB WAY'],
    mbKey: ['Multibanco key', 'Chave Multibanco'],
    backofficeKey: ['Backoffice key', 'Chave de backoffice'],
    antiPhishingKey: ['Anti-phishing key', 'Chave anti-phishing'],
    apiKey: ['API key', 'Chave de API'],
    clientId: ['Client ID', 'ID de cliente'],
    clientSecret: ['Client secret', 'Segredo de cliente'],
    webhookKey: ['Webhook key', 'Chave de webhook'],
  },
  rules: {
    method: ['Format: ABC-123456', 'Formato: ABC-123456'],
    backoffice: ['Format: 0000-0000-0000-0000', 'Formato: 0000-0000-0000-0000'],
    antiPhishing: [
      '8 to 100 printable characters without spaces, not only zeros',
      '8 a 100 caracteres visíveis, sem espaços e não só zeros',
    ],
    printable: ['1 to 200 printable characters without spaces', '1 a 200 caracteres visíveis, sem espaços'],
    webhook: ['Exactly 32 bytes, as shown by EuPago', 'Exatamente 32 bytes, como apresentada pela EuPago'],
  },
  showKey: ['Show or hide the key', 'Mostrar ou ocultar a chave'],
  callback: {
    ifthenpay: [
      'Then register the callback on the command line: bank register-callback.',
      'Depois, registe o callback na linha de comandos: bank register-callback.',
    ],
    eupago: [
      'In EuPago’s back office, enter the address /callbacks/eupago of this service for Webhooks 2.0, all methods and all states. “bank register-callback” prints it.',
      'No backoffice da EuPago, indique o endereço /callbacks/eupago deste serviço em Webhooks 2.0, para todos os métodos e todos os estados. O comando «bank register-callback» apresenta-o.',
    ],
  },
  bankSaved: ['Account saved.', 'Conta guardada.'],
  routes: ['Routes', 'Rotas'],
  noFallback: ['No fallback', 'Sem alternativa'],
  fallbackAt: [(acquirer: string) => `Fallback: ${acquirer}`, (acquirer) => `Alternativa: ${acquirer}`],
  missing: [
    (acquirer: string) => `No account at ${acquirer}: payments cannot be created`,
    (acquirer) => `Sem conta na ${acquirer}: não podem ser criados pagamentos`,
  ],
  changeRoute: [
    (method: string) => `Change the route of ${method}`,
    (method) => `Alterar a rota de ${method}`,
  ],
  routeTitle: [(method: string) => `Route of ${method}`, (method) => `Rota de ${method}`],
  routeText: [
    'Applies to new payments. Those that exist stay with their acquirer and can still be paid.',
    'Aplica-se aos novos pagamentos. Os existentes continuam no respetivo adquirente e ainda podem ser pagos.',
  ],
  fallback: ['Fallback', 'Alternativa'],
  none: ['None', 'Nenhuma'],
  fallbackText: {
    mbway: [
      'Used only if no connection to the acquirer could be made. A push that may have arrived is never repeated.',
      'Só é usada se não for possível estabelecer ligação ao adquirente. Um pedido que possa ter chegado ao telemóvel nunca é repetido.',
    ],
    multibanco: [
      'Used if the acquirer gives no readable response.',
      'É usada se o adquirente não der uma resposta legível.',
    ],
  },
  routeSaved: ['Route saved.', 'Rota guardada.'],
});
