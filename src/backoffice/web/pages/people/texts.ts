import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    description: 'Everyone with an account: roles, access and password resets.',
    counted: (count: string, one: boolean) => (one ? '1 person' : `${count} people`),
    searchHint: 'Start of the email',
    nowhere: 'No team',
    more: (count: number) => (count === 1 ? 'and 1 more' : `and ${count} more`),
    states: { in: 'Active', out: 'Disabled', pending: 'Invited' },
    none: 'No people found',
    noneText: 'Enter the start of the email. Invite new people from a merchant’s team page.',
    reset: 'Reset link',
    resetOf: (email: string) => `Reset link for ${email}`,
    resetTitle: 'Password reset link',
    resetText: (email: string) =>
      `${email} can use the link once, within 24 hours, to choose a new password. Until then, the old password works. Any earlier link stops working now. Verify the identity of the person who asked for it.`,
    totp: 'Also turn off two-factor authentication',
    totpText:
      'For a person who has lost their authenticator app or passkey. The link also removes their passkeys when it is used.',
    make: 'Create link',
    linkTitle: 'The link is ready',
    keepOut: 'Disable access',
    keepOutOf: (email: string) => `Disable access for ${email}`,
    keepOutTitle: (email: string) => `Disable access for ${email}?`,
    keepOutText:
      'All their sessions end now and they cannot sign in. Their links stop working. Their team roles are kept in case you restore access.',
    keptOut: (email: string) => `Access disabled for ${email}.`,
    letIn: 'Restore access',
    letInOf: (email: string) => `Restore access for ${email}`,
    letInTitle: (email: string) => `Restore access for ${email}?`,
    letInText:
      'They can sign in again with their previous password and two-factor authentication, and see what their roles allow.',
    isIn: (email: string) => `Access restored for ${email}.`,
  },
  pt: {
    description: 'Todas as pessoas com conta: perfis, acesso e reposição da palavra-passe.',
    counted: (count, one) => (one ? '1 pessoa' : `${count} pessoas`),
    searchHint: 'Início do e-mail',
    nowhere: 'Sem equipa',
    more: (count) => `e mais ${count}`,
    states: { in: 'Ativo', out: 'Sem acesso', pending: 'Convidado' },
    none: 'Nenhuma pessoa encontrada',
    noneText: 'Indique o início do e-mail. Convide novas pessoas na página Equipa de um comerciante.',
    reset: 'Link de reposição',
    resetOf: (email) => `Link de reposição para ${email}`,
    resetTitle: 'Link de reposição da palavra-passe',
    resetText: (email) =>
      `${email} pode usar o link uma vez, em 24 horas, para escolher uma nova palavra-passe. Até lá, a antiga continua válida. Qualquer link anterior deixa de funcionar. Confirme a identidade de quem o pediu.`,
    totp: 'Desativar também a autenticação de dois fatores',
    totpText:
      'Para quem perdeu a aplicação de autenticação ou a chave de acesso. Ao ser usado, o link remove também as chaves de acesso.',
    make: 'Criar link',
    linkTitle: 'O link está pronto',
    keepOut: 'Retirar acesso',
    keepOutOf: (email) => `Retirar acesso a ${email}`,
    keepOutTitle: (email) => `Retirar o acesso a ${email}?`,
    keepOutText:
      'Todas as sessões desta pessoa terminam já e deixa de poder iniciar sessão. Os links que recebeu deixam de funcionar. Os perfis nas equipas são mantidos, caso restaure o acesso.',
    keptOut: (email) => `Acesso retirado a ${email}.`,
    letIn: 'Restaurar acesso',
    letInOf: (email) => `Restaurar acesso de ${email}`,
    letInTitle: (email) => `Restaurar o acesso de ${email}?`,
    letInText:
      'Esta pessoa pode voltar a iniciar sessão com a palavra-passe e a autenticação de dois fatores anteriores, e vê o que os seus perfis permitem.',
    isIn: (email) => `Acesso restaurado para ${email}.`,
  },
});
