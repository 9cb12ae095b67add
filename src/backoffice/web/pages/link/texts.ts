import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    checking: 'One moment…',
    inviteTitle: (merchant: string) => `Invitation to ${merchant}`,
    inviteText: (email: string, role: string) =>
      `You were invited as ${role}. Choose a password for ${email} to begin. If you already have an account, sign in.`,
    joinText: (email: string, role: string) => `You were invited as ${role}. You are signed in as ${email}.`,
    resetTitle: 'Choose a new password',
    resetText: (email: string) => `For ${email}. All your other sessions end.`,
    removesFactor:
      'Two-factor authentication is turned off as well, and your passkeys are removed. You can set both up again in your account.',
    roles: { owner: 'an owner', viewer: 'a viewer' },
    save: 'Save and sign in',
    join: 'Join the team',
    signInFirst: 'Sign in to accept',
    hasAccount:
      'You already have an account with a different password. Sign in with that password to accept.',
    goneTitle: 'This link does not work',
    goneText: 'The link has already been used or is more than 24 hours old. Ask the sender for a new one.',
    failedTitle: 'The link could not be checked',
    signInNow: 'Password saved. Sign in with it and a code from your authenticator app.',
    doneTitle: 'Almost there',
  },
  pt: {
    checking: 'Um momento…',
    inviteTitle: (merchant) => `Convite para ${merchant}`,
    inviteText: (email, role) =>
      `Recebeu um convite com o perfil ${role}. Para começar, escolha uma palavra-passe para ${email}. Se já tem conta, inicie sessão.`,
    joinText: (email, role) =>
      `Recebeu um convite com o perfil ${role}. Tem a sessão iniciada como ${email}.`,
    resetTitle: 'Escolha uma nova palavra-passe',
    resetText: (email) => `Para ${email}. Todas as suas outras sessões terminam.`,
    removesFactor:
      'A autenticação de dois fatores também é desativada, e as suas chaves de acesso são removidas. Pode voltar a configurá-las na sua conta.',
    roles: { owner: 'Proprietário', viewer: 'Consulta' },
    save: 'Guardar e entrar',
    join: 'Entrar na equipa',
    signInFirst: 'Iniciar sessão para aceitar',
    hasAccount: 'Já tem conta, com outra palavra-passe. Inicie sessão com essa palavra-passe para aceitar.',
    goneTitle: 'Este link não funciona',
    goneText: 'O link já foi usado ou tem mais de 24 horas. Peça um novo a quem o enviou.',
    failedTitle: 'Não foi possível verificar o link',
    signInNow: 'Palavra-passe guardada. Inicie sessão com ela e com um código da aplicação de autenticação.',
    doneTitle: 'Quase pronto',
  },
});
