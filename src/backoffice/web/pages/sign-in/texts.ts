import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  passkey: ['Sign in with a passkey', 'Entrar com chave de acesso'],
  help: [
    'Forgot your password? Contact us for a reset link.',
    'Esqueceu-se da palavra-passe? Fale connosco para receber um link de reposição.',
  ],
  codeTitle: ['One more step', 'Só mais um passo'],
  codeText: [
    'Enter the six-digit code from your authenticator app, or one of your recovery codes.',
    'Introduza o código de seis dígitos da aplicação de autenticação ou um dos seus códigos de recuperação.',
  ],
  back: ['Back', 'Voltar'],
  firstTitle: ['Choose your own password', 'Escolha a sua palavra-passe'],
  firstText: [
    'Your current password was set by someone else. Choose one that only you know.',
    'A sua palavra-passe atual foi definida por outra pessoa. Escolha uma que mais ninguém conheça.',
  ],
  save: ['Save and continue', 'Guardar e continuar'],
  teamText: [
    'A team that you belong to requires two-factor authentication. You need an authenticator app on your phone, or a passkey.',
    'Uma equipa a que pertence exige a autenticação de dois fatores. É necessária uma aplicação de autenticação no telemóvel ou uma chave de acesso.',
  ],
  factorText: [
    'Operators need two-factor authentication, because this service moves real money. You need an authenticator app on your phone, or a passkey.',
    'Os operadores precisam da autenticação de dois fatores, porque este serviço movimenta dinheiro real. É necessária uma aplicação de autenticação no telemóvel ou uma chave de acesso.',
  ],
  addPasskey: ['Add a passkey instead', 'Adicionar antes uma chave de acesso'],
  confirmTitle: ['Confirm with your passkey', 'Confirmar com a chave de acesso'],
  confirmText: [
    'Two-factor authentication is required here. You use a passkey for it.',
    'Aqui é obrigatória a autenticação de dois fatores. A sua é feita com uma chave de acesso.',
  ],
  confirmLost: [
    'Lost your passkey? Ask for a reset link that also turns off two-factor authentication.',
    'Perdeu a chave de acesso? Peça um link de reposição que desative também a autenticação de dois fatores.',
  ],
  confirm: ['Use your passkey', 'Usar a chave de acesso'],
});
