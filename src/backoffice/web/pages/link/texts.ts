import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  checking: ['One moment…', 'Um momento…'],
  inviteTitle: [(merchant: string) => `Invitation to ${merchant}`, (merchant) => `Convite para ${merchant}`],
  inviteText: [
    (email: string, role: string) =>
      `You were invited as ${role}. Choose a password for ${email} to begin. If you already have an account, sign in.`,
    (email, role) =>
      `Recebeu um convite com o perfil ${role}. Para começar, escolha uma palavra-passe para ${email}. Se já tem conta, inicie sessão.`,
  ],
  joinText: [
    (email: string, role: string) => `You were invited as ${role}. You are signed in as ${email}.`,
    (email, role) => `Recebeu um convite com o perfil ${role}. Tem a sessão iniciada como ${email}.`,
  ],
  resetTitle: ['Choose a new password', 'Escolha uma nova palavra-passe'],
  resetText: [
    (email: string) => `For ${email}. All your other sessions end.`,
    (email) => `Para ${email}. Todas as suas outras sessões terminam.`,
  ],
  removesFactor: [
    'Two-factor authentication is turned off as well, and your passkeys are removed. You can set both up again in your account.',
    'A autenticação de dois fatores também é desativada, e as suas chaves de acesso são removidas. Pode voltar a configurá-las na sua conta.',
  ],
  roles: {
    owner: ['an owner', 'Proprietário'],
    viewer: ['a viewer', 'Consulta'],
  },
  save: ['Save and sign in', 'Guardar e entrar'],
  join: ['Join the team', 'Entrar na equipa'],
  signInFirst: ['Sign in to accept', 'Iniciar sessão para aceitar'],
  hasAccount: [
    'You already have an account with a different password. Sign in with that password to accept.',
    'Já tem conta, com outra palavra-passe. Inicie sessão com essa palavra-passe para aceitar.',
  ],
  goneTitle: ['This link does not work', 'Este link não funciona'],
  goneText: [
    'The link has already been used or is more than 24 hours old. Ask the sender for a new one.',
    'O link já foi usado ou tem mais de 24 horas. Peça um novo a quem o enviou.',
  ],
  failedTitle: ['The link could not be checked', 'Não foi possível verificar o link'],
  signInNow: [
    'Password saved. Sign in with it and a code from your authenticator app.',
    'Palavra-passe guardada. Inicie sessão com ela e com um código da aplicação de autenticação.',
  ],
  doneTitle: ['Almost there', 'Quase pronto'],
});
