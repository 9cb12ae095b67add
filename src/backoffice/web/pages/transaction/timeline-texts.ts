import { texts } from '../../lib/i18n.ts';

export const TIMELINE_TEXTS = texts({
  created: ['Payment created', 'Pagamento criado'],
  platform: ['the platform', 'a plataforma'],
  pushBegun: [(phone: string) => `MB WAY request for ${phone}`, (phone) => `Pedido MB WAY para ${phone}`],
  referenceBegun: ['Multibanco reference requested', 'Referência Multibanco pedida'],
  pushAccepted: ['The request is on the customer’s phone', 'O pedido está no telemóvel do cliente'],
  pushUntil: [(time: string) => `to be confirmed by ${time}`, (time) => `a confirmar até às ${time}`],
  referenceAccepted: [
    (entity: string, reference: string) => `Entity ${entity}, reference ${reference}`,
    (entity, reference) => `Entidade ${entity}, referência ${reference}`,
  ],
  referenceUntil: [(time: string) => `payable until ${time}`, (time) => `pode ser paga até ${time}`],
  unknown: ['The bank gave no clear answer', 'O banco não deu uma resposta clara'],
  unknownDetail: [
    'We check the bank’s list of payments until the result is clear.',
    'Consultamos a lista de pagamentos do banco até ficar esclarecido.',
  ],
  endings: {
    rejected: ['The customer rejected the request in the app', 'O cliente recusou o pedido na app'],
    declined: ['The customer’s bank declined the payment', 'O banco do cliente recusou o pagamento'],
    lapsed: ['The customer did not confirm in time', 'O cliente não confirmou a tempo'],
    expired: ['The reference expired', 'A referência expirou'],
    dead: ['The request failed', 'O pedido falhou'],
  },
  reasons: {
    'phone-unknown': [
      'This phone is not registered with MB WAY. Ask for the number used in the app.',
      'Este telemóvel não está registado no MB WAY. Peça o número usado na app.',
    ],
    refused: ['The bank refused the request.', 'O banco recusou o pedido.'],
    unreachable: ['The bank could not be reached.', 'Não foi possível contactar o banco.'],
    'no-answer': [
      'The bank did not answer. The reference was not shown to the customer.',
      'O banco não respondeu. A referência não foi mostrada ao cliente.',
    ],
    interrupted: [
      'A restart of the service interrupted the request.',
      'Um reinício do serviço interrompeu o pedido.',
    ],
  },
  receipt: [(sum: string) => `${sum} received`, (sum) => `${sum} recebidos`],
  receiptPaid: [
    (time: string) => `paid at the bank on ${time}`,
    (time) => `pagos no banco a ${time.replace(', ', ', às ')}`,
  ],
  held: ['On hold for review', 'Retida para revisão'],
  heldDetail: [
    'The merchant still sees the payment as pending.',
    'O comerciante continua a ver o pagamento como pendente.',
  ],
  refund: {
    requested: [(sum: string) => `Refund of ${sum} requested`, (sum) => `Reembolso de ${sum} pedido`],
    done: [(sum: string) => `${sum} returned to the customer`, (sum) => `${sum} devolvidos ao cliente`],
    failed: [(sum: string) => `Refund of ${sum} failed`, (sum) => `O reembolso de ${sum} falhou`],
  },
  actions: {
    released: [(who: string) => `Released by ${who}`, (who) => `Libertada: ${who}`],
    credited: [(who: string) => `Credited by ${who}`, (who) => `Creditada: ${who}`],
    creditedDetail: [
      'The payments received add up to the amount due.',
      'Os recebimentos, em conjunto, perfazem o valor devido.',
    ],
    resent: [(who: string) => `Resent to the shop by ${who}`, (who) => `Reenviada à loja: ${who}`],
    other: [(action: string, who: string) => `${action} by ${who}`, (action, who) => `${action}: ${who}`],
  },
  completed: ['Payment completed', 'Pagamento concluído'],
  eventNumber: [(number: string) => `event no. ${number}`, (number) => `notificação n.º ${number}`],
  delivery: {
    delivered: ['Webhook delivered', 'Loja notificada'],
    undelivered: ['Webhook not delivered', 'Falha ao notificar a loja'],
    skipped: ['Not sent: the webhook was off', 'Não enviada: o webhook estava desligado'],
    due: ['Sending webhook…', 'A notificar a loja…'],
  },
  tried: [(event: string, count: string) => `${event}, ${count}`, (event, count) => `${event}, ${count}`],
  attempts: [
    (count: number) => (count === 1 ? '1 attempt' : `${count} attempts`),
    (count) => (count === 1 ? '1 tentativa' : `${count} tentativas`),
  ],
  answered: [(status: number) => `answered ${status}`, (status) => `respondeu ${status}`],
  notes: {
    note: [(who: string) => `Note by ${who}`, (who) => `Nota: ${who}`],
    assigned: [(who: string) => `Payment assigned by ${who}`, (who) => `Recebimento atribuído: ${who}`],
    credited: [(who: string) => `Credited by ${who}`, (who) => `Creditado: ${who}`],
    kept: [(who: string) => `Case closed by ${who}`, (who) => `Caso encerrado: ${who}`],
    returned: [(who: string) => `Marked as returned by ${who}`, (who) => `Marcado como devolvido: ${who}`],
  },
});
