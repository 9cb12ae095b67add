import type { Language } from './language.ts';

/** The texts of the audit log in both languages, for the list and its export, with every action and the name of every detail. */
export const AUDIT_WORDS = {
  actors: {
    service: { en: 'Service', pt: 'Serviço' },
    'command line': { en: 'Command line', pt: 'Linha de comandos' },
    platform: { en: 'Platform', pt: 'Plataforma' },
  },
  names: {
    email: { en: 'email', pt: 'e-mail' },
    role: { en: 'role', pt: 'perfil' },
    orders: { en: 'orders', pt: 'encomendas' },
    paid: { en: 'paid', pt: 'pagas' },
    hold: { en: 'on hold', pt: 'em revisão' },
    active: { en: 'active', pt: 'ativo' },
    name: { en: 'name', pt: 'nome' },
    domains: { en: 'domains', pt: 'domínios' },
    webhookUrl: { en: 'webhook', pt: 'webhook' },
    url: { en: 'URL', pt: 'URL' },
    enabled: { en: 'on', pt: 'ligado' },
    graceHours: { en: 'grace period (hours)', pt: 'período de transição (horas)' },
    overlapUntil: { en: 'both valid until', pt: 'ambos válidos até' },
    amountCents: { en: 'amount', pt: 'valor' },
    receivedCents: { en: 'received', pt: 'recebido' },
    note: { en: 'note', pt: 'nota' },
    transactionId: { en: 'transaction', pt: 'transação' },
    deliveryId: { en: 'delivery', pt: 'entrega' },
    event: { en: 'event', pt: 'notificação' },
    since: { en: 'since', pt: 'desde' },
    latest: { en: 'latest only', pt: 'só a última' },
    totp: { en: 'two-factor authentication', pt: 'autenticação de dois fatores' },
    invitation: { en: 'invitation', pt: 'convite' },
    flags: { en: 'flags', pt: 'divergências' },
    left: { en: 'codes left', pt: 'códigos restantes' },
    teamFactor: { en: 'two-factor authentication required', pt: 'autenticação de dois fatores obrigatória' },
    unverified: { en: 'email not confirmed', pt: 'e-mail por confirmar' },
    passkey: { en: 'passkey', pt: 'chave de acesso' },
    refunds: { en: 'refunds by the owner', pt: 'reembolsos pelo proprietário' },
    refundEvents: { en: 'refund events', pt: 'notificações de reembolso' },
    receiptId: { en: 'payment received', pt: 'recebimento' },
    retryOf: { en: 'repeats refund', pt: 'repete o reembolso' },
    reason: { en: 'reason', pt: 'motivo' },
    outcome: { en: 'outcome', pt: 'resultado' },
    count: { en: 'count', pt: 'quantidade' },
    totalCents: { en: 'total', pt: 'total' },
    repeated: { en: 'repeated', pt: 'repetidos' },
    autoRecover: { en: 'automatic recovery', pt: 'recuperação automática' },
    customerMails: { en: 'emails to customers', pt: 'e-mails aos clientes' },
    alerts: { en: 'alerts by email', pt: 'alertas por e-mail' },
    acquirer: { en: 'acquirer', pt: 'adquirente' },
    method: { en: 'method', pt: 'método' },
    fallback: { en: 'fallback', pt: 'alternativa' },
    by: { en: 'by', pt: 'por' },
    others: { en: 'other sessions', pt: 'outras sessões' },
    secrets: { en: 'secrets', pt: 'segredos' },
    renewed: { en: 'encrypted again', pt: 'cifrados de novo' },
  },
  values: {
    owner: { en: 'owner', pt: 'proprietário' },
    viewer: { en: 'viewer', pt: 'consulta' },
    operator: { en: 'operator', pt: 'operador' },
    late: { en: 'late', pt: 'fora do prazo' },
    duplicate: { en: 'duplicate', pt: 'em duplicado' },
    under: { en: 'short', pt: 'valor inferior' },
    over: { en: 'excess', pt: 'valor superior' },
    unmatched: { en: 'unmatched', pt: 'sem correspondência' },
    done: { en: 'done', pt: 'concluído' },
    failed: { en: 'failed', pt: 'falhado' },
    MBWAY: { en: 'MB WAY', pt: 'MB WAY' },
    REFERENCE: { en: 'Multibanco', pt: 'Multibanco' },
    eupago: { en: 'EuPago', pt: 'EuPago' },
    invite: { en: 'invitation', pt: 'convite' },
    reset: { en: 'reset link', pt: 'link de reposição' },
  },
  actions: {
    'user.created': { en: 'User created', pt: 'Utilizador criado' },
    'user.reset': { en: 'Access reset', pt: 'Acesso reposto' },
    'user.password_changed': { en: 'Password changed', pt: 'Palavra-passe alterada' },
    'user.totp_enabled': {
      en: 'Two-factor authentication turned on',
      pt: 'Autenticação de dois fatores ativada',
    },
    'user.totp_disabled': {
      en: 'Two-factor authentication turned off',
      pt: 'Autenticação de dois fatores desativada',
    },
    'user.recovery_replaced': { en: 'Recovery codes replaced', pt: 'Códigos de recuperação substituídos' },
    'user.recovery_used': { en: 'Recovery code used', pt: 'Código de recuperação usado' },
    'user.passkey_added': { en: 'Passkey added', pt: 'Chave de acesso adicionada' },
    'user.passkey_removed': { en: 'Passkey removed', pt: 'Chave de acesso removida' },
    'user.passkey_refused': {
      en: 'Passkey refused: its counter went back',
      pt: 'Chave de acesso recusada: o contador recuou',
    },
    'user.signed_in': { en: 'Signed in', pt: 'Sessão iniciada' },
    'user.changed': { en: 'User changed', pt: 'Utilizador alterado' },
    'session.revoked': { en: 'Session ended', pt: 'Sessão terminada' },
    'member.invited': { en: 'Invited to the team', pt: 'Convite para a equipa' },
    'member.joined': { en: 'Joined the team', pt: 'Entrou na equipa' },
    'member.changed': { en: 'Role changed', pt: 'Perfil alterado' },
    'member.removed': { en: 'Removed from the team', pt: 'Saiu da equipa' },
    'merchant.created': { en: 'Merchant created', pt: 'Comerciante criado' },
    'merchant.changed': { en: 'Merchant changed', pt: 'Comerciante alterado' },
    'key.created': { en: 'API key created', pt: 'Chave de API criada' },
    'key.rolled': { en: 'API key rotated', pt: 'Chave de API substituída' },
    'key.revoked': { en: 'API key revoked', pt: 'Chave de API revogada' },
    'key.revealed': { en: 'API key revealed', pt: 'Chave de API mostrada' },
    'secret.rotated': { en: 'Webhook secret rotated', pt: 'Segredo do webhook substituído' },
    'secret.rotation_finished': { en: 'Rotation finished', pt: 'Substituição do segredo concluída' },
    'secret.revealed': { en: 'Webhook secret revealed', pt: 'Segredo do webhook mostrado' },
    'secret_key.changed': { en: 'Service secret key replaced', pt: 'Chave secreta do serviço substituída' },
    'domain.added': { en: 'Domain added', pt: 'Domínio adicionado' },
    'domain.removed': { en: 'Domain removed', pt: 'Domínio removido' },
    'webhook.changed': { en: 'Webhook changed', pt: 'Webhook alterado' },
    'bank.changed': { en: 'Bank account changed', pt: 'Conta bancária alterada' },
    'bank.routed': { en: 'Acquirer of a method changed', pt: 'Adquirente de um método alterado' },
    'delivery.resent': { en: 'Event resent', pt: 'Notificação reenviada' },
    'deliveries.recovered': { en: 'Undelivered events resent', pt: 'Notificações por entregar reenviadas' },
    'test.sent': { en: 'Test event sent', pt: 'Notificação de teste enviada' },
    'transaction.released': { en: 'Payment released', pt: 'Pagamento libertado' },
    'transaction.credited': { en: 'Payment credited', pt: 'Pagamento creditado' },
    'receipt.assigned': { en: 'Payment assigned', pt: 'Recebimento atribuído' },
    'receipt.kept': { en: 'Case closed', pt: 'Caso encerrado' },
    'receipt.returned': { en: 'Payment marked as returned', pt: 'Recebimento marcado como devolvido' },
    'receipt.noted': { en: 'Note added', pt: 'Nota adicionada' },
    'link.created': { en: 'Payment link created', pt: 'Link de pagamento criado' },
    'link.closed': { en: 'Payment link closed', pt: 'Link de pagamento fechado' },
    'brand.changed': { en: 'Payment page changed', pt: 'Página de pagamento alterada' },
    'refund.created': { en: 'Refund requested', pt: 'Reembolso pedido' },
    'refund.changed': { en: 'Refund changed', pt: 'Reembolso alterado' },
    'refund.settled': { en: 'Refund settled by hand', pt: 'Reembolso resolvido manualmente' },
    'refunds.exported': {
      en: 'Refunds exported for bank transfer',
      pt: 'Reembolsos exportados para transferência bancária',
    },
    'refund.recorded': { en: 'Refund made at the bank recorded', pt: 'Reembolso feito no banco registado' },
    'refund.dismissed': {
      en: 'Refund reported by the bank dismissed',
      pt: 'Reembolso comunicado pelo banco arquivado',
    },
    'lead.erased': { en: 'Personal data erased', pt: 'Dados pessoais eliminados' },
  },
  yes: { en: 'yes', pt: 'sim' },
  no: { en: 'no', pt: 'não' },
};

