import { type Language, texts } from '../lib/i18n.ts';

/** The texts of a webhook delivery. */
export const DELIVERY_TEXTS = texts({
  en: {
    number: (number: string) => `No. ${number}`,
    numberHint: 'Event sequence number, without gaps.',
    origin: { event: '', resend: 'Resent', recovery: 'Resent in bulk' },
    tries: (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    created: 'Queued',
    event: 'Event',
    delivery: 'Delivery',
    next: 'Next attempt',
    transaction: 'Open transaction',
    resend: 'Resend',
    resent: 'The event is being resent.',
    attempt: (number: number) => `Attempt ${number}`,
    running: 'running…',
    cut: 'interrupted; sent again',
    answer: 'Response from the shop’s server',
    emptyAnswer: 'The response had no body.',
    noAnswer: 'No response',
    after: (span: string) => `${span} later`,
    again: 'Same response.',
    detail: 'Detail for the operator',
    none: 'No attempts yet.',
    forgotten: (days: number) => `Details older than ${days} days are no longer kept.`,
    skipped: 'Nothing was sent: there was no URL, or sending was off.',
    recoverySkipped:
      'Nothing was sent: sending or automatic recovery was off, or a later event of the transaction had been delivered.',
    request: 'View request',
    body: 'Body, as sent',
    copyBody: 'the body',
    headersOf: (number: number) => `Headers of attempt ${number}`,
    copyHeader: (name: string) => `the header ${name}`,
    signatureNote:
      'Signatures are not stored. These are computed now with the current secret; after a rotation they differ from what was sent.',
    signatureHidden: 'Visible to owners only.',
    url: 'Sent to',
    noUrl: 'no URL set',
  },
  pt: {
    number: (number) => `N.º ${number}`,
    numberHint: 'Número sequencial da notificação, sem saltos na sequência.',
    origin: { event: '', resend: 'Reenviada', recovery: 'Reenviada em lote' },
    tries: (count) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
    created: 'Em fila',
    event: 'Notificação',
    delivery: 'Entrega',
    next: 'Próxima tentativa',
    transaction: 'Abrir transação',
    resend: 'Reenviar',
    resent: 'A notificação está a ser reenviada.',
    attempt: (number) => `Tentativa ${number}`,
    running: 'a decorrer…',
    cut: 'interrompida; enviada novamente',
    answer: 'Resposta do servidor da loja',
    emptyAnswer: 'A resposta não tinha conteúdo.',
    noAnswer: 'Sem resposta',
    after: (span) => `${span} depois`,
    again: 'Mesma resposta.',
    detail: 'Detalhe para o operador',
    none: 'Ainda sem tentativas.',
    forgotten: (days) => `Os detalhes com mais de ${days} dias já não estão guardados.`,
    skipped: 'Nada foi enviado: não havia URL, ou o envio estava desligado.',
    recoverySkipped:
      'Nada foi enviado: o envio ou a recuperação automática estavam desligados, ou já tinha sido entregue uma notificação posterior da transação.',
    request: 'Ver pedido',
    body: 'Corpo, tal como enviado',
    copyBody: 'o corpo',
    headersOf: (number) => `Cabeçalhos da tentativa ${number}`,
    copyHeader: (name) => `o cabeçalho ${name}`,
    signatureNote:
      'As assinaturas não são guardadas. Estas são calculadas agora com o segredo atual; após substituir o segredo, diferem das que foram enviadas.',
    signatureHidden: 'Visível só para proprietários.',
    url: 'Enviada para',
    noUrl: 'sem URL definido',
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
export function errorIn(language: Language, error: string): string {
  if (language !== 'pt') return error;
  for (const [pattern, say] of ERRORS) {
    const match = pattern.exec(error);
    if (match) return say(match);
  }
  return error;
}
