import { texts } from '../../lib/i18n.ts';

/** The texts about bank accounts and routes. */
export const BANK_TEXTS = texts({
  en: {
    bank: 'Bank accounts',
    ownAccount: 'Own account',
    defaultAccount: 'Default account',
    replaced: 'replaced',
    noAccount: 'None; payments cannot be created',
    listRead: 'List read',
    setOwn: 'Set own account',
    defaultTitle: 'Default bank accounts',
    defaultText: 'Used by every merchant without its own account at the acquirer.',
    standard: (acquirer: string) =>
      `Merchants without their own routes collect at ${acquirer}, without a fallback (SERVICE_BANK).`,
    setDefault: 'Set default account',
    bankTitle: 'Bank account',
    bankText:
      'The keys are stored encrypted and never shown again. New payments use them from the next call. Payments created with the previous account can still be paid.',
    acquirer: 'Acquirer',
    routesBoth: (acquirer: string) => `Both methods of this merchant are then collected at ${acquirer}.`,
    fields: {
      mbWayKey: { label: 'MB WAY key', rule: 'Format: ABC-123456' },
      mbKey: { label: 'Multibanco key', rule: 'Format: ABC-123456' },
      backofficeKey: { label: 'Backoffice key', rule: 'Format: 0000-0000-0000-0000' },
      antiPhishingKey: {
        label: 'Anti-phishing key',
        rule: '8 to 100 printable characters without spaces, not only zeros',
      },
      apiKey: { label: 'API key', rule: '1 to 200 printable characters without spaces' },
      clientId: { label: 'Client ID', rule: '1 to 200 printable characters without spaces' },
      clientSecret: { label: 'Client secret', rule: '1 to 200 printable characters without spaces' },
      webhookKey: { label: 'Webhook key', rule: 'Exactly 32 bytes, as shown by EuPago' },
    },
    showKey: 'Show or hide the key',
    callback: {
      ifthenpay: 'Then register the callback on the command line: bank register-callback.',
      eupago:
        'In EuPago’s back office, enter the address /callbacks/eupago of this service for Webhooks 2.0, all methods and all states. “bank register-callback” prints it.',
    },
    bankSaved: 'Account saved.',
    routes: 'Routes',
    noFallback: 'No fallback',
    fallbackAt: (acquirer: string) => `Fallback: ${acquirer}`,
    missing: (acquirer: string) => `No account at ${acquirer}: payments cannot be created`,
    changeRoute: (method: string) => `Change the route of ${method}`,
    routeTitle: (method: string) => `Route of ${method}`,
    routeText: 'Applies to new payments. Those that exist stay with their acquirer and can still be paid.',
    fallback: 'Fallback',
    none: 'None',
    fallbackText: {
      mbway:
        'Used only if no connection to the acquirer could be made. A push that may have arrived is never repeated.',
      multibanco: 'Used if the acquirer gives no readable response.',
    },
    routeSaved: 'Route saved.',
  },
  pt: {
    bank: 'Contas bancárias',
    ownAccount: 'Conta própria',
    defaultAccount: 'Conta predefinida',
    replaced: 'substituída',
    noAccount: 'Nenhuma; não podem ser criados pagamentos',
    listRead: 'Lista lida',
    setOwn: 'Definir conta própria',
    defaultTitle: 'Contas bancárias predefinidas',
    defaultText: 'Usadas por todos os comerciantes sem conta própria no adquirente.',
    standard: (acquirer) =>
      `Os comerciantes sem rotas próprias recebem na ${acquirer}, sem alternativa (SERVICE_BANK).`,
    setDefault: 'Definir conta predefinida',
    bankTitle: 'Conta bancária',
    bankText:
      'As chaves são guardadas encriptadas e não voltam a ser mostradas. Os novos pagamentos usam-nas a partir da próxima chamada. Os pagamentos criados com a conta anterior ainda podem ser pagos.',
    acquirer: 'Adquirente',
    routesBoth: (acquirer) => `Os dois métodos deste comerciante passam a ser recebidos na ${acquirer}.`,
    fields: {
      mbWayKey: { label: 'Chave MB WAY', rule: 'Formato: ABC-123456' },
      mbKey: { label: 'Chave Multibanco', rule: 'Formato: ABC-123456' },
      backofficeKey: { label: 'Chave de backoffice', rule: 'Formato: 0000-0000-0000-0000' },
      antiPhishingKey: {
        label: 'Chave anti-phishing',
        rule: '8 a 100 caracteres visíveis, sem espaços e não só zeros',
      },
      apiKey: { label: 'Chave de API', rule: '1 a 200 caracteres visíveis, sem espaços' },
      clientId: { label: 'ID de cliente', rule: '1 a 200 caracteres visíveis, sem espaços' },
      clientSecret: { label: 'Segredo de cliente', rule: '1 a 200 caracteres visíveis, sem espaços' },
      webhookKey: { label: 'Chave de webhook', rule: 'Exatamente 32 bytes, como apresentada pela EuPago' },
    },
    showKey: 'Mostrar ou ocultar a chave',
    callback: {
      ifthenpay: 'Depois, registe o callback na linha de comandos: bank register-callback.',
      eupago:
        'No backoffice da EuPago, indique o endereço /callbacks/eupago deste serviço em Webhooks 2.0, para todos os métodos e todos os estados. O comando «bank register-callback» apresenta-o.',
    },
    bankSaved: 'Conta guardada.',
    routes: 'Rotas',
    noFallback: 'Sem alternativa',
    fallbackAt: (acquirer) => `Alternativa: ${acquirer}`,
    missing: (acquirer) => `Sem conta na ${acquirer}: não podem ser criados pagamentos`,
    changeRoute: (method) => `Alterar a rota de ${method}`,
    routeTitle: (method) => `Rota de ${method}`,
    routeText:
      'Aplica-se aos novos pagamentos. Os existentes continuam no respetivo adquirente e ainda podem ser pagos.',
    fallback: 'Alternativa',
    none: 'Nenhuma',
    fallbackText: {
      mbway:
        'Só é usada se não for possível estabelecer ligação ao adquirente. Um pedido que possa ter chegado ao telemóvel nunca é repetido.',
      multibanco: 'É usada se o adquirente não der uma resposta legível.',
    },
    routeSaved: 'Rota guardada.',
  },
});
