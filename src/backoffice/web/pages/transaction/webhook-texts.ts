import { texts } from '../../lib/i18n.ts';

export const WEBHOOK_TEXTS = texts({
  en: {
    title: 'Webhooks to the shop',
    none: 'Nothing to tell yet: an event goes out with each change of state.',
    number: (number: string) => `no. ${number}`,
    origin: { event: '', resend: 'sent again', recovery: 'recovered' },
    resend: 'Resend',
    resendName: (event: string) => `Resend ${event}`,
    sending: 'Sent again; waiting for the answer of the shop…',
    sent: (status: number, time: string) => `The shop answered ${status} after ${time}: delivered.`,
    retrying: (error: string) => `Not yet: ${error} We try again within seconds.`,
    failed: (error: string) => `It failed again: ${error}`,
    skipped: 'Nothing was sent: the webhook has no address or is switched off.',
    attempts: 'Attempts',
    attempt: 'Attempt',
    attemptName: (number: number) => `Attempt ${number}`,
    answered: (status: number) => `Answered ${status}`,
    forgotten: (count: number, days: number) =>
      `${count === 1 ? '1 attempt' : `${count} attempts`}. The details are older than ${days} days and no longer kept.`,
    running: 'under way…',
    next: (time: string) => `Next attempt at ${time}`,
    request: 'Request and answer',
    hide: 'Hide request and answer',
    body: 'Body, as sent',
    copyBody: 'the exact body',
    headers: 'Headers',
    headersOf: (number: number) => `Headers of attempt ${number}`,
    copyHeader: (name: string) => `the header ${name}`,
    signatureNote:
      'Signatures are not stored. These are made now, by the secret that signs today: after a rotation they differ from what was sent.',
    signatureHidden: 'Shown to owners only.',
    response: 'What the shop answered (its beginning)',
    emptyAnswer: 'The answer had no text.',
    url: 'Goes to',
    noUrl: 'no address set',
    detail: 'Detail for the platform',
  },
  pt: {
    title: 'Webhooks para a loja',
    none: 'Ainda nada a comunicar: sai um aviso a cada mudança de estado.',
    number: (number) => `n.º ${number}`,
    origin: { event: '', resend: 'enviado outra vez', recovery: 'recuperado' },
    resend: 'Reenviar',
    resendName: (event) => `Reenviar ${event}`,
    sending: 'Enviado outra vez; à espera da resposta da loja…',
    sent: (status, time) => `A loja respondeu ${status} em ${time}: entregue.`,
    retrying: (error) => `Ainda não: ${error} Tentamos de novo dentro de segundos.`,
    failed: (error) => `Falhou outra vez: ${error}`,
    skipped: 'Nada foi enviado: o webhook não tem endereço ou está desligado.',
    attempts: 'Tentativas',
    attempt: 'Tentativa',
    attemptName: (number) => `Tentativa ${number}`,
    answered: (status) => `Respondeu ${status}`,
    forgotten: (count, days) =>
      `${count === 1 ? '1 tentativa' : `${count} tentativas`}. Os detalhes têm mais de ${days} dias e já não estão guardados.`,
    running: 'em curso…',
    next: (time) => `Próxima tentativa às ${time}`,
    request: 'Pedido e resposta',
    hide: 'Esconder pedido e resposta',
    body: 'Corpo, tal como enviado',
    copyBody: 'o corpo exato',
    headers: 'Cabeçalhos',
    headersOf: (number) => `Cabeçalhos da tentativa ${number}`,
    copyHeader: (name) => `o cabeçalho ${name}`,
    signatureNote:
      'As assinaturas não são guardadas. Estas são feitas agora, com o segredo que assina hoje: depois de uma rotação diferem das que foram enviadas.',
    signatureHidden: 'Visível só para proprietários.',
    response: 'O que a loja respondeu (o início)',
    emptyAnswer: 'A resposta não tinha texto.',
    url: 'Vai para',
    noUrl: 'sem endereço definido',
    detail: 'Pormenor para a plataforma',
  },
});

/** The texts that merchants read of a failed attempt are kept in English; these are the same in Portuguese. */
const ERRORS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /^The endpoint answered (\d{3}), not a 2xx status(; redirects are not followed)?\.$/,
    ([, status, redirect]) =>
      `O servidor da loja respondeu ${status} e não 2xx${redirect === undefined ? '' : '; os redirecionamentos não são seguidos'}.`,
  ],
  [
    /^The endpoint did not complete its answer within (\d+) seconds\.$/,
    ([, seconds]) => `O servidor da loja não respondeu até ao fim em ${seconds} segundos.`,
  ],
  [
    /^The endpoint could not be reached over https\.$/,
    () => 'Não foi possível chegar ao servidor da loja por https.',
  ],
  [
    /^The endpoint's answer is larger than (\d+) KiB\.$/,
    ([, size]) => `A resposta do servidor da loja tem mais de ${size} KiB.`,
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

/** The error of an attempt in the language of the pages; one that is not known stays as it is. */
export function errorIn(language: 'pt' | 'en', error: string): string {
  if (language === 'en') return error;
  for (const [pattern, say] of ERRORS) {
    const match = pattern.exec(error);
    if (match) return say(match);
  }
  return error;
}
