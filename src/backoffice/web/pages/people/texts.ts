import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Everyone with an account: roles, access and password resets.',
    'Todas as pessoas com conta: perfis, acesso e reposição da palavra-passe.',
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 person' : `${count} people`),
    (count, one) => (one ? '1 pessoa' : `${count} pessoas`),
  ],
  searchHint: ['Start of the email', 'Início do e-mail'],
  nowhere: ['No team', 'Sem equipa'],
  more: [(count: number) => (count === 1 ? 'and 1 more' : `and ${count} more`), (count) => `e mais ${count}`],
  states: {
    in: ['Active', 'Ativo'],
    out: ['Disabled', 'Sem acesso'],
    pending: ['Invited', 'Convidado'],
  },
  unseen: ['Never signed in', 'Nunca iniciou sessão'],
  none: ['No people found', 'Nenhuma pessoa encontrada'],
  noneText: [
    'Enter the start of the email. Invite new people from a merchant’s team page.',
    'Indique o início do e-mail. Convide novas pessoas na página Equipa de um comerciante.',
  ],
  reset: ['Reset link', 'Link de reposição'],
  resetOf: [(email: string) => `Reset link for ${email}`, (email) => `Link de reposição para ${email}`],
  resetTitle: ['Password reset link', 'Link de reposição da palavra-passe'],
  resetText: [
    (email: string) =>
      `${email} can use the link once, within 24 hours, to choose a new password. Until then, the old password works. Any earlier link stops working now. Verify the identity of the person who asked for it.`,
    (email) =>
      `${email} pode usar o link uma vez, em 24 horas, para escolher uma nova palavra-passe. Até lá, a antiga continua válida. Qualquer link anterior deixa de funcionar. Confirme a identidade de quem o pediu.`,
  ],
  totp: ['Also turn off two-factor authentication', 'Desativar também a autenticação de dois fatores'],
  totpText: [
    'For a person who has lost their authenticator app or passkey. The link also removes their passkeys when it is used.',
    'Para quem perdeu a aplicação de autenticação ou a chave de acesso. Ao ser usado, o link remove também as chaves de acesso.',
  ],
  make: ['Create link', 'Criar link'],
  linkTitle: ['The link is ready', 'O link está pronto'],
  keepOut: ['Disable access', 'Retirar acesso'],
  keepOutOf: [(email: string) => `Disable access for ${email}`, (email) => `Retirar acesso a ${email}`],
  keepOutTitle: [
    (email: string) => `Disable access for ${email}?`,
    (email) => `Retirar o acesso a ${email}?`,
  ],
  keepOutText: [
    'All their sessions end now and they cannot sign in. Their links stop working. Their team roles are kept in case you restore access.',
    'Todas as sessões desta pessoa terminam já e deixa de poder iniciar sessão. Os links que recebeu deixam de funcionar. Os perfis nas equipas são mantidos, caso restaure o acesso.',
  ],
  keptOut: [(email: string) => `Access disabled for ${email}.`, (email) => `Acesso retirado a ${email}.`],
  letIn: ['Restore access', 'Restaurar acesso'],
  letInOf: [(email: string) => `Restore access for ${email}`, (email) => `Restaurar acesso de ${email}`],
  letInTitle: [
    (email: string) => `Restore access for ${email}?`,
    (email) => `Restaurar o acesso de ${email}?`,
  ],
  letInText: [
    'They can sign in again with their previous password and two-factor authentication, and see what their roles allow.',
    'Esta pessoa pode voltar a iniciar sessão com a palavra-passe e a autenticação de dois fatores anteriores, e vê o que os seus perfis permitem.',
  ],
  isIn: [(email: string) => `Access restored for ${email}.`, (email) => `Acesso restaurado para ${email}.`],
});
