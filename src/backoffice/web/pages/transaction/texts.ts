import { texts } from '../../lib/i18n.ts';

/** The texts of the page, without timeline and webhooks. */
export const TEXTS = texts({
  title: [(order: string) => `Order ${order}`, (order) => `Encomenda ${order}`],
  back: ['All transactions', 'Todas as transações'],
  copyId: ['the transaction ID', 'o ID da transação'],
  created: ['Created', 'Criada'],
  shop: ['Shop', 'Loja'],
  phone: ['Phone', 'Telemóvel'],
  entity: ['Entity', 'Entidade'],
  payUntil: ['Pay by', 'Pagar até'],
  says: {
    held: [
      'The payment was received, but the sale is on hold for review. The merchant sees it as pending until you release it.',
      'O pagamento foi recebido, mas a venda está retida para revisão. O comerciante vê-a como pendente até ser libertada.',
    ],
    untouched: [
      'The customer has not chosen how to pay yet. Without payment, the transaction is cancelled automatically.',
      'O cliente ainda não escolheu como pagar. Sem pagamento, a transação é cancelada automaticamente.',
    ],
    starting: ['The request is being sent to the bank.', 'O pedido está a ser enviado ao banco.'],
    pushOpen: [
      (phone: string) => `The request was sent to ${phone}. The customer must confirm it in the MB WAY app.`,
      (phone) => `O pedido foi enviado para o telemóvel ${phone}. O cliente deve confirmá-lo na app MB WAY.`,
    ],
    pushOver: [
      'The time to confirm is over. We are checking the final result with the bank; this takes about a minute.',
      'O prazo para confirmar terminou. Aguardamos a confirmação final do banco; demora cerca de um minuto.',
    ],
    unclear: [
      'The bank has not confirmed whether it received the request. We keep checking, usually for a few minutes. Do not ship yet.',
      'O banco ainda não confirmou se recebeu o pedido. Continuamos a verificar, normalmente durante alguns minutos. Não expeça ainda a encomenda.',
    ],
    reference: [
      'Waiting for the customer to pay the reference at an ATM or in a banking app.',
      'À espera de que o cliente pague a referência num caixa automático ou na app do banco.',
    ],
    again: [
      'The last attempt failed. The customer can try again in the shop.',
      'A última tentativa falhou. O cliente pode tentar novamente na loja.',
    ],
    paid: [
      (how: string, when: string) => `Paid by ${how} on ${when}.`,
      (how, when) => `Pago com ${how} a ${when.replace(', ', ', às ')}.`,
    ],
    fulfil: ['You can fulfil the order.', 'Pode expedir a encomenda.'],
    refunds: [
      (sum: string) => `Refunds of ${sum} were made or requested; see below.`,
      (sum) => `Há reembolsos de ${sum}, feitos ou pedidos; veja abaixo.`,
    ],
    rejected: [
      'The customer rejected the request in the MB WAY app. Nothing was charged.',
      'O cliente recusou o pedido na app MB WAY. Nada foi cobrado.',
    ],
    declined: [
      'The customer’s bank declined the payment. Nothing was charged.',
      'O banco do cliente recusou o pagamento. Nada foi cobrado.',
    ],
    expired: [
      'The Multibanco reference was not paid in time. Nothing was charged.',
      'A referência Multibanco não foi paga a tempo. Nada foi cobrado.',
    ],
    failed: ['The payment failed. Nothing was charged.', 'O pagamento falhou. Nada foi cobrado.'],
    lapsed: [
      'The customer did not confirm the request in time. Nothing was charged.',
      'O cliente não confirmou o pedido a tempo. Nada foi cobrado.',
    ],
    abandoned: [
      'The customer left without paying. Nothing was charged.',
      'O cliente saiu sem pagar. Nada foi cobrado.',
    ],
    newPayment: [
      'To try again, the shop starts a new payment for the same order.',
      'Para tentar de novo, a loja inicia um novo pagamento da mesma encomenda.',
    ],
    partly: ['Partly paid; see below.', 'Pago parcialmente; veja abaixo.'],
  },
  left: [(time: string) => `${time} left to confirm`, (time) => `${time} para confirmar`],
  flags: {
    late: {
      title: ['Late payment', 'Pagamento fora do prazo'],
      text: [
        (sum: string) =>
          `${sum} arrived after the transaction had failed or been cancelled. The transaction is now paid, and a new event was sent to the shop.`,
        (sum) =>
          `Foram recebidos ${sum} depois de a transação ter falhado ou sido cancelada. A transação está agora paga e foi enviada uma nova notificação à loja.`,
      ],
      todo: [
        'Fulfil the order if you still can. Otherwise refund the customer below.',
        'Se ainda for possível, expeça a encomenda. Caso contrário, reembolse o cliente abaixo.',
      ],
    },
    duplicate: {
      title: ['Duplicate payment', 'Pagamento em duplicado'],
      text: [
        (sum: string) => `${sum} arrived after the transaction had already been paid.`,
        (sum) => `Foram recebidos ${sum} quando a transação já estava paga.`,
      ],
      paidTwice: [
        (sum: string) =>
          `${sum} arrived after the order had been paid through another transaction. This one is now paid too, and a new event was sent to the shop.`,
        (sum) =>
          `Foram recebidos ${sum} quando a encomenda já estava paga através de outra transação. Esta ficou também paga e foi enviada uma nova notificação à loja.`,
      ],
      todo: ['Refund this amount to the customer below.', 'Reembolse este valor ao cliente abaixo.'],
    },
    under: {
      title: ['Short payment', 'Valor recebido inferior'],
      text: [
        (sum: string, missing: string) =>
          `${sum} arrived, ${missing} less than the amount due. The transaction is not paid.`,
        (sum, missing) =>
          `Foram recebidos ${sum}, menos ${missing} do que o valor devido. A transação não está paga.`,
      ],
      todo: [
        'Ask the customer for the rest, or refund what arrived. Once the rest arrives, the payments can be credited together.',
        'Peça o restante ao cliente ou devolva-lhe o que recebeu. Quando o restante chegar, os recebimentos podem ser creditados em conjunto.',
      ],
      covered: [
        (sum: string) =>
          `${sum} arrived in part payments, which reaches the amount due. The transaction is not paid until they are credited.`,
        (sum) =>
          `Foram recebidos ${sum} em parcelas, o que completa o valor devido. A transação só fica paga quando forem creditados.`,
      ],
      coveredTodo: [
        'The operator can now credit the payments together.',
        'O operador já pode creditar os recebimentos em conjunto.',
      ],
      paidOtherwise: [
        (sum: string) => `${sum} arrived in part payments. The transaction was paid by another payment.`,
        (sum) => `Foram recebidos ${sum} em parcelas. A transação foi paga por outro pagamento.`,
      ],
    },
    over: {
      title: ['Excess payment', 'Valor recebido superior'],
      text: [
        (sum: string, surplus: string) =>
          `${sum} arrived, ${surplus} more than the amount due. The transaction is paid.`,
        (sum, surplus) =>
          `Foram recebidos ${sum}, mais ${surplus} do que o valor devido. A transação está paga.`,
      ],
      todo: [
        'Refund the surplus below, or note what you agreed with the customer.',
        'Reembolse o excedente abaixo, ou anote o que combinou com o cliente.',
      ],
    },
    unmatched: {
      title: ['Unmatched payment', 'Recebimento sem correspondência'],
      text: [
        (sum: string) =>
          `${sum} arrived without a matching transaction and was assigned to this one manually.`,
        (sum) => `Foram recebidos ${sum} sem transação correspondente, atribuídos manualmente a esta.`,
      ],
      todo: [
        'Check with the customer that the payment is theirs.',
        'Confirme com o cliente que o pagamento lhe pertence.',
      ],
    },
  },
  exceptions: ['Go to payments to resolve', 'Ir para pagamentos por regularizar'],
  missed: {
    title: ['Webhook not delivered', 'Notificação não entregue'],
    text: [
      (event: string) =>
        `The event “${event}” did not reach your server, and the last attempt has been made.`,
      (event) => `A notificação «${event}» não chegou ao seu servidor e já foi feita a última tentativa.`,
    ],
    why: [(error: string) => `Last response: ${error}`, (error) => `Última resposta: ${error}`],
    todo: ['Fix your endpoint, then resend the event.', 'Corrija o endpoint e reenvie.'],
    skipped: [
      'The webhook had no URL or was switched off at the time, so nothing was sent.',
      'Nessa altura o webhook não tinha URL ou estava desligado, pelo que nada foi enviado.',
    ],
    skippedTodo: ['Switch the webhook on, then send the event.', 'Ligue o webhook e envie a notificação.'],
    recoverySkippedTodo: [
      'Resend the event if your server still needs it.',
      'Reenvie a notificação se o servidor ainda precisar dela.',
    ],
    toWebhooks: ['View responses and resend', 'Ver as respostas e reenviar'],
  },
  timeline: ['Timeline', 'Cronologia'],
  noCustomer: [
    'The shop sent no customer data with this payment, or the data was erased.',
    'A loja não enviou dados do cliente com este pagamento, ou os dados foram eliminados.',
  ],
  address: ['Address', 'Morada'],
  shipTo: ['Shipping address', 'Morada de entrega'],
  items: ['Items', 'Artigos'],
  noItems: ['The shop sent no items with this payment.', 'A loja não enviou artigos com este pagamento.'],
  itemsDiffer: [
    (sum: string) => `The items add up to ${sum}. The payment amount applies.`,
    (sum) => `Os artigos somam ${sum}. Aplica-se o valor do pagamento.`,
  ],
  noDeliveries: [
    'No events yet. One is sent with every status change.',
    'Ainda sem notificações. É enviada uma a cada mudança de estado.',
  ],
  noAttempts: [
    'No request sent and no reference generated yet.',
    'Ainda não foi enviado nenhum pedido nem gerada nenhuma referência.',
  ],
  to: ['To', 'Para'],
  begun: ['Started', 'Início'],
  ended: ['Ended', 'Fim'],
  receipts: ['Payments received', 'Pagamentos recebidos'],
  noReceipts: ['No payment received yet.', 'Ainda sem pagamentos recebidos.'],
  fee: [(sum: string) => `Fee ${sum}`, (sum) => `Comissão ${sum}`],
  net: [(sum: string) => `Net ${sum}`, (sum) => `Líquido ${sum}`],
  payout: [(day: string) => `Payout ${day}`, (day) => `Liquidação ${day}`],
  paidAtBank: ['Paid at the bank', 'Pago no banco'],
  notes: ['Remarks', 'Observações'],
  returned: [(sum: string) => `${sum} refunded`, (sum) => `${sum} devolvidos`],
  internal: ['Operator only', 'Só para o operador'],
  account: ['Account', 'Conta'],
  attemptNumber: ['Attempt', 'Tentativa'],
});
