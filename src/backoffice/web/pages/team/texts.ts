import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Who can view this merchant and who can change it.',
    'Quem pode ver este comerciante e quem o pode alterar.',
  ],
  invite: ['Invite', 'Convidar'],
  open: ['Pending invitations', 'Convites pendentes'],
  ownerText: [
    'Can view and change everything: keys, webhook, domains, team.',
    'Vê e altera tudo: chaves, webhook, domínios, equipa.',
  ],
  viewerText: [
    'Can view payments and settings. Cannot change anything or see secrets.',
    'Vê pagamentos e definições. Não pode alterar nada nem ver segredos.',
  ],
  factorOn: [
    'Every member must use two-factor authentication. Without it, they can only set it up.',
    'Todos os membros têm de usar a autenticação de dois fatores. Sem ela, só a podem configurar.',
  ],
  factorOff: [
    (without: number) =>
      without === 0
        ? 'Every member uses two-factor authentication. You can make it mandatory.'
        : `Members decide for themselves. ${without} ${without === 1 ? 'person does' : 'people do'} not use it.`,
    (without) =>
      without === 0
        ? 'Todos os membros usam a autenticação de dois fatores. Pode torná-la obrigatória.'
        : `Cada membro decide. ${without === 1 ? '1 pessoa não a usa' : `${without} pessoas não a usam`}.`,
  ],
  require: ['Require for the team', 'Exigir à equipa'],
  requireTitle: ['Require two-factor authentication?', 'Exigir a autenticação de dois fatores?'],
  requireText: [
    'Members who do not use it must set it up at once, before they can continue.',
    'Os membros que não a usam têm de a configurar de imediato, antes de poderem continuar.',
  ],
  requireSelfText: [
    'Members who do not use it, including you, must set it up at once, before they can continue.',
    'Os membros que não a usam, incluindo a sua conta, têm de a configurar de imediato, antes de poderem continuar.',
  ],
  factorRequired: [
    'Two-factor authentication is now required.',
    'A autenticação de dois fatores passou a ser obrigatória.',
  ],
  free: ['Make optional', 'Tornar opcional'],
  freeTitle: ['Make two-factor authentication optional?', 'Tornar opcional a autenticação de dois fatores?'],
  freeText: [
    'Members can then turn it off and sign in with their password alone.',
    'Os membros podem então desativá-la e iniciar sessão só com a palavra-passe.',
  ],
  factorFreed: [
    'Two-factor authentication is now optional.',
    'A autenticação de dois fatores passou a ser opcional.',
  ],
  makeRole: {
    owner: ['Make owner', 'Tornar proprietário'],
    viewer: ['Make viewer', 'Passar a consulta'],
  },
  roleTitle: {
    owner: [(email: string) => `Make ${email} an owner?`, (email) => `Tornar ${email} proprietário?`],
    viewer: [(email: string) => `Make ${email} a viewer?`, (email) => `Passar ${email} a consulta?`],
  },
  roleText: {
    owner: [
      'Owners can view and change everything: keys, webhook, domains, team.',
      'Um proprietário vê e altera tudo: chaves, webhook, domínios, equipa.',
    ],
    viewer: [
      'Viewers can view payments and settings. They cannot change anything or see secrets.',
      'Com o perfil de consulta vê pagamentos e definições. Não pode alterar nada nem ver segredos.',
    ],
  },
  ownRoleText: [
    'You will no longer be able to change anything or see secrets. Only another owner can undo this.',
    'Deixa de poder alterar o que quer que seja e de ver segredos. Só outro proprietário o pode reverter.',
  ],
  changed: [(email: string) => `Role of ${email} changed.`, (email) => `O perfil de ${email} foi alterado.`],
  removeOf: [(email: string) => `Remove ${email}`, (email) => `Remover ${email}`],
  removeTitle: [(email: string) => `Remove ${email}?`, (email) => `Remover ${email}?`],
  removeText: [
    'They lose access to this merchant at once. You can invite them again. API keys that they copied keep working: replace them on the page Developers.',
    'Esta pessoa perde de imediato o acesso a este comerciante. Pode voltar a convidá-la. As chaves de API que tenha copiado continuam válidas: substitua-as na página Programadores.',
  ],
  ownRemoveText: [
    'You lose access to this merchant at once. Only another owner can invite you again.',
    'Perde de imediato o acesso a este comerciante. Só outro proprietário pode voltar a convidar esta conta.',
  ],
  removed: [(email: string) => `${email} removed.`, (email) => `${email} foi removido da equipa.`],
  takeBack: ['Revoke', 'Revogar'],
  takeBackOf: [
    (email: string) => `Revoke the invitation for ${email}`,
    (email) => `Revogar o convite de ${email}`,
  ],
  takenBack: ['Invitation revoked.', 'Convite revogado.'],
  until: ['Valid until', 'Válido até'],
  inviteTitle: ['Invite a team member', 'Convidar para a equipa'],
  linkTitle: ['The invitation is ready', 'O convite está pronto'],
  ownersOnly: ['Only owners can manage the team', 'Só os proprietários podem gerir a equipa'],
  ownersOnlyText: [
    'You can view this merchant’s payments and settings. Ask an owner to invite a team member.',
    'Pode ver os pagamentos e as definições deste comerciante. Para convidar alguém, fale com um proprietário.',
  ],
});
