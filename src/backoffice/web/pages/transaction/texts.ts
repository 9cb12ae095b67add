import { texts } from '../../lib/i18n.ts';

/** The texts of the page, without timeline and webhooks. */
export const TEXTS = texts({
  en: {
    title: (order: string) => `Order ${order}`,
    back: 'All transactions',
    copyId: 'the transaction ID',
    created: 'Created',
    shop: 'Shop',
    phone: 'Phone',
    entity: 'Entity',
    payUntil: 'Pay by',
    says: {
      held: 'The payment was received, but the sale is on hold for review. The merchant sees it as pending until you release it.',
      untouched:
        'The customer has not chosen how to pay yet. Without payment, the transaction is cancelled automatically.',
      starting: 'The request is being sent to the bank.',
      pushOpen: (phone: string) =>
        `The request was sent to ${phone}. The customer must confirm it in the MB WAY app.`,
      pushOver:
        'The time to confirm is over. We are checking the final result with the bank; this takes about a minute.',
      unclear:
        'The bank has not confirmed whether it received the request. We keep checking, usually for a few minutes. Do not ship yet.',
      reference: 'Waiting for the customer to pay the reference at an ATM or in a banking app.',
      again: 'The last attempt failed. The customer can try again in the shop.',
      paid: (how: string, when: string) => `Paid by ${how} on ${when}.`,
      fulfil: 'You can fulfil the order.',
      refunds: (sum: string) => `Refunds of ${sum} were made or requested; see below.`,
      rejected: 'The customer rejected the request in the MB WAY app. Nothing was charged.',
      declined: 'The customer’s bank declined the payment. Nothing was charged.',
      expired: 'The Multibanco reference was not paid in time. Nothing was charged.',
      failed: 'The payment failed. Nothing was charged.',
      lapsed: 'The customer did not confirm the request in time. Nothing was charged.',
      abandoned: 'The customer left without paying. Nothing was charged.',
      newPayment: 'To try again, the shop starts a new payment for the same order.',
      partly: 'Partly paid; see below.',
    },
    left: (time: string) => `${time} left to confirm`,
    flags: {
      late: {
        title: 'Late payment',
        text: (sum: string) =>
          `${sum} arrived after the transaction had failed or been cancelled. The transaction is now paid, and a new event was sent to the shop.`,
        todo: 'Fulfil the order if you still can. Otherwise refund the customer below.',
      },
      duplicate: {
        title: 'Duplicate payment',
        text: (sum: string) => `${sum} arrived after the transaction had already been paid.`,
        paidTwice: (sum: string) =>
          `${sum} arrived after the order had been paid through another transaction. This one is now paid too, and a new event was sent to the shop.`,
        todo: 'Refund this amount to the customer below.',
      },
      under: {
        title: 'Short payment',
        text: (sum: string, missing: string) =>
          `${sum} arrived, ${missing} less than the amount due. The transaction is not paid.`,
        todo: 'Ask the customer for the rest, or refund what arrived. Once the rest arrives, the payments can be credited together.',
        covered: (sum: string) =>
          `${sum} arrived in part payments, which reaches the amount due. The transaction is not paid until they are credited.`,
        coveredTodo: 'The operator can now credit the payments together.',
        paidOtherwise: (sum: string) =>
          `${sum} arrived in part payments. The transaction was paid by another payment.`,
      },
      over: {
        title: 'Excess payment',
        text: (sum: string, surplus: string) =>
          `${sum} arrived, ${surplus} more than the amount due. The transaction is paid.`,
        todo: 'Refund the surplus below, or note what you agreed with the customer.',
      },
      unmatched: {
        title: 'Unmatched payment',
        text: (sum: string) =>
          `${sum} arrived without a matching transaction and was assigned to this one manually.`,
        todo: 'Check with the customer that the payment is theirs.',
      },
    },
    exceptions: 'Go to payments to resolve',
    missed: {
      title: 'Webhook not delivered',
      text: (event: string) =>
        `The event “${event}” did not reach your server, and the last attempt has been made.`,
      why: (error: string) => `Last response: ${error}`,
      todo: 'Fix your endpoint, then resend the event.',
      skipped: 'The webhook had no URL or was switched off at the time, so nothing was sent.',
      skippedTodo: 'Switch the webhook on, then send the event.',
      recoverySkippedTodo: 'Resend the event if your server still needs it.',
      toWebhooks: 'View responses and resend',
    },
    timeline: 'Timeline',
    noCustomer: 'The shop sent no customer data with this payment, or the data was erased.',
    address: 'Address',
    shipTo: 'Shipping address',
    items: 'Items',
    noItems: 'The shop sent no items with this payment.',
    itemsDiffer: (sum: string) => `The items add up to ${sum}. The payment amount applies.`,
    noDeliveries: 'No events yet. One is sent with every status change.',
    noAttempts: 'No request sent and no reference generated yet.',
    to: 'To',
    begun: 'Started',
    ended: 'Ended',
    receipts: 'Payments received',
    noReceipts: 'No payment received yet.',
    fee: (sum: string) => `Fee ${sum}`,
    net: (sum: string) => `Net ${sum}`,
    payout: (day: string) => `Payout ${day}`,
    paidAtBank: 'Paid at the bank',
    notes: 'Remarks',
    returned: (sum: string) => `${sum} refunded`,
    internal: 'Operator only',
    account: 'Account',
    attemptNumber: 'Attempt',
  },
  pt: {
    title: (order) => `Encomenda ${order}`,
    back: 'Todas as transações',
    copyId: 'o ID da transação',
    created: 'Criada',
    shop: 'Loja',
    phone: 'Telemóvel',
    entity: 'Entidade',
    payUntil: 'Pagar até',
    says: {
      held: 'O pagamento foi recebido, mas a venda está retida para revisão. O comerciante vê-a como pendente até ser libertada.',
      untouched:
        'O cliente ainda não escolheu como pagar. Sem pagamento, a transação é cancelada automaticamente.',
      starting: 'O pedido está a ser enviado ao banco.',
      pushOpen: (phone) =>
        `O pedido foi enviado para o telemóvel ${phone}. O cliente deve confirmá-lo na app MB WAY.`,
      pushOver:
        'O prazo para confirmar terminou. Aguardamos a confirmação final do banco; demora cerca de um minuto.',
      unclear:
        'O banco ainda não confirmou se recebeu o pedido. Continuamos a verificar, normalmente durante alguns minutos. Não expeça ainda a encomenda.',
      reference: 'À espera de que o cliente pague a referência num caixa automático ou na app do banco.',
      again: 'A última tentativa falhou. O cliente pode tentar novamente na loja.',
      paid: (how, when) => `Pago com ${how} a ${when.replace(', ', ', às ')}.`,
      fulfil: 'Pode expedir a encomenda.',
      refunds: (sum) => `Há reembolsos de ${sum}, feitos ou pedidos; veja abaixo.`,
      rejected: 'O cliente recusou o pedido na app MB WAY. Nada foi cobrado.',
      declined: 'O banco do cliente recusou o pagamento. Nada foi cobrado.',
      expired: 'A referência Multibanco não foi paga a tempo. Nada foi cobrado.',
      failed: 'O pagamento falhou. Nada foi cobrado.',
      lapsed: 'O cliente não confirmou o pedido a tempo. Nada foi cobrado.',
      abandoned: 'O cliente saiu sem pagar. Nada foi cobrado.',
      newPayment: 'Para tentar de novo, a loja inicia um novo pagamento da mesma encomenda.',
      partly: 'Pago parcialmente; veja abaixo.',
    },
    left: (time) => `${time} para confirmar`,
    flags: {
      late: {
        title: 'Pagamento fora do prazo',
        text: (sum) =>
          `Foram recebidos ${sum} depois de a transação ter falhado ou sido cancelada. A transação está agora paga e foi enviada uma nova notificação à loja.`,
        todo: 'Se ainda for possível, expeça a encomenda. Caso contrário, reembolse o cliente abaixo.',
      },
      duplicate: {
        title: 'Pagamento em duplicado',
        text: (sum) => `Foram recebidos ${sum} quando a transação já estava paga.`,
        paidTwice: (sum) =>
          `Foram recebidos ${sum} quando a encomenda já estava paga através de outra transação. Esta ficou também paga e foi enviada uma nova notificação à loja.`,
        todo: 'Reembolse este valor ao cliente abaixo.',
      },
      under: {
        title: 'Valor recebido inferior',
        text: (sum, missing) =>
          `Foram recebidos ${sum}, menos ${missing} do que o valor devido. A transação não está paga.`,
        todo: 'Peça o restante ao cliente ou devolva-lhe o que recebeu. Quando o restante chegar, os recebimentos podem ser creditados em conjunto.',
        covered: (sum) =>
          `Foram recebidos ${sum} em parcelas, o que completa o valor devido. A transação só fica paga quando forem creditados.`,
        coveredTodo: 'O operador já pode creditar os recebimentos em conjunto.',
        paidOtherwise: (sum) =>
          `Foram recebidos ${sum} em parcelas. A transação foi paga por outro pagamento.`,
      },
      over: {
        title: 'Valor recebido superior',
        text: (sum, surplus) =>
          `Foram recebidos ${sum}, mais ${surplus} do que o valor devido. A transação está paga.`,
        todo: 'Reembolse o excedente abaixo, ou anote o que combinou com o cliente.',
      },
      unmatched: {
        title: 'Recebimento sem correspondência',
        text: (sum) => `Foram recebidos ${sum} sem transação correspondente, atribuídos manualmente a esta.`,
        todo: 'Confirme com o cliente que o pagamento lhe pertence.',
      },
    },
    exceptions: 'Ir para pagamentos por regularizar',
    missed: {
      title: 'Notificação não entregue',
      text: (event) =>
        `A notificação «${event}» não chegou ao seu servidor e já foi feita a última tentativa.`,
      why: (error) => `Última resposta: ${error}`,
      todo: 'Corrija o endpoint e reenvie.',
      skipped: 'Nessa altura o webhook não tinha URL ou estava desligado, pelo que nada foi enviado.',
      skippedTodo: 'Ligue o webhook e envie a notificação.',
      recoverySkippedTodo: 'Reenvie a notificação se o servidor ainda precisar dela.',
      toWebhooks: 'Ver as respostas e reenviar',
    },
    timeline: 'Cronologia',
    noCustomer: 'A loja não enviou dados do cliente com este pagamento, ou os dados foram eliminados.',
    address: 'Morada',
    shipTo: 'Morada de entrega',
    items: 'Artigos',
    noItems: 'A loja não enviou artigos com este pagamento.',
    itemsDiffer: (sum) => `Os artigos somam ${sum}. Aplica-se o valor do pagamento.`,
    noDeliveries: 'Ainda sem notificações. É enviada uma a cada mudança de estado.',
    noAttempts: 'Ainda não foi enviado nenhum pedido nem gerada nenhuma referência.',
    to: 'Para',
    begun: 'Início',
    ended: 'Fim',
    receipts: 'Pagamentos recebidos',
    noReceipts: 'Ainda sem pagamentos recebidos.',
    fee: (sum) => `Comissão ${sum}`,
    net: (sum) => `Líquido ${sum}`,
    payout: (day) => `Liquidação ${day}`,
    paidAtBank: 'Pago no banco',
    notes: 'Observações',
    returned: (sum) => `${sum} devolvidos`,
    internal: 'Só para o operador',
    account: 'Conta',
    attemptNumber: 'Tentativa',
  },
});
