import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    checking: 'One moment…',
    inviteTitle: (merchant: string) => `Welcome to ${merchant}`,
    inviteText: (email: string, role: string) =>
      `You were invited as ${role}. Choose a password for ${email} to begin.`,
    joinText: (email: string, role: string) =>
      `You were invited as ${role}. You have an account already: ${email}.`,
    resetTitle: 'Choose a new password',
    resetText: (email: string) => `For ${email}. Every other session of yours ends with it.`,
    removesTotp: 'The second factor is removed as well; you can set it up again in your account.',
    roles: { owner: 'owner', viewer: 'viewer' },
    password: 'New password',
    save: 'Save and sign in',
    join: 'Join the team',
    signInFirst: 'Sign in to accept',
    goneTitle: 'This link does not work',
    goneText:
      'It was used before, or its 24 hours are over. Ask whoever sent it to you for a new one; that takes a moment.',
    failedTitle: 'The link could not be checked',
    again: 'Try again',
    signIn: 'To the sign-in',
    signInNow: 'Your new password is saved. Sign in with it and with your code.',
    doneTitle: 'Almost there',
  },
  pt: {
    checking: 'Um momento…',
    inviteTitle: (merchant) => `Boas-vindas a ${merchant}`,
    inviteText: (email, role) =>
      `Recebeu um convite ${role}. Escolha uma palavra-passe para ${email} e comece.`,
    joinText: (email, role) => `Recebeu um convite ${role}. Já tem uma conta: ${email}.`,
    resetTitle: 'Escolha uma nova palavra-passe',
    resetText: (email) => `Para ${email}. Todas as suas outras sessões terminam.`,
    removesTotp: 'O segundo fator também é removido; pode voltar a ligá-lo na sua conta.',
    roles: { owner: 'como proprietário', viewer: 'para consultar' },
    password: 'Nova palavra-passe',
    save: 'Guardar e entrar',
    join: 'Entrar na equipa',
    signInFirst: 'Iniciar sessão para aceitar',
    goneTitle: 'Esta ligação não funciona',
    goneText: 'Já foi usada, ou passaram as 24 horas. Peça uma nova a quem a enviou; é rápido.',
    failedTitle: 'Não foi possível verificar a ligação',
    again: 'Tentar outra vez',
    signIn: 'Para o início de sessão',
    signInNow: 'A nova palavra-passe está guardada. Inicie sessão com ela e com o seu código.',
    doneTitle: 'Quase pronto',
  },
});
