import { texts } from '../../lib/i18n.ts';

export const WEBHOOK_TEXTS = texts({
  en: {
    title: 'Webhooks',
    none: 'No events yet. One is sent with every status change.',
    number: (number: string) => `no. ${number}`,
    origin: { event: '', resend: 'resent', recovery: 'resent in bulk' },
    resend: 'Resend',
    resendName: (event: string) => `Resend ${event}`,
    sending: 'Resent; waiting for the shop’s response…',
    sent: (status: number, time: string) => `Delivered: the shop answered ${status} after ${time}.`,
    retrying: (error: string) => `Not delivered yet: ${error} The next attempt follows in seconds.`,
    failed: (error: string) => `Failed again: ${error}`,
    skipped: 'Nothing was sent: the webhook has no URL or is switched off.',
    attempts: 'Attempts',
    attempt: 'Attempt',
    attemptName: (number: number) => `Attempt ${number}`,
    answered: (status: number) => `Answered ${status}`,
    forgotten: (count: number, days: number) =>
      `${count === 1 ? '1 attempt' : `${count} attempts`}. Details older than ${days} days are no longer kept.`,
    running: 'in progress…',
    next: (time: string) => `Next attempt at ${time}`,
    request: 'Request and response',
    hide: 'Hide request and response',
    body: 'Body, as sent',
    copyBody: 'the body',
    headers: 'Headers',
    headersOf: (number: number) => `Headers of attempt ${number}`,
    copyHeader: (name: string) => `the header ${name}`,
    signatureNote:
      'Signatures are not stored. These are computed now with the current secret; after a rotation they differ from what was sent.',
    signatureHidden: 'Visible to owners only.',
    response: 'Response from the shop (first bytes)',
    emptyAnswer: 'The response was empty.',
    url: 'Sent to',
    noUrl: 'no URL set',
    detail: 'Detail for the operator',
  },
  pt: {
    title: 'Webhooks',
    none: 'Ainda sem notificações. É enviada uma a cada mudança de estado.',
    number: (number) => `n.º ${number}`,
    origin: { event: '', resend: 'reenviada', recovery: 'reenviada em lote' },
    resend: 'Reenviar',
    resendName: (event) => `Reenviar ${event}`,
    sending: 'Reenviada; à espera da resposta da loja…',
    sent: (status, time) => `Entregue: a loja respondeu ${status} em ${time}.`,
    retrying: (error) => `Ainda não entregue: ${error} Nova tentativa dentro de segundos.`,
    failed: (error) => `Falhou novamente: ${error}`,
    skipped: 'Nada foi enviado: o webhook não tem URL ou está desligado.',
    attempts: 'Tentativas',
    attempt: 'Tentativa',
    attemptName: (number) => `Tentativa ${number}`,
    answered: (status) => `Respondeu ${status}`,
    forgotten: (count, days) =>
      `${count === 1 ? '1 tentativa' : `${count} tentativas`}. Os detalhes com mais de ${days} dias já não estão guardados.`,
    running: 'em curso…',
    next: (time) => `Próxima tentativa às ${time}`,
    request: 'Pedido e resposta',
    hide: 'Ocultar pedido e resposta',
    body: 'Corpo, tal como enviado',
    copyBody: 'o corpo',
    headers: 'Cabeçalhos',
    headersOf: (number) => `Cabeçalhos da tentativa ${number}`,
    copyHeader: (name) => `o cabeçalho ${name}`,
    signatureNote:
      'As assinaturas não são guardadas. Estas são calculadas agora com o segredo atual; após substituir o segredo, diferem das que foram enviadas.',
    signatureHidden: 'Visível só para proprietários.',
    response: 'Resposta da loja (início)',
    emptyAnswer: 'A resposta não tinha conteúdo.',
    url: 'Enviada para',
    noUrl: 'sem URL definido',
    detail: 'Detalhe para o operador',
  },
});

/** Attempt errors are stored in English; these are the Portuguese versions. */
const ERRORS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /^The endpoint answered (\d{3}), not a 2xx status(; redirects are not followed)?\.$/,
    ([, status, redirect]) =>
      `O servidor da loja respondeu ${status} e não 2xx${redirect === undefined ? '' : '; os redirecionamentos não são seguidos'}.`,
  ],
  [
    /^The endpoint did not complete its answer within (\d+) seconds\.$/,
    ([, seconds]) => `O servidor da loja não concluiu a resposta em ${seconds} segundos.`,
  ],
  [
    /^The endpoint could not be reached over https\.$/,
    () => 'Não foi possível contactar o servidor da loja por https.',
  ],
  [
    /^The endpoint's answer is larger than (\d+) KiB\.$/,
    ([, size]) => `A resposta do servidor da loja tem mais de ${size} KiB.`,
  ],
  [
    /^The endpoint sent more than (\d+) interim \(1xx\) responses\.$/,
    ([, count]) => `O servidor da loja enviou mais de ${count} respostas provisórias (1xx).`,
  ],
  [
    /^The service could not make the request/,
    () => 'O serviço não conseguiu fazer o pedido; vamos verificar.',
  ],
  [
    /^The attempt was interrupted by a restart/,
    () => 'A tentativa foi interrompida por um reinício do serviço; não se sabe como terminou.',
  ],
];

/** Returns the error of an attempt in a language; unknown errors stay in English. */
export function errorIn(language: 'pt' | 'en', error: string): string {
  if (language === 'en') return error;
  for (const [pattern, say] of ERRORS) {
    const match = pattern.exec(error);
    if (match) return say(match);
  }
  return error;
}
