import type { CsvLanguage } from './csv.ts';

/** The words of the audit log in both languages, for the list and for its file. */
export const AUDIT_WORDS = {
  en: {
    actors: { service: 'Service', 'command line': 'Command line', platform: 'Platform' },
    yes: 'yes',
    no: 'no',
    names: {
      email: 'e-mail',
      role: 'role',
      orders: 'orders',
      paid: 'paid',
      hold: 'on hold',
      active: 'active',
      name: 'name',
      domains: 'domains',
      webhookUrl: 'webhook',
      url: 'URL',
      enabled: 'on',
      graceHours: 'grace period (hours)',
      overlapUntil: 'both valid until',
      amountCents: 'amount',
      receivedCents: 'received',
      note: 'note',
      transactionId: 'transaction',
      deliveryId: 'delivery',
      event: 'event',
      since: 'since',
      latest: 'latest only',
      totp: 'two-factor authentication',
      invitation: 'invitation',
      flags: 'flags',
      left: 'codes left',
      teamFactor: 'two-factor authentication required',
      unverified: 'e-mail not confirmed',
    },
    values: {
      owner: 'owner',
      viewer: 'viewer',
      operator: 'operator',
      late: 'late',
      duplicate: 'duplicate',
      under: 'short',
      over: 'excess',
      unmatched: 'unmatched',
    },
    actions: {
      'user.created': 'User created',
      'user.reset': 'Access reset',
      'user.password_changed': 'Password changed',
      'user.totp_enabled': 'Two-factor authentication turned on',
      'user.totp_disabled': 'Two-factor authentication turned off',
      'user.recovery_replaced': 'Recovery codes replaced',
      'user.recovery_used': 'Recovery code used',
      'user.signed_in': 'Signed in',
      'user.changed': 'User changed',
      'session.revoked': 'Session ended',
      'member.invited': 'Invited to the team',
      'member.joined': 'Joined the team',
      'member.changed': 'Role changed',
      'member.removed': 'Removed from the team',
      'merchant.created': 'Merchant created',
      'merchant.changed': 'Merchant changed',
      'key.created': 'API key created',
      'key.rolled': 'API key rotated',
      'key.revoked': 'API key revoked',
      'key.revealed': 'API key revealed',
      'secret.rotated': 'Webhook secret rotated',
      'secret.rotation_finished': 'Rotation finished',
      'secret.revealed': 'Webhook secret revealed',
      'secret_key.changed': 'Service secret key replaced',
      'domain.added': 'Domain added',
      'domain.removed': 'Domain removed',
      'webhook.changed': 'Webhook changed',
      'bank.changed': 'Bank account changed',
      'delivery.resent': 'Event resent',
      'deliveries.recovered': 'Undelivered events resent',
      'test.sent': 'Test event sent',
      'transaction.released': 'Payment released',
      'transaction.credited': 'Payment credited',
      'receipt.assigned': 'Payment assigned',
      'receipt.kept': 'Case closed',
      'receipt.returned': 'Payment marked as returned',
      'receipt.noted': 'Note added',
      'lead.erased': 'Personal data erased',
    },
  },
  pt: {
    actors: { service: 'Serviço', 'command line': 'Linha de comandos', platform: 'Plataforma' },
    yes: 'sim',
    no: 'não',
    names: {
      email: 'e-mail',
      role: 'perfil',
      orders: 'encomendas',
      paid: 'pagas',
      hold: 'em revisão',
      active: 'ativo',
      name: 'nome',
      domains: 'domínios',
      webhookUrl: 'webhook',
      url: 'URL',
      enabled: 'ligado',
      graceHours: 'período de transição (horas)',
      overlapUntil: 'ambos válidos até',
      amountCents: 'valor',
      receivedCents: 'recebido',
      note: 'nota',
      transactionId: 'transação',
      deliveryId: 'entrega',
      event: 'notificação',
      since: 'desde',
      latest: 'só a última',
      totp: 'autenticação de dois fatores',
      invitation: 'convite',
      flags: 'divergências',
      left: 'códigos restantes',
      teamFactor: 'autenticação de dois fatores obrigatória',
      unverified: 'e-mail por confirmar',
    },
    values: {
      owner: 'proprietário',
      viewer: 'consulta',
      operator: 'operador',
      late: 'fora do prazo',
      duplicate: 'em duplicado',
      under: 'valor inferior',
      over: 'valor superior',
      unmatched: 'sem correspondência',
    },
    actions: {
      'user.created': 'Utilizador criado',
      'user.reset': 'Acesso reposto',
      'user.password_changed': 'Palavra-passe alterada',
      'user.totp_enabled': 'Autenticação de dois fatores ativada',
      'user.totp_disabled': 'Autenticação de dois fatores desativada',
      'user.recovery_replaced': 'Códigos de recuperação substituídos',
      'user.recovery_used': 'Código de recuperação usado',
      'user.signed_in': 'Sessão iniciada',
      'user.changed': 'Utilizador alterado',
      'session.revoked': 'Sessão terminada',
      'member.invited': 'Convite para a equipa',
      'member.joined': 'Entrou na equipa',
      'member.changed': 'Perfil alterado',
      'member.removed': 'Saiu da equipa',
      'merchant.created': 'Comerciante criado',
      'merchant.changed': 'Comerciante alterado',
      'key.created': 'Chave de API criada',
      'key.rolled': 'Chave de API substituída',
      'key.revoked': 'Chave de API revogada',
      'key.revealed': 'Chave de API mostrada',
      'secret.rotated': 'Segredo do webhook substituído',
      'secret.rotation_finished': 'Substituição do segredo concluída',
      'secret.revealed': 'Segredo do webhook mostrado',
      'secret_key.changed': 'Chave secreta do serviço substituída',
      'domain.added': 'Domínio adicionado',
      'domain.removed': 'Domínio removido',
      'webhook.changed': 'Webhook alterado',
      'bank.changed': 'Conta bancária alterada',
      'delivery.resent': 'Notificação reenviada',
      'deliveries.recovered': 'Notificações por entregar reenviadas',
      'test.sent': 'Notificação de teste enviada',
      'transaction.released': 'Pagamento libertado',
      'transaction.credited': 'Pagamento creditado',
      'receipt.assigned': 'Recebimento atribuído',
      'receipt.kept': 'Caso encerrado',
      'receipt.returned': 'Recebimento marcado como devolvido',
      'receipt.noted': 'Nota adicionada',
      'lead.erased': 'Dados pessoais eliminados',
    },
  },
};

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** Details whose values are words of the service. */
const WORDED = new Set(['role', 'flags']);

/** How the values of the details are written. */
export interface DetailFormat {
  euro(amountCents: number): string;
  count(value: number): string;
  time(instant: number): string;
}

/** Returns the details of an entry as `name: value`; empty values are left out. */
export function auditDetails(
  details: Readonly<Record<string, unknown>>,
  language: CsvLanguage,
  format: DetailFormat,
): { name: string; text: string }[] {
  const words = AUDIT_WORDS[language];
  const names: Record<string, string> = words.names;
  const values: Record<string, string> = words.values;
  const written = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return value ? words.yes : words.no;
    if (typeof value === 'number') return name.endsWith('Cents') ? format.euro(value) : format.count(value);
    if (Array.isArray(value)) return value.map((one) => written(name, one)).join(', ');
    if (typeof value !== 'string') return JSON.stringify(value);
    if (INSTANT.test(value)) return format.time(Date.parse(value));
    return WORDED.has(name) ? (values[value] ?? value) : value;
  };
  return Object.entries(details)
    .filter(([, value]) => value !== null && value !== '')
    .map(([name, value]) => ({ name, text: `${names[name] ?? name}: ${written(name, value)}` }));
}