/** The details of an entry by name. */
export type AuditDetails = Readonly<Partial<Record<keyof typeof AUDIT_WORDS.names, unknown>>>;

type Words = Readonly<Record<string, Record<Language, string>>>;

const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/;
/** Details whose values are translated. */
const WORDED = new Set(['role', 'flags', 'outcome', 'method', 'acquirer', 'fallback', 'by']);

/** The formatters of the details' values. */
interface DetailFormat {
  euro(amountCents: number): string;
  count(value: number): string;
  time(instant: number): string;
}

/** Returns the details of an entry as `name: value`; empty values are left out. */
export function auditDetails(
  details: Readonly<Record<string, unknown>>,
  language: Language,
  format: DetailFormat,
): { name: string; text: string }[] {
  const names: Words = AUDIT_WORDS.names;
  const values: Words = AUDIT_WORDS.values;
  const written = (name: string, value: unknown): string => {
    if (typeof value === 'boolean') return AUDIT_WORDS[value ? 'yes' : 'no'][language];
    if (typeof value === 'number') return name.endsWith('Cents') ? format.euro(value) : format.count(value);
    if (Array.isArray(value)) return value.map((one) => written(name, one)).join(', ');
    if (typeof value !== 'string') return written(name, setMembers(value));
    if (INSTANT.test(value)) return format.time(Date.parse(value));
    return WORDED.has(name) ? (values[value]?.[language] ?? value) : value;
  };
  return Object.entries(details)
    .map(([name, value]) => ({ name, text: value === null ? '' : written(name, value) }))
    .filter(({ text }) => text !== '')
    .map(({ name, text }) => ({ name, text: `${names[name]?.[language] ?? name}: ${text}` }));
}

/** The names of the members that are true: the flags of a receipt. */
function setMembers(value: unknown): string[] {
  return Object.entries(Object(value)).flatMap(([name, isSet]) => (isSet === true ? [name] : []));
}

/** The name of an action; that of a later version is shown as it is stored. */
export function actionName(action: string, language: Language): string {
  const names: Words = AUDIT_WORDS.actions;
  return names[action]?.[language] ?? action;
}

export function actorName(actor: string, language: Language): string {
  const names: Words = AUDIT_WORDS.actors;
  return names[actor]?.[language] ?? actor;
}
