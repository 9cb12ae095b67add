import type { Language } from './i18n.ts';

/** Precedes a message of the server that has no translation. */
export const REFUSED: Record<Language, string> = { en: '', pt: 'O serviço recusou: ' };

/** Messages by error code; OFFLINE when the server did not respond. */
export const CODE_TEXTS: Record<Language, Record<string, string>> = {
  en: {
    UNAUTHORIZED: 'Your session has ended. Sign in again to continue.',
    FORBIDDEN: 'Your role does not allow this. Ask an owner of the merchant.',
    NOT_FOUND: 'Not found, or you do not have access.',
    TOO_MANY_REQUESTS: 'Too many attempts. Wait a moment and try again.',
    OFFLINE: 'The service does not respond. Check your connection and try again.',
    INTERNAL_ERROR: 'An internal error occurred. Try again. If it persists, send us the request ID.',
    BANK_UNAVAILABLE: 'The bank is not responding. Try again in a few minutes.',
    REAUTHENTICATE: 'Confirm your password to continue.',
    PASSWORD_CHANGE: 'Choose your own password before you continue.',
    SECOND_FACTOR: 'Set up two-factor authentication before you continue.',
  },
  pt: {
    UNAUTHORIZED: 'A sua sessão terminou. Inicie sessão para continuar.',
    FORBIDDEN: 'O seu perfil não permite esta operação. Fale com um proprietário do comerciante.',
    NOT_FOUND: 'Não encontrado ou sem permissão de acesso.',
    TOO_MANY_REQUESTS: 'Demasiadas tentativas. Aguarde um momento e tente novamente.',
    OFFLINE: 'O serviço não responde. Verifique a ligação à internet e tente novamente.',
    INTERNAL_ERROR: 'Ocorreu um erro interno. Tente novamente. Se persistir, indique-nos o ID do pedido.',
    BANK_UNAVAILABLE: 'O banco não está a responder. Tente novamente dentro de alguns minutos.',
    REAUTHENTICATE: 'Confirme a palavra-passe para continuar.',
    PASSWORD_CHANGE: 'Escolha a sua própria palavra-passe antes de continuar.',
    SECOND_FACTOR: 'Configure a autenticação de dois fatores antes de continuar.',
  },
};
