import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    description: 'Who can view this merchant and who can change it.',
    invite: 'Invite',
    open: 'Pending invitations',
    ownerText: 'Can view and change everything: keys, webhook, domains, team.',
    viewerText: 'Can view payments and settings. Cannot change anything or see secrets.',
    factorOn: 'Every member must use two-factor authentication. Without it, they can only set it up.',
    factorOff: (without: number) =>
      without === 0
        ? 'Every member uses two-factor authentication. You can make it mandatory.'
        : `Members decide for themselves. ${without} ${without === 1 ? 'person does' : 'people do'} not use it.`,
    require: 'Require for the team',
    requireTitle: 'Require two-factor authentication?',
    requireText: 'Members who do not use it must set it up at once, before they can continue.',
    requireSelfText:
      'Members who do not use it, including you, must set it up at once, before they can continue.',
    factorRequired: 'Two-factor authentication is now required.',
    free: 'Make optional',
    freeTitle: 'Make two-factor authentication optional?',
    freeText: 'Members can then turn it off and sign in with their password alone.',
    factorFreed: 'Two-factor authentication is now optional.',
    makeRole: { owner: 'Make owner', viewer: 'Make viewer' },
    roleTitle: {
      owner: (email: string) => `Make ${email} an owner?`,
      viewer: (email: string) => `Make ${email} a viewer?`,
    },
    roleText: {
      owner: 'Owners can view and change everything: keys, webhook, domains, team.',
      viewer: 'Viewers can view payments and settings. They cannot change anything or see secrets.',
    },
    ownRoleText:
      'You will no longer be able to change anything or see secrets. Only another owner can undo this.',
    changed: (email: string) => `Role of ${email} changed.`,
    removeOf: (email: string) => `Remove ${email}`,
    removeTitle: (email: string) => `Remove ${email}?`,
    removeText:
      'They lose access to this merchant at once. You can invite them again. API keys that they copied keep working: replace them on the page Developers.',
    ownRemoveText: 'You lose access to this merchant at once. Only another owner can invite you again.',
    removed: (email: string) => `${email} removed.`,
    takeBack: 'Revoke',
    takeBackOf: (email: string) => `Revoke the invitation for ${email}`,
    takenBack: 'Invitation revoked.',
    until: 'Valid until',
    inviteTitle: 'Invite a team member',
    linkTitle: 'The invitation is ready',
    ownersOnly: 'Only owners can manage the team',
    ownersOnlyText:
      'You can view this merchant’s payments and settings. Ask an owner to invite a team member.',
  },
  pt: {
    description: 'Quem pode ver este comerciante e quem o pode alterar.',
    invite: 'Convidar',
    open: 'Convites pendentes',
    ownerText: 'Vê e altera tudo: chaves, webhook, domínios, equipa.',
    viewerText: 'Vê pagamentos e definições. Não pode alterar nada nem ver segredos.',
    factorOn: 'Todos os membros têm de usar a autenticação de dois fatores. Sem ela, só a podem configurar.',
    factorOff: (without) =>
      without === 0
        ? 'Todos os membros usam a autenticação de dois fatores. Pode torná-la obrigatória.'
        : `Cada membro decide. ${without === 1 ? '1 pessoa não a usa' : `${without} pessoas não a usam`}.`,
    require: 'Exigir à equipa',
    requireTitle: 'Exigir a autenticação de dois fatores?',
    requireText: 'Os membros que não a usam têm de a configurar de imediato, antes de poderem continuar.',
    requireSelfText:
      'Os membros que não a usam, incluindo a sua conta, têm de a configurar de imediato, antes de poderem continuar.',
    factorRequired: 'A autenticação de dois fatores passou a ser obrigatória.',
    free: 'Tornar opcional',
    freeTitle: 'Tornar opcional a autenticação de dois fatores?',
    freeText: 'Os membros podem então desativá-la e iniciar sessão só com a palavra-passe.',
    factorFreed: 'A autenticação de dois fatores passou a ser opcional.',
    makeRole: { owner: 'Tornar proprietário', viewer: 'Passar a consulta' },
    roleTitle: {
      owner: (email) => `Tornar ${email} proprietário?`,
      viewer: (email) => `Passar ${email} a consulta?`,
    },
    roleText: {
      owner: 'Um proprietário vê e altera tudo: chaves, webhook, domínios, equipa.',
      viewer: 'Com o perfil de consulta vê pagamentos e definições. Não pode alterar nada nem ver segredos.',
    },
    ownRoleText:
      'Deixa de poder alterar o que quer que seja e de ver segredos. Só outro proprietário o pode reverter.',
    changed: (email) => `O perfil de ${email} foi alterado.`,
    removeOf: (email) => `Remover ${email}`,
    removeTitle: (email) => `Remover ${email}?`,
    removeText:
      'Esta pessoa perde de imediato o acesso a este comerciante. Pode voltar a convidá-la. As chaves de API que tenha copiado continuam válidas: substitua-as na página Programadores.',
    ownRemoveText:
      'Perde de imediato o acesso a este comerciante. Só outro proprietário pode voltar a convidar esta conta.',
    removed: (email) => `${email} foi removido da equipa.`,
    takeBack: 'Revogar',
    takeBackOf: (email) => `Revogar o convite de ${email}`,
    takenBack: 'Convite revogado.',
    until: 'Válido até',
    inviteTitle: 'Convidar para a equipa',
    linkTitle: 'O convite está pronto',
    ownersOnly: 'Só os proprietários podem gerir a equipa',
    ownersOnlyText:
      'Pode ver os pagamentos e as definições deste comerciante. Para convidar alguém, fale com um proprietário.',
  },
});
