/** The comments of the samples, in English and in Portuguese; longer phrases first. */
const COMMENTS: readonly (readonly [string, string])[] = [
  [
    'the raw bytes of the request, before anything parses them.',
    'os bytes originais do pedido, antes de serem interpretados.',
  ],
  ['the raw request, before anything parses it.', 'o pedido original, antes de ser interpretado.'],
  ['the header X-Service-Signature.', 'o cabeçalho X-Service-Signature.'],
  ['the complete webhook secret, including whsec_.', 'o segredo completo do webhook, incluindo whsec_.'],
  ['the webhook secret, including whsec_.', 'o segredo do webhook, incluindo whsec_.'],
  ['the headers webhook-id, webhook-timestamp', 'os cabeçalhos webhook-id, webhook-timestamp'],
  ['and webhook-signature.', 'e webhook-signature.'],
  [
    'During a rotation there are two signatures: one match is enough.',
    'Durante uma substituição há duas assinaturas: basta que uma corresponda.',
  ],
  [
    'PHP returns 200 after a fatal error: return 500 until the event is processed.',
    'O PHP responde 200 após um erro fatal: responda 500 até o evento ser processado.',
  ],
  ['Without a secret, anyone could sign.', 'Sem um segredo, qualquer pessoa poderia assinar.'],
  ['In the script that receives the webhook:', 'No script que recebe o webhook:'],
  ['With Express:', 'Com Express:'],
  ['With Flask:', 'Com Flask:'],
  ['Act once for each', 'Processe uma só vez cada'],
  ['together with', 'em conjunto com'],
];

export function withPortugueseComments(code: string): string {
  return COMMENTS.reduce((text, [english, portuguese]) => text.replaceAll(english, portuguese), code);
}
