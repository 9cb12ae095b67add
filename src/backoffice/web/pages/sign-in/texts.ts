import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    title: 'Sign in',
    email: 'E-mail',
    password: 'Password',
    show: 'Show or hide the password',
    signIn: 'Sign in',
    help: 'Forgot your password? Contact us for a reset link.',
    codeTitle: 'One more step',
    codeText: 'Open your authenticator app and enter the six-digit code.',
    code: 'Six-digit code',
    continue: 'Continue',
    back: 'Back',
    firstTitle: 'Choose your own password',
    firstText: 'Your current password was set by someone else. Choose one that only you know.',
    newPassword: 'New password',
    save: 'Save and continue',
    factorTitle: 'Set up two-factor authentication',
    teamText:
      'A team that you belong to requires two-factor authentication. You need an authenticator app on your phone.',
    factorText:
      'Operators need two-factor authentication, because this service moves real money. You need an authenticator app on your phone.',
    codesTitle: 'Your recovery codes',
    setUp: 'Set up',
    signOut: 'Sign out',
  },
  pt: {
    title: 'Iniciar sessão',
    email: 'E-mail',
    password: 'Palavra-passe',
    show: 'Mostrar ou ocultar a palavra-passe',
    signIn: 'Iniciar sessão',
    help: 'Esqueceu-se da palavra-passe? Fale connosco para receber um link de reposição.',
    codeTitle: 'Só mais um passo',
    codeText: 'Abra a aplicação de autenticação e introduza o código de seis dígitos.',
    code: 'Código de seis dígitos',
    continue: 'Continuar',
    back: 'Voltar',
    firstTitle: 'Escolha a sua palavra-passe',
    firstText:
      'A sua palavra-passe atual foi definida por outra pessoa. Escolha uma que mais ninguém conheça.',
    newPassword: 'Nova palavra-passe',
    save: 'Guardar e continuar',
    factorTitle: 'Configurar autenticação de dois fatores',
    teamText:
      'Uma equipa a que pertence exige a autenticação de dois fatores. É necessária uma aplicação de autenticação no telemóvel.',
    factorText:
      'Os operadores precisam da autenticação de dois fatores, porque este serviço movimenta dinheiro real. É necessária uma aplicação de autenticação no telemóvel.',
    codesTitle: 'Os seus códigos de recuperação',
    setUp: 'Configurar',
    signOut: 'Terminar sessão',
  },
});
