import { texts } from '../../lib/i18n.ts';

export const CASE_TEXTS = texts({
  title: ['Case', 'Caso'],
  happened: ['What happened', 'O que aconteceu'],
  toDo: ['What to do', 'O que fazer'],
  why: {
    late: [
      'The customer paid after the order had failed or been cancelled. The payment counts: the order is now paid, and the event “Payment received” was sent to the shop.',
      'O cliente pagou depois de a encomenda ter falhado ou sido cancelada. O pagamento é válido: a encomenda está agora paga e a notificação «Pagamento recebido» foi enviada à loja.',
    ],
    duplicate: [
      'The order was already paid when this payment arrived. It was not applied to the order and your shop was not notified.',
      'Quando este pagamento chegou, a encomenda já estava paga. Não foi imputado à encomenda e a loja não foi notificada.',
    ],
    paidTwice: [
      'The order was already paid through another transaction when this payment arrived. This transaction is now paid too, and the event “Payment received” was sent to the shop again.',
      'Quando este pagamento chegou, a encomenda já estava paga através de outra transação. Esta transação ficou também paga e a notificação «Pagamento recebido» voltou a ser enviada à loja.',
    ],
    under: [
      'The payment is less than the amount due. The order is not paid, and the shop was not notified of this payment.',
      'O valor recebido é inferior ao da encomenda. A encomenda não fica paga e a loja não foi notificada deste pagamento.',
    ],
    underPaid: [
      'The payment is less than the amount due. Another payment has paid the order; this one was not applied to it.',
      'O valor recebido é inferior ao da encomenda. A encomenda foi paga por outro pagamento e este não lhe foi imputado.',
    ],
    held: [
      'The sale is on hold. The order is not paid yet, and the shop was not notified of this payment.',
      'A venda está retida. A encomenda ainda não está paga e a loja não foi notificada deste pagamento.',
    ],
    over: [
      'The payment is more than the amount due. The order is paid, the event “Payment received” was sent to the shop, and the surplus belongs to the customer.',
      'O valor recebido é superior ao da encomenda. A encomenda está paga, a notificação «Pagamento recebido» foi enviada à loja e o excedente pertence ao cliente.',
    ],
    unmatched: [
      'The bank received this payment, and nothing in its record matches a transaction. No merchant was notified.',
      'O banco recebeu este pagamento e nada no seu registo corresponde a uma transação. Nenhum comerciante foi notificado.',
    ],
  },
  what: {
    late: [
      'Fulfil the order and close the case, or refund the customer here.',
      'Expeça a encomenda e encerre o caso, ou reembolse o cliente aqui.',
    ],
    duplicate: [
      'Refund the customer here. If the money was returned in another way, mark the payment as returned.',
      'Reembolse o cliente aqui. Se o dinheiro foi devolvido de outra forma, marque o recebimento como devolvido.',
    ],
    under: [
      'Wait for the rest, which the operator then credits; or refund the customer here.',
      'Aguarde o restante, que o operador depois credita, ou reembolse o cliente aqui.',
    ],
    underAcross: [
      'When the rest arrives, credit the transaction. If it does not, refund the customer here.',
      'Quando chegar o restante, credite a transação. Se não chegar, reembolse o cliente aqui.',
    ],
    underFull: [
      'The payments received now reach the amount due. Once the operator credits them, the order is paid.',
      'Os recebimentos já perfazem o valor devido. Assim que o operador os creditar, a encomenda fica paga.',
    ],
    over: [
      'Refund the surplus here, or mark it as returned if you returned it in another way. If the customer waives it, close the case.',
      'Reembolse aqui o excedente, ou marque-o como devolvido se foi devolvido de outra forma. Se o cliente prescindir do excedente, encerre o caso.',
    ],
    held: [
      'Release the sale under Review. A refund has to wait until then.',
      'Liberte a venda em Revisão. Só depois é possível reembolsar.',
    ],
    unmatched: [
      'Find the transaction it was meant for and assign it. If there is none, refund it here.',
      'Encontre a transação a que se destinava e atribua-o. Se não existir, reembolse-o aqui.',
    ],
  },
  receivedOf: [
    (received: string, due: string) => `${received} of ${due} received`,
    (received, due) => `${received} de ${due} recebidos`,
  ],
  settlements: {
    assigned: [
      'Assigned to its transaction. Nothing left to do.',
      'Atribuído à transação. Nada mais a fazer.',
    ],
    credited: ['Credited to its transaction.', 'Creditado na transação.'],
    returned: [
      (amount: string) => `${amount} refunded outside this service.`,
      (amount) => `${amount} devolvidos fora deste serviço.`,
    ],
    refunded: [
      'A refund was requested. See the refunds of the payment for its state.',
      'Foi pedido um reembolso. O estado consta dos reembolsos do pagamento.',
    ],
  },
  due: ['Amount due', 'Valor da encomenda'],
  bankRow: ['Original bank record', 'Registo original do banco'],
  viewerOnly: [
    'You can view this case. Only an owner of the merchant can act on it.',
    'Pode consultar este caso. Só um proprietário do comerciante o pode regularizar.',
  ],
  platformOnly: [
    'Only the operator can credit the rest of the amount.',
    'Só o operador pode creditar o restante do valor.',
  ],
  story: ['Notes and actions', 'Notas e ações'],
  noStory: ['No notes yet.', 'Ainda sem notas.'],
  kinds: {
    note: ['Note', 'Nota'],
    assigned: ['Assigned', 'Atribuído'],
    credited: ['Credited', 'Creditado'],
    kept: ['Case closed', 'Caso encerrado'],
    returned: ['Marked as returned', 'Marcado como devolvido'],
  },
  platform: ['Operator', 'Operador'],
  internal: ['Internal', 'Interna'],
  noteLabel: ['Add a note', 'Adicionar nota'],
  notePlaceholder: ['Who you contacted, what you agreed…', 'Quem contactou, o que ficou combinado…'],
  internalSwitch: ['Internal: hidden from the merchant', 'Interna: oculta ao comerciante'],
  addNote: ['Add note', 'Guardar nota'],
  noted: ['Note saved.', 'Nota guardada.'],
});
