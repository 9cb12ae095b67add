import type { Reason } from '../../errors.ts';
import type { Language } from './i18n.ts';

export type Values = Readonly<Record<string, string | number>>;

/** What is said when the server said nothing that a person could read. */
export const PLAIN_TEXTS: Record<Language, { offline: string; unknown: string; refused: string }> = {
  en: {
    offline: 'The service does not answer. Check your connection, then try again.',
    unknown: 'Something went wrong on our side. Try again; if it stays, give us the request number.',
    refused: '',
  },
  pt: {
    offline: 'O serviço não responde. Verifique a ligação e tente outra vez.',
    unknown: 'Algo correu mal do nosso lado. Tente outra vez; se continuar, indique-nos o número do pedido.',
    refused: 'O serviço recusou: ',
  },
};

/** Sentences for codes whose own sentence would say no more. */
export const CODE_TEXTS: Record<Language, Record<string, string>> = {
  en: {
    UNAUTHORIZED: 'You are signed out. Sign in again to continue.',
    FORBIDDEN: 'Your role does not allow this. An owner of the merchant can do it.',
    NOT_FOUND: 'There is nothing here, or it is not yours to see.',
    TOO_MANY_REQUESTS: 'Those were too many tries. Wait a little, then try again.',
    INTERNAL_ERROR: PLAIN_TEXTS.en.unknown,
    BANK_UNAVAILABLE: 'The bank does not answer at the moment. Try again in a few minutes.',
    REAUTHENTICATE: 'Give your password again before this.',
    PASSWORD_CHANGE: 'Choose a password of your own before anything else.',
  },
  pt: {
    UNAUTHORIZED: 'A sua sessão terminou. Inicie sessão para continuar.',
    FORBIDDEN: 'O seu perfil não permite isto. Um proprietário do comerciante pode fazê-lo.',
    NOT_FOUND: 'Não há nada aqui, ou não lhe pertence.',
    TOO_MANY_REQUESTS: 'Foram demasiadas tentativas. Espere um pouco e tente outra vez.',
    INTERNAL_ERROR: PLAIN_TEXTS.pt.unknown,
    BANK_UNAVAILABLE: 'O banco não responde de momento. Tente outra vez daqui a uns minutos.',
    REAUTHENTICATE: 'Escreva a palavra-passe outra vez antes de continuar.',
    PASSWORD_CHANGE: 'Antes de mais, escolha uma palavra-passe sua.',
  },
};

/** Each reason that the server may name has its sentence in both languages, or the types do not hold. */
type Sentences = Readonly<Record<Reason, (values: Values) => string>>;

