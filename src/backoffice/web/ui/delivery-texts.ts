import { currentLanguage, texts } from '../lib/i18n.ts';

export const DELIVERY_TEXTS = texts({
  number: [(number: string) => `No. ${number}`, (number) => `N.º ${number}`],
  numberHint: [
    'Event sequence number, without gaps.',
    'Número sequencial da notificação, sem saltos na sequência.',
  ],
  origin: {
    event: ['', ''],
    resend: ['Resent', 'Reenviada'],
    recovery: ['Resent in bulk', 'Reenviada em lote'],
  },
  tries: [
    (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    (count) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
  ],
  created: ['Queued', 'Em fila'],
  event: ['Event', 'Notificação'],
  delivery: ['Delivery', 'Entrega'],
  next: ['Next attempt', 'Próxima tentativa'],
  transaction: ['Open transaction', 'Abrir transação'],
  resend: ['Resend', 'Reenviar'],
  resent: ['The event is being resent.', 'A notificação está a ser reenviada.'],
  attempt: [(number: number) => `Attempt ${number}`, (number) => `Tentativa ${number}`],
  running: ['running…', 'a decorrer…'],
  cut: ['interrupted', 'interrompida'],
  answer: ['Response from the shop’s server', 'Resposta do servidor da loja'],
  emptyAnswer: ['The response had no body.', 'A resposta não tinha conteúdo.'],
  noAnswer: ['No response', 'Sem resposta'],
  after: [(span: string) => `${span} later`, (span) => `${span} depois`],
  again: ['Same response.', 'Mesma resposta.'],
  detail: ['Detail for the operator', 'Detalhe para o operador'],
  none: ['No attempts yet.', 'Ainda sem tentativas.'],
  forgotten: [
    (days: number) => `Details older than ${days} days are no longer kept.`,
    (days) => `Os detalhes com mais de ${days} dias já não estão guardados.`,
  ],
  skipped: [
    'Nothing was sent: there was no URL, or sending was off.',
    'Nada foi enviado: não havia URL, ou o envio estava desligado.',
  ],
  recoverySkipped: [
    'Nothing was sent: sending or automatic recovery was off, or a later event of the transaction had been delivered.',
    'Nada foi enviado: o envio ou a recuperação automática estavam desligados, ou já tinha sido entregue uma notificação posterior da transação.',
  ],
  request: ['View request', 'Ver pedido'],
  body: ['Body, as sent', 'Corpo, tal como enviado'],
  copyBody: ['the body', 'o corpo'],
  headersOf: [
    (number: number) => `Headers of attempt ${number}`,
    (number) => `Cabeçalhos da tentativa ${number}`,
  ],
  copyHeader: [(name: string) => `the header ${name}`, (name) => `o cabeçalho ${name}`],
  signatureNote: [
    'Signatures are not stored. These are computed now with the current secret; after a rotation they differ from what was sent.',
    'As assinaturas não são guardadas. Estas são calculadas agora com o segredo atual; após substituir o segredo, diferem das que foram enviadas.',
  ],
  signatureHidden: ['Visible to owners only.', 'Visível só para proprietários.'],
  url: ['Sent to', 'Enviada para'],
  noUrl: ['no URL set', 'sem URL definido'],
});

/** Attempt errors are stored in English; these are the Portuguese versions. */
const ERRORS: readonly (readonly [RegExp, (match: RegExpExecArray) => string])[] = [
  [
    /^The endpoint answered (\d{3}), not a 2xx status(; redirects are not followed)?\.$/,
    ([, status, redirect]) =>
      `O servidor da loja respondeu ${status} e não 2xx${redirect === undefined ? '' : '; os redirecionamentos não são seguidos'}.`,
  ],
  [/^The endpoint did not complete its answer\.$/, () => 'O servidor da loja não concluiu a resposta.'],
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

/** Returns the error of an attempt in the language of the pages; unknown errors stay in English. */
export function attemptError(error: string): string {
  if (currentLanguage() !== 'pt') return error;
  for (const [pattern, say] of ERRORS) {
    const match = pattern.exec(error);
    if (match) return say(match);
  }
  return error;
}
