import { ACQUIRER_NAMES, ACQUIRERS } from '../../../kernel/acquirer.ts';
import type { Reason } from '../../errors.ts';
import { formatOf } from './format-of.ts';
import type { Language } from './i18n.ts';

export type Values = Readonly<Record<string, string | number>>;

/** The types require a message in both languages for every reason of the server. */
type Sentences = Readonly<Record<Reason, (values: Values) => string>>;

const wait = (values: Values): number => Math.max(1, Math.ceil(Number(values.seconds ?? 60)));
const spanEn = (seconds: number) =>
  seconds < 90 ? `${seconds} ${seconds === 1 ? 'second' : 'seconds'}` : `${Math.ceil(seconds / 60)} minutes`;
const spanPt = (seconds: number) =>
  seconds < 90 ? `${seconds} segundo${seconds === 1 ? '' : 's'}` : `${Math.ceil(seconds / 60)} minutos`;

const euroEn = ({ rest }: Values) => formatOf('en').euro(Math.round(Number(rest) * 100));
const euroPt = ({ rest }: Values) => formatOf('pt').euro(Math.round(Number(rest) * 100));
const acquirerName = ({ acquirer }: Values) =>
  ACQUIRER_NAMES[ACQUIRERS.find((known) => known === acquirer) ?? 'ifthenpay'];

