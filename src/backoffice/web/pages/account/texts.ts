import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  passwordText: [
    'Changing your password ends all your other sessions.',
    'Ao alterar a palavra-passe, todas as suas outras sessões terminam.',
  ],
  current: ['Current password', 'Palavra-passe atual'],
  change: ['Change password', 'Alterar palavra-passe'],
  changed: [
    'Password changed. Your other sessions have ended.',
    'Palavra-passe alterada. As outras sessões terminaram.',
  ],
  totpOff: [
    'With a code from your phone at each sign-in, your password alone is not enough to sign in.',
    'Com um código do seu telemóvel em cada acesso, ninguém entra só com a sua palavra-passe.',
  ],
  totpOn: [
    'Each sign-in asks for a code from your authenticator app.',
    'Cada acesso pede um código da sua aplicação de autenticação.',
  ],
  turnOff: ['Turn off', 'Desativar'],
  turnOffTitle: ['Turn off two-factor authentication?', 'Desativar a autenticação de dois fatores?'],
  turnOffText: [
    'Your password alone will then be enough to sign in.',
    'A palavra-passe passa a ser suficiente para iniciar sessão.',
  ],
  turnedOff: ['Two-factor authentication is off.', 'Autenticação de dois fatores desativada.'],
  turnedOn: [
    'Two-factor authentication is on. Your other sessions have ended.',
    'Autenticação de dois fatores ativada. As outras sessões terminaram.',
  ],
  codesLeft: [
    (left: number) =>
      `${left} recovery ${left === 1 ? 'code' : 'codes'} left, for when you do not have your phone.`,
    (left) =>
      `${left === 1 ? 'Resta 1 código' : `Restam ${left} códigos`} de recuperação, para quando não tiver o telemóvel.`,
  ],
  renew: ['Create new codes', 'Criar novos códigos'],
  renewTitle: ['Create new recovery codes?', 'Criar novos códigos de recuperação?'],
  renewText: [
    'Your earlier recovery codes stop working.',
    'Os códigos de recuperação anteriores deixam de funcionar.',
  ],
  passkeysTitle: ['Passkeys', 'Chaves de acesso'],
  passkeysText: [
    'A passkey signs you in with your fingerprint, your face or the lock of your screen, without a password or code.',
    'Uma chave de acesso inicia a sua sessão com a impressão digital, o rosto ou o bloqueio do ecrã, sem palavra-passe nem código.',
  ],
  passkeysNowhere: [
    'Passkeys do not work at this address: they need https and a host name.',
    'As chaves de acesso não funcionam neste endereço: precisam de https e de um nome de domínio.',
  ],
  passkeysUnsupported: [
    'This browser does not support passkeys.',
    'Este navegador não suporta chaves de acesso.',
  ],
  passkeyAdded: ['Added', 'Adicionada'],
  addPasskey: ['Add a passkey', 'Adicionar chave de acesso'],
  passkeyWasAdded: ['Passkey added.', 'Chave de acesso adicionada.'],
  removePasskeyOf: [
    (name: string) => `Remove the passkey ${name}`,
    (name) => `Remover a chave de acesso ${name}`,
  ],
  removePasskeyTitle: [
    (name: string) => `Remove the passkey ${name}?`,
    (name) => `Remover a chave de acesso ${name}?`,
  ],
  removePasskeyText: [
    'You can no longer sign in with it, and your other sessions started with it end. Delete it on the device as well.',
    'Deixa de poder iniciar sessão com ela, e as outras sessões que iniciou com ela terminam. Elimine-a também no dispositivo.',
  ],
  passkeyRemoved: ['Passkey removed.', 'Chave de acesso removida.'],
  sessionsTitle: ['Active sessions', 'Sessões ativas'],
  device: ['Browser', 'Navegador'],
  address: ['IP address', 'Endereço IP'],
  since: ['Signed in', 'Início'],
  thisOne: ['This browser', 'Este navegador'],
  end: ['Sign out', 'Terminar'],
  endOf: [(device: string) => `Sign out of ${device}`, (device) => `Terminar a sessão de ${device}`],
  ended: ['Session ended.', 'Sessão terminada.'],
  endOthers: ['Sign out everywhere else', 'Terminar todas as outras'],
  endOthersTitle: ['Sign out everywhere else?', 'Terminar todas as outras sessões?'],
  endOthersText: [
    'All your other sessions end. You stay signed in here.',
    'Todas as suas outras sessões terminam. Esta mantém-se.',
  ],
  endedOthers: ['All other sessions have ended.', 'As outras sessões terminaram.'],
  unknownDevice: ['Unknown browser', 'Navegador desconhecido'],
  on: [
    (browser: string, system: string) => `${browser} on ${system}`,
    (browser, system) => `${browser} em ${system}`,
  ],
});