const wait = (values: Values): number => Math.max(1, Math.ceil(Number(values.seconds ?? 60)));
const spanEn = (seconds: number) =>
  seconds < 90 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`;
const spanPt = (seconds: number) =>
  seconds < 90 ? `${seconds} segundos` : `${Math.ceil(seconds / 60)} minutos`;

/** Sentences for the exact reasons that the server names. */
export const REASON_TEXTS: Record<Language, Sentences> = {
  en: {
    sign_in_wrong: () => 'The e-mail or the password is not right.',
    sign_in_throttled: (values) => `Those were too many tries. Try again in ${spanEn(wait(values))}.`,
    sign_in_busy: () => 'Many people are signing in right now. Try again in a moment.',
    password_wrong: () => 'The password is not right.',
    password_short: (values) => `Take at least ${values.min ?? 12} characters.`,
    password_long: (values) => `Take at most ${values.max ?? 200} characters.`,
    password_common: () => 'This password is among those that are tried first. Take a sentence of your own.',
    password_address: () => 'Your e-mail is no good password. Take a sentence of your own.',
    password_same: () => 'That is the password you have. Take another.',
    code_wrong: () => 'The code is not right. Take the one that your app shows now.',
    code_used: () => 'This code has been used. Wait for the next one.',
    code_missing: () => 'Give the code that your authenticator app shows.',
    totp_on: () => 'The second factor is on already.',
    totp_off: () => 'The second factor is off.',
    link_gone: () => 'This link was used before, or its 24 hours are over. Ask for a new one.',
    link_sign_in: (values) =>
      `This invitation is for ${values.email}. Sign in with that e-mail, then open the link again.`,
    email_invalid: () => 'This is not an e-mail address.',
    member_already: () => 'This person is in the team already.',
    last_owner: () => 'A merchant needs an owner. Make somebody else an owner first.',
    last_operator: () => 'This is the last operator. Make somebody else an operator first.',
    not_yourself: () => 'You cannot do this to yourself. Ask another operator.',
    url_scheme: () => 'The address must begin with https://. Payment events are never sent in the open.',
    url_long: () => 'The address is too long. It may have 2,048 characters.',
    url_malformed: () => 'This is not an address. Write it like https://shop.pt/webhooks/payments.',
    url_credentials: () =>
      'The address must not carry a user name or password. Remove what stands before the @.',
    url_not_public: () =>
      'This address is not on the public internet. Use the public address of the shop’s server.',
    url_unreachable: () =>
      'The endpoint could not be reached over https. Check the name in the address, then save again.',
    webhook_without_url: () => 'There is no address yet. Save one, then send the test.',
    webhook_off: () => 'The webhook is off. Turn it on, then resend what was missed.',
    rotation_running: () => 'A rotation is still running. Finish it first, or replace both secrets at once.',
    moment_to_come: () => 'That moment is yet to come. Take one in the past.',
    key_ended: () => 'This key has ended and opens nothing any more.',
    domain_blank: () => 'Write a domain such as shop.pt.',
    domain_url: () => 'This is a whole address. Write the domain alone, such as shop.pt.',
    domain_credentials: () => 'Write the domain alone, such as shop.pt, without anything before an @.',
    domain_path: () => 'Write the domain alone, such as shop.pt, without what follows it.',
    domain_port: () => 'Write the domain without a port: every port is accepted.',
    domain_wildcard: () => 'The asterisk may only stand in front: *.shop.pt.',
    domain_name: () => 'This is not a domain name. Write it like shop.pt.',
    domain_suffix: () => 'Many owners share this ending. Write the name of the shop in front of it.',
    domain_zone: () => 'Write the address without the zone that follows the %.',
    domain_too_many: (values) =>
      `There are ${values.max ?? 100} domains already, the most there can be. Remove one, or use a wildcard such as *.shop.pt.`,
    domain_absent: () => 'This domain is not on the list, or not any more.',
    case_settled: () => 'Somebody has settled this case already. Look at it again.',
    case_changed: () => 'Somebody has just changed this case. Look at it again.',
    case_due: () => 'This money paid its transaction: it is due and cannot be marked as returned.',
    case_sum: () => 'Another sum goes back of this receipt. Look at the case again.',
    case_not_paying: () => 'This money did not pay its transaction: credit, assign or return it.',
    case_ordinary: () => 'This is an ordinary payment: there is nothing to write about it here.',
    case_note_missing: () => 'Write a note: it says to everybody what was done.',
    case_note_long: (values) => `The note may have ${values.max ?? 1000} characters.`,
    case_notes_full: () => 'This case has as many notes as it can take.',
    case_assigned: () => 'This money belongs to a transaction already.',
    case_bank_says: (values) =>
      `By the bank’s own numbers this money was paid for ${values.transactionId ?? 'another transaction'}. Assign it there.`,
    case_no_transaction: () => 'There is no transaction of this number. It begins with tx_.',
    case_credit_short: () => 'What came in does not reach the amount yet.',
    case_paid: () => 'The transaction is paid already.',
    case_held: () => 'The transaction is held. Release it under Review.',
    case_not_held: () => 'The transaction is not held.',
  },
  pt: {
    sign_in_wrong: () => 'O e-mail ou a palavra-passe não estão certos.',
    sign_in_throttled: (values) =>
      `Foram demasiadas tentativas. Tente outra vez dentro de ${spanPt(wait(values))}.`,
    sign_in_busy: () => 'Há muitas pessoas a iniciar sessão agora. Tente daqui a pouco.',
    password_wrong: () => 'A palavra-passe não está certa.',
    password_short: (values) => `Use pelo menos ${values.min ?? 12} caracteres.`,
    password_long: (values) => `Use no máximo ${values.max ?? 200} caracteres.`,
    password_common: () => 'Esta palavra-passe é das primeiras que se experimentam. Use uma frase sua.',
    password_address: () => 'O seu e-mail não serve de palavra-passe. Use uma frase sua.',
    password_same: () => 'Essa é a palavra-passe que já tem. Escolha outra.',
    code_wrong: () => 'O código não está certo. Use o que a aplicação mostra agora.',
    code_used: () => 'Este código já foi usado. Espere pelo próximo.',
    code_missing: () => 'Escreva o código que a aplicação de autenticação mostra.',
    totp_on: () => 'O segundo fator já está ligado.',
    totp_off: () => 'O segundo fator está desligado.',
    link_gone: () => 'Esta ligação já foi usada, ou passaram as 24 horas. Peça uma nova.',
    link_sign_in: (values) =>
      `Este convite é para ${values.email}. Inicie sessão com esse e-mail e abra a ligação outra vez.`,
    email_invalid: () => 'Isto não é um endereço de e-mail.',
    member_already: () => 'Esta pessoa já está na equipa.',
    last_owner: () => 'Um comerciante precisa de um proprietário. Nomeie primeiro outra pessoa.',
    last_operator: () => 'Este é o último operador. Nomeie primeiro outra pessoa.',
    not_yourself: () => 'Não pode fazer isto a si próprio. Peça a outro operador.',
    url_scheme: () => 'O endereço tem de começar por https://. Os avisos nunca seguem sem cifra.',
    url_long: () => 'O endereço é demasiado longo. Pode ter 2048 caracteres.',
    url_malformed: () => 'Isto não é um endereço. Escreva-o como https://loja.pt/webhooks/pagamentos.',
    url_credentials: () =>
      'O endereço não pode levar utilizador nem palavra-passe. Apague o que está antes do @.',
    url_not_public: () =>
      'Este endereço não está na internet pública. Use o endereço público do servidor da loja.',
    url_unreachable: () =>
      'Não foi possível chegar a este endereço por https. Verifique o nome e guarde outra vez.',
    webhook_without_url: () => 'Ainda não há endereço. Guarde um e depois envie o teste.',
    webhook_off: () => 'O webhook está desligado. Ligue-o e depois reenvie o que falta.',
    rotation_running: () =>
      'Ainda decorre uma troca de segredo. Termine-a primeiro, ou substitua já os dois segredos.',
    moment_to_come: () => 'Esse momento ainda não chegou. Escolha um no passado.',
    key_ended: () => 'Esta chave terminou e já não abre nada.',
    domain_blank: () => 'Escreva um domínio, por exemplo loja.pt.',
    domain_url: () => 'Isto é um endereço completo. Escreva só o domínio, por exemplo loja.pt.',
    domain_credentials: () => 'Escreva só o domínio, por exemplo loja.pt, sem nada antes de um @.',
    domain_path: () => 'Escreva só o domínio, por exemplo loja.pt, sem o que vem a seguir.',
    domain_port: () => 'Escreva o domínio sem a porta: todas as portas são aceites.',
    domain_wildcard: () => 'O asterisco só pode estar no início: *.loja.pt.',
    domain_name: () => 'Isto não é um domínio. Escreva-o como loja.pt.',
    domain_suffix: () => 'Muitos donos partilham esta terminação. Escreva antes dela o nome da loja.',
    domain_zone: () => 'Escreva o endereço sem a zona que vem depois do %.',
    domain_too_many: (values) =>
      `Já há ${values.max ?? 100} domínios, o máximo possível. Remova um, ou use um com asterisco, como *.loja.pt.`,
    domain_absent: () => 'Este domínio não está na lista, ou já não está.',
    case_settled: () => 'Alguém já tratou deste caso. Veja-o outra vez.',
    case_changed: () => 'Alguém acabou de alterar este caso. Veja-o outra vez.',
    case_due: () => 'Este dinheiro pagou a sua transação: é devido e não pode ser marcado como devolvido.',
    case_sum: () => 'Deste recebimento devolve-se outro valor. Veja o caso outra vez.',
    case_not_paying: () => 'Este dinheiro não pagou a sua transação: credite-o, atribua-o ou devolva-o.',
    case_ordinary: () => 'Este é um pagamento normal: não há nada a escrever sobre ele aqui.',
    case_note_missing: () => 'Escreva uma nota: diz a todos o que foi feito.',
    case_note_long: (values) => `A nota pode ter ${values.max ?? 1000} caracteres.`,
    case_notes_full: () => 'Este caso já tem todas as notas que pode ter.',
    case_assigned: () => 'Este dinheiro já pertence a uma transação.',
    case_bank_says: (values) =>
      `Segundo os números do próprio banco, este dinheiro foi pago para ${values.transactionId ?? 'outra transação'}. Atribua-o a essa.`,
    case_no_transaction: () => 'Não há transação com este número. Começa por tx_.',
    case_credit_short: () => 'O que chegou ainda não perfaz o valor.',
    case_paid: () => 'A transação já está paga.',
    case_held: () => 'A transação está retida. Liberte-a em Revisão.',
    case_not_held: () => 'A transação não está retida.',
  },
};