/** Messages by reason. */
export const REASON_TEXTS: Record<Language, Sentences> = {
  en: {
    foreign_page: () => 'Reload this page. If that fails, open the back office at its public address.',
    input_invalid: () => 'A value is not valid or is too long. Correct it and try again.',
    sign_in_wrong: () => 'Incorrect email or password.',
    sign_in_throttled: (values) => `Too many attempts. Try again in ${spanEn(wait(values))}.`,
    sign_in_busy: () => 'Too many people are signing in right now. Try again in a moment.',
    password_wrong: () => 'Incorrect password.',
    password_short: (values) => `Use at least ${values.min ?? 12} characters.`,
    password_long: (values) => `Use at most ${values.max ?? 200} characters.`,
    password_common: () => 'This password is too common. Try a few unrelated words.',
    password_address: () => 'Do not use your email address as a password.',
    password_same: () => 'This is your current password. Choose a different one.',
    password_changed: () => 'The password was changed elsewhere. Sign in again.',
    code_wrong: () => 'Incorrect code. Enter the code currently shown in your app.',
    code_used: () => 'This code was already used. Wait for the next one.',
    recovery_wrong: () => 'This is not one of your unused recovery codes.',
    code_missing: () => 'Enter the code shown in your authenticator app.',
    passkey_wrong: () => 'The passkey was not accepted. Try again, or use your password.',
    passkey_missing: () => 'Your password alone is not enough here. Confirm with your passkey.',
    passkey_known: () => 'This device already has a passkey for an account here.',
    passkey_unavailable: () => 'Passkeys do not work at this address: they need https and a host name.',
    passkeys_full: (values) => `You have the maximum of ${values.max ?? 10} passkeys. Remove one first.`,
    totp_on: () => 'Two-factor authentication is already on.',
    totp_off: () => 'Two-factor authentication is off.',
    link_gone: () => 'This link was already used or has expired. Ask for a new one.',
    email_invalid: () => 'Enter a valid email address.',
    member_already: () => 'This person is already in the team.',
    team_full: ({ max }) => `A team has at most ${max} people and invitations.`,
    last_owner: () => 'A merchant needs an owner. Make another person an owner first.',
    last_operator: () => 'This is the last operator. Make another person an operator first.',
    not_yourself: () => 'You cannot do this to your own account. Ask another operator.',
    url_scheme: () => 'The URL must start with https://. Payment events are never sent unencrypted.',
    url_long: () => 'The URL is too long. Use at most 2,048 characters.',
    url_malformed: () => 'Enter a valid URL, such as https://shop.pt/webhooks/payments.',
    url_credentials: () => 'The URL must not contain a user name or password. Remove the part before the @.',
    url_not_public: () =>
      'This URL cannot be reached from the internet. Use the public URL of the shop’s server.',
    url_unreachable: () =>
      'The endpoint could not be reached over https. Check the host name in the URL and save again.',
    webhook_without_url: () => 'No URL yet. Save a URL, then send the test event.',
    webhook_off: () => 'Sending is off. Turn it on, then resend the undelivered events.',
    sends_too_many: (values) =>
      `You can send ${values.limit ?? 30} test events and resends per minute. Try again in ${spanEn(wait(values))}.`,
    invites_too_many: (values) => `Too many invitations. Try again in ${spanEn(wait(values))}.`,
    secret_changed: () => 'The secret has just been changed. Reload the page.',
    rotation_running: () => 'A rotation is in progress. Finish it first, or replace both secrets at once.',
    moment_to_come: () => 'Choose a date and time in the past.',
    key_ended: () => 'This key has expired.',
    key_name: (values) => `Use 1 to ${values.max ?? 50} visible characters for the name.`,
    key_name_taken: () => 'A working key already has this name. Revoke it or choose another name.',
    key_days: (values) => `A key can expire in 1 to ${values.max ?? 3660} days.`,
    key_too_many: (values) => `A merchant has at most ${values.max ?? 20} working keys. Revoke one first.`,
    key_absent: () => 'This key has already stopped working.',
    name_length: (values) => `Enter a name of 1 to ${values.max} characters.`,
    domain_blank: () => 'Enter a domain, such as shop.pt.',
    domain_url: () => 'This is a URL. Enter only the domain, such as shop.pt.',
    domain_credentials: () => 'Enter only the domain, such as shop.pt, without anything before an @.',
    domain_path: () => 'Enter only the domain, such as shop.pt, without a path.',
    domain_port: () => 'Enter the domain without a port. Every port is accepted.',
    domain_wildcard: () => 'An asterisk is only allowed at the start: *.shop.pt.',
    domain_name: () => 'Enter a full domain name, such as shop.pt.',
    domain_suffix: () => 'This is a shared suffix. Enter your own domain, such as shop.com.pt.',
    domain_zone: () => 'Enter the address without the zone after the %.',
    domain_too_many: (values) =>
      `You have reached the maximum of ${values.max ?? 100} domains. Remove one, or use a wildcard such as *.shop.pt.`,
    domain_absent: () => 'This domain is no longer on the list.',
    route_no_account: (values) =>
      `There is no account at ${acquirerName(values)} for this merchant. Set one first, or a default account at ${acquirerName(values)}.`,
    route_changed: () => 'This route has been changed. Close this dialog and check the route first.',
    route_same_fallback: () => 'The fallback must be another acquirer, or none.',
    link_title: ({ max }) => `Use at most ${max} characters for the title, without tabs.`,
    link_order_id: ({ max }) => `Use at most ${max} characters for the order ID, without tabs.`,
    link_expired: () => 'The last day has passed. Choose another.',
    brand_colour: () => 'Choose a darker colour, so that white text can be read on it.',
    brand_logo_type: () => 'The logo must be a PNG, JPEG or WebP file.',
    brand_logo_size: ({ max }) => `The logo can have at most ${max} kB. Make it smaller and upload it again.`,
    user_disabled: () => 'This person’s access is disabled. Restore it first.',
    refund_unavailable: () => 'This payment cannot be refunded now.',
    refund_not_allowed: () => 'Refunds are switched off for this merchant.',
    refund_not_paid: () => 'The transaction is not paid. Refund one of its payments.',
    refund_several_receipts: () => 'The transaction has several payments. Refund one of them.',
    refund_held: () => 'The sale is on hold. Release it under Review before a refund.',
    refund_returned: () => 'This payment was marked as returned. It cannot be refunded.',
    refund_amount: () => 'Enter an amount above 0.',
    refund_above_rest: (values) => `At most ${euroEn(values)} can be refunded.`,
    refund_rest_changed: (values) =>
      `This payment has been refunded in the meantime: ${euroEn(values)} is left. Close this window and check its refunds first.`,
    refund_in_flight: () => 'Another refund of this payment is in progress. Wait for its outcome.',
    refund_text_long: (values) => `Use at most ${values.max ?? 500} characters for the reason.`,
    refund_iban: () => 'This IBAN is not valid in SEPA. Check its digits and its country.',
    refund_name: (values) =>
      `Enter the account holder’s name in Latin letters, with 1 to ${values.max ?? 140} characters.`,
    refund_note_missing: () => 'Enter a note that explains how the outcome is known.',
    refund_state: () => 'The refund has changed in the meantime. Reload the page.',
    refund_exported: () => 'The transfer was already exported. Its IBAN cannot be changed.',
    refund_repeated: () => 'This refund was already repeated.',
    refund_debtor_missing: (values) =>
      `The paying account is not configured. Set ${String(values.settings).replace(', ', ' and ')} and restart the service.`,
    refund_export_changed: () => 'A refund has just changed. Nothing was exported. Try again.',
    refund_export_unclear: () =>
      'The database did not confirm the export, so you received no file. Wait a minute and reload the page. If refunds are shown as exported but are in none of your files, export them again with “Include refunds that were already exported”.',
    refund_reported_open: () =>
      'The bank reports a refund of this payment that was made elsewhere. An operator must settle it first.',
    refund_reported_settled: () => 'This report was already settled. Reload the page.',
    refund_reported_unmatched: () => 'The report names no payment. Dismiss it with a note.',
    case_refunded: () => 'This payment already has a refund.',
    case_settled: () => 'This case has already been resolved. Reload the page.',
    case_changed: () => 'This case has just been changed. Reload the page.',
    case_due: () => 'This payment completed its transaction and cannot be marked as returned.',
    case_sum: () => 'The amount to refund has changed. Reload the page.',
    case_not_paying: () => 'This payment did not complete its transaction. Credit, assign or refund it.',
    case_ordinary: () => 'This payment has nothing to resolve, so there is no case to add a note to.',
    case_note_missing: () => 'Enter a note that explains what was done.',
    case_note_long: (values) => `Use at most ${values.max ?? 1000} characters for the note.`,
    case_notes_full: () => 'This case has reached the maximum number of notes.',
    case_assigned: () => 'This payment is already assigned to a transaction.',
    case_bank_says: (values) =>
      `According to the bank’s record, this payment is for ${values.transactionId ?? 'another transaction'}. Assign it there.`,
    case_no_transaction: () => 'No transaction has this ID. A transaction ID starts with tx_.',
    case_credit_short: () => 'The payments received do not reach the amount due yet.',
    case_paid: () => 'The transaction is already paid.',
    case_held: () => 'The transaction is on hold. Release it under Review.',
    case_not_held: () => 'The transaction is not on hold.',
  },
  pt: {
    foreign_page: () => 'Recarregue a página. Se falhar, abra a gestão de pagamentos no endereço público.',
    input_invalid: () => 'Há um valor inválido ou demasiado longo. Corrija-o e tente novamente.',
    sign_in_wrong: () => 'E-mail ou palavra-passe incorretos.',
    sign_in_throttled: (values) =>
      `Demasiadas tentativas. Tente novamente dentro de ${spanPt(wait(values))}.`,
    sign_in_busy: () => 'Há demasiadas pessoas a iniciar sessão. Tente novamente dentro de momentos.',
    password_wrong: () => 'Palavra-passe incorreta.',
    password_short: (values) => `Use pelo menos ${values.min ?? 12} caracteres.`,
    password_long: (values) => `Use no máximo ${values.max ?? 200} caracteres.`,
    password_common: () =>
      'Esta palavra-passe é demasiado comum. Experimente várias palavras sem relação entre si.',
    password_address: () => 'Não use o seu e-mail como palavra-passe.',
    password_same: () => 'Esta é a sua palavra-passe atual. Escolha outra.',
    password_changed: () => 'A palavra-passe foi alterada noutra sessão. Inicie sessão novamente.',
    code_wrong: () => 'Código incorreto. Introduza o código apresentado agora na aplicação.',
    code_used: () => 'Este código já foi usado. Aguarde pelo próximo.',
    recovery_wrong: () => 'Este não é um dos seus códigos de recuperação por usar.',
    code_missing: () => 'Introduza o código apresentado na aplicação de autenticação.',
    passkey_wrong: () => 'A chave de acesso não foi aceite. Tente novamente ou use a palavra-passe.',
    passkey_missing: () => 'Aqui a palavra-passe não é suficiente. Confirme com a sua chave de acesso.',
    passkey_known: () => 'Este dispositivo já tem uma chave de acesso para uma conta aqui.',
    passkey_unavailable: () =>
      'As chaves de acesso não funcionam neste endereço: precisam de https e de um nome de domínio.',
    passkeys_full: (values) => `Tem o máximo de ${values.max ?? 10} chaves de acesso. Remova uma primeiro.`,
    totp_on: () => 'A autenticação de dois fatores já está ativada.',
    totp_off: () => 'A autenticação de dois fatores está desativada.',
    link_gone: () => 'Este link já foi usado ou expirou. Peça um novo.',
    email_invalid: () => 'Indique um endereço de e-mail válido.',
    member_already: () => 'Esta pessoa já está na equipa.',
    team_full: ({ max }) => `Uma equipa tem no máximo ${max} pessoas e convites.`,
    last_owner: () => 'Um comerciante precisa de um proprietário. Torne primeiro outra pessoa proprietária.',
    last_operator: () => 'Este é o último operador. Torne primeiro outra pessoa operadora.',
    not_yourself: () => 'Não pode fazer isto à sua própria conta. Peça a outro operador.',
    url_scheme: () =>
      'O URL tem de começar por https://. As notificações nunca são enviadas sem encriptação.',
    url_long: () => 'O URL é demasiado longo. Use no máximo 2048 caracteres.',
    url_malformed: () => 'Indique um URL válido, por exemplo https://loja.pt/webhooks/pagamentos.',
    url_credentials: () => 'O URL não pode conter utilizador nem palavra-passe. Remova a parte antes do @.',
    url_not_public: () =>
      'Este URL não é acessível a partir da internet. Use o URL público do servidor da loja.',
    url_unreachable: () =>
      'Não foi possível contactar o endpoint por https. Verifique o nome do servidor no URL e guarde novamente.',
    webhook_without_url: () => 'Ainda sem URL. Guarde um URL e envie a notificação de teste.',
    webhook_off: () => 'O envio está desligado. Ligue-o e reenvie as notificações por entregar.',
    sends_too_many: (values) =>
      `Pode enviar ${values.limit ?? 30} notificações de teste e reenvios por minuto. Tente novamente dentro de ${spanPt(wait(values))}.`,
    invites_too_many: (values) => `Demasiados convites. Tente novamente dentro de ${spanPt(wait(values))}.`,
    secret_changed: () => 'O segredo acabou de ser alterado. Atualize a página.',
    rotation_running: () =>
      'Já está em curso uma substituição. Conclua-a primeiro, ou substitua de imediato os dois segredos.',
    moment_to_come: () => 'Escolha uma data e hora no passado.',
    key_ended: () => 'Esta chave expirou.',
    key_name: (values) => `O nome deve ter de 1 a ${values.max ?? 50} caracteres visíveis.`,
    key_name_taken: () => 'Já existe uma chave ativa com este nome. Revogue-a ou escolha outro nome.',
    key_days: (values) => `Uma chave pode expirar entre 1 e ${values.max ?? 3660} dias.`,
    key_too_many: (values) =>
      `Um comerciante tem no máximo ${values.max ?? 20} chaves ativas. Revogue uma primeiro.`,
    key_absent: () => 'Esta chave já deixou de funcionar.',
    name_length: (values) => `Indique um nome com 1 a ${values.max} caracteres.`,
    domain_blank: () => 'Indique um domínio, por exemplo loja.pt.',
    domain_url: () => 'Isto é um URL. Indique só o domínio, por exemplo loja.pt.',
    domain_credentials: () => 'Indique só o domínio, por exemplo loja.pt, sem nada antes de um @.',
    domain_path: () => 'Indique só o domínio, por exemplo loja.pt, sem caminho.',
    domain_port: () => 'Indique o domínio sem porta. Todas as portas são aceites.',
    domain_wildcard: () => 'O asterisco só pode estar no início: *.loja.pt.',
    domain_name: () => 'Indique um domínio completo, por exemplo loja.pt.',
    domain_suffix: () => 'Este é um sufixo partilhado. Indique o domínio da loja, p. ex. loja.com.pt.',
    domain_zone: () => 'Indique o endereço sem a zona a seguir ao %.',
    domain_too_many: (values) =>
      `Atingiu o máximo de ${values.max ?? 100} domínios. Remova um, ou use um com asterisco, como *.loja.pt.`,
    domain_absent: () => 'Este domínio já não está na lista.',
    route_no_account: (values) =>
      `Este comerciante não tem conta na ${acquirerName(values)}. Defina primeiro uma, ou uma conta predefinida na ${acquirerName(values)}.`,
    route_changed: () => 'Esta rota foi entretanto alterada. Feche esta janela e consulte-a primeiro.',
    route_same_fallback: () => 'A alternativa tem de ser outro adquirente, ou nenhum.',
    link_title: ({ max }) => `O título pode ter no máximo ${max} caracteres, sem tabulações.`,
    link_order_id: ({ max }) => `O n.º de encomenda pode ter no máximo ${max} caracteres, sem tabulações.`,
    link_expired: () => 'O último dia já passou. Escolha outro.',
    brand_colour: () => 'Escolha uma cor mais escura, para que o texto branco se leia bem.',
    brand_logo_type: () => 'O logótipo tem de ser um ficheiro PNG, JPEG ou WebP.',
    brand_logo_size: ({ max }) => `O logótipo pode ter no máximo ${max} kB. Reduza-o e carregue-o novamente.`,
    user_disabled: () => 'O acesso desta pessoa foi retirado. Restaure-o primeiro.',
    refund_unavailable: () => 'De momento, este recebimento não pode ser reembolsado.',
    refund_not_allowed: () => 'Os reembolsos estão desativados para este comerciante.',
    refund_not_paid: () => 'A transação não está paga. Reembolse um dos seus recebimentos.',
    refund_several_receipts: () => 'A transação tem vários recebimentos. Reembolse um deles.',
    refund_held: () => 'A venda está retida. Liberte-a em Revisão antes de a reembolsar.',
    refund_returned: () => 'Este recebimento foi marcado como devolvido. Não pode ser reembolsado.',
    refund_amount: () => 'Indique um valor superior a 0.',
    refund_above_rest: (values) => `Só pode reembolsar até ${euroPt(values)}.`,
    refund_rest_changed: (values) =>
      `Este pagamento foi entretanto reembolsado: restam ${euroPt(values)}. Feche esta janela e consulte primeiro os seus reembolsos.`,
    refund_in_flight: () => 'Já está em curso um reembolso deste recebimento. Aguarde pelo resultado.',
    refund_text_long: (values) => `O motivo pode ter no máximo ${values.max ?? 500} caracteres.`,
    refund_iban: () => 'Este IBAN não é válido na SEPA. Verifique os dígitos e o país.',
    refund_name: (values) =>
      `Indique o nome do titular da conta em letras latinas, com 1 a ${values.max ?? 140} caracteres.`,
    refund_note_missing: () => 'Indique numa nota como conhece o resultado.',
    refund_state: () => 'O reembolso foi entretanto alterado. Atualize a página.',
    refund_exported: () => 'A transferência já foi exportada. O IBAN não pode ser alterado.',
    refund_repeated: () => 'Este reembolso já foi repetido.',
    refund_debtor_missing: (values) =>
      `A conta pagadora não está configurada. Defina ${String(values.settings).replace(', ', ' e ')} e reinicie o serviço.`,
    refund_export_changed: () => 'Um reembolso acabou de ser alterado. Nada foi exportado. Tente novamente.',
    refund_export_unclear: () =>
      'A base de dados não confirmou a exportação, pelo que não recebeu nenhum ficheiro. Aguarde um minuto e atualize a página. Se constarem como exportados reembolsos que não estão em nenhum dos seus ficheiros, volte a exportá-los com «Incluir reembolsos já exportados».',
    refund_reported_open: () =>
      'O banco comunica um reembolso deste recebimento feito fora do serviço. Um operador tem de o regularizar primeiro.',
    refund_reported_settled: () => 'Este aviso já foi concluído. Atualize a página.',
    refund_reported_unmatched: () => 'O aviso não identifica um recebimento. Arquive-o com uma nota.',
    case_refunded: () => 'Este recebimento já tem um reembolso.',
    case_settled: () => 'Este caso já foi regularizado. Atualize a página.',
    case_changed: () => 'Este caso acabou de ser alterado. Atualize a página.',
    case_due: () => 'Este recebimento liquidou a transação e não pode ser marcado como devolvido.',
    case_sum: () => 'O valor a devolver mudou. Atualize a página.',
    case_not_paying: () => 'Este recebimento não liquidou a transação. Credite-o, atribua-o ou reembolse-o.',
    case_ordinary: () =>
      'Este pagamento não tem nada por regularizar, pelo que não há caso onde adicionar uma nota.',
    case_note_missing: () => 'Indique numa nota o que foi feito.',
    case_note_long: (values) => `A nota pode ter no máximo ${values.max ?? 1000} caracteres.`,
    case_notes_full: () => 'Este caso atingiu o número máximo de notas.',
    case_assigned: () => 'Este recebimento já está atribuído a uma transação.',
    case_bank_says: (values) =>
      `Segundo o registo do banco, este recebimento é de ${values.transactionId ?? 'outra transação'}. Atribua-o a essa transação.`,
    case_no_transaction: () => 'Nenhuma transação tem este ID. O ID de uma transação começa por tx_.',
    case_credit_short: () => 'Os recebimentos ainda não perfazem o valor devido.',
    case_paid: () => 'A transação já está paga.',
    case_held: () => 'A transação está retida. Liberte-a em Revisão.',
    case_not_held: () => 'A transação não está retida.',
  },
};
