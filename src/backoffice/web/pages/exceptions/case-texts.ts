import { texts } from '../../lib/i18n.ts';

/** What the drawer of one case says. */
export const CASE_TEXTS = texts({
  en: {
    title: 'Case',
    close: 'Close',
    happened: 'What happened',
    toDo: 'What to do',
    why: {
      late: 'The customer paid after the order had failed or been cancelled. The payment counts all the same: the order is paid now, and the event “Payment received” was issued to the shop.',
      duplicate:
        'The order was paid already when this money came. It paid for nothing, and no event was issued to the shop.',
      under:
        'Less came than the order asks. The order is not paid by it, and no event was issued to the shop.',
      over: 'More came than the order asks. The order is paid, the event “Payment received” was issued to the shop, and the surplus is not its due.',
      unmatched:
        'The bank received this money, and nothing in its record leads to a payment of ours. No merchant knows of it.',
    },
    what: {
      late: 'Deliver the order, or give the money back by your own means. Then close the case and say in a note which of the two you did.',
      duplicate: 'Give the money back to the customer by your own means, then mark it as returned.',
      under:
        'Wait for the rest, which the platform then credits; or give the money back and mark it as returned.',
      underAcross:
        'When the rest comes, credit the transaction. If it does not, have the money sent back and mark it as returned.',
      underFull: 'What came reaches the amount by now. Once the platform credits it, the order is paid.',
      over: 'Give the surplus back to the customer by your own means, then mark it as returned. If the customer leaves it to you, close the case.',
      unmatched:
        'Find the transaction that it was meant for and assign it. If there is none, have it sent back and mark it as returned.',
    },
    received: (received: string, due: string) => `${received} of ${due} received`,
    settlements: {
      assigned: 'Assigned: the money belongs to its transaction, nothing is left to do.',
      credited: 'Done: the money counts for its transaction.',
      returned: (amount: string) => `Done: ${amount} went back outside the service.`,
    },
    facts: {
      amount: 'Received',
      due: 'Order asks',
      order: 'Order',
      transaction: 'Transaction',
      merchant: 'Merchant',
      method: 'Method',
      reference: 'Reference',
      paidAt: 'Paid, by the bank',
      recordedAt: 'Recorded here',
      requestId: 'Request id of the bank',
      bankOrderId: 'Order id at the bank',
      receipt: 'Receipt',
    },
    bankRow: 'The row of the bank’s list',
    viewerOnly: 'You may look. An owner of the merchant can act on this case.',
    platformOnly: 'The rest of the amount is credited by the platform, not by you.',
    story: 'Notes and actions',
    noStory: 'Nobody has written anything yet.',
    kinds: {
      note: 'Note',
      assigned: 'Assigned',
      credited: 'Credited',
      kept: 'Case closed',
      returned: 'Marked as returned',
    },
    platform: 'The platform',
    internal: 'Internal',
    noteLabel: 'Add a note',
    notePlaceholder: 'Who was asked, what was agreed…',
    internalSwitch: 'Internal: the merchant does not read it',
    addNote: 'Add note',
    noted: 'The note is kept.',
  },
  pt: {
    title: 'Caso',
    close: 'Fechar',
    happened: 'O que aconteceu',
    toDo: 'O que fazer',
    why: {
      late: 'O cliente pagou depois de a encomenda ter falhado ou sido cancelada. O pagamento conta na mesma: a encomenda está agora paga e foi emitido o aviso «Pagamento recebido» para a loja.',
      duplicate:
        'Quando este dinheiro chegou, a encomenda já estava paga. Não pagou nada, e não foi emitido nenhum aviso para a loja.',
      under:
        'Chegou menos do que a encomenda pede. Não fica paga com isto, e não foi emitido nenhum aviso para a loja.',
      over: 'Chegou mais do que a encomenda pede. Está paga, foi emitido o aviso «Pagamento recebido» para a loja, e o excedente não lhe pertence.',
      unmatched:
        'O banco recebeu este dinheiro e nada no seu registo conduz a um pagamento nosso. Nenhum comerciante sabe dele.',
    },
    what: {
      late: 'Entregue a encomenda, ou devolva o dinheiro pelos seus próprios meios. Depois encerre o caso e diga numa nota qual das duas coisas fez.',
      duplicate: 'Devolva o dinheiro ao cliente pelos seus próprios meios e depois marque-o como devolvido.',
      under:
        'Espere pelo resto, que a plataforma depois credita; ou devolva o dinheiro e marque-o como devolvido.',
      underAcross:
        'Quando chegar o resto, credite a transação. Se não chegar, mande devolver o dinheiro e marque-o como devolvido.',
      underFull: 'O que chegou já perfaz o valor. Assim que a plataforma o creditar, a encomenda fica paga.',
      over: 'Devolva o excedente ao cliente pelos seus próprios meios e depois marque-o como devolvido. Se o cliente lho deixar, encerre o caso.',
      unmatched:
        'Encontre a transação a que se destinava e atribua-o. Se não houver nenhuma, mande-o devolver e marque-o como devolvido.',
    },
    received: (received, due) => `${received} de ${due} recebidos`,
    settlements: {
      assigned: 'Atribuído: o dinheiro pertence à sua transação, não há mais nada a fazer.',
      credited: 'Tratado: o dinheiro conta para a sua transação.',
      returned: (amount) => `Tratado: ${amount} foram devolvidos fora do serviço.`,
    },
    facts: {
      amount: 'Recebido',
      due: 'A encomenda pede',
      order: 'Encomenda',
      transaction: 'Transação',
      merchant: 'Comerciante',
      method: 'Método',
      reference: 'Referência',
      paidAt: 'Pago, segundo o banco',
      recordedAt: 'Registado aqui',
      requestId: 'Identificador do pedido no banco',
      bankOrderId: 'Identificador da encomenda no banco',
      receipt: 'Recebimento',
    },
    bankRow: 'A linha da lista do banco',
    viewerOnly: 'Pode consultar. Um proprietário do comerciante pode tratar deste caso.',
    platformOnly: 'O resto do valor é creditado pela plataforma, não por si.',
    story: 'Notas e ações',
    noStory: 'Ainda ninguém escreveu nada.',
    kinds: {
      note: 'Nota',
      assigned: 'Atribuído',
      credited: 'Creditado',
      kept: 'Caso encerrado',
      returned: 'Marcado como devolvido',
    },
    platform: 'A plataforma',
    internal: 'Interna',
    noteLabel: 'Acrescentar uma nota',
    notePlaceholder: 'Com quem se falou, o que ficou combinado…',
    internalSwitch: 'Interna: o comerciante não a lê',
    addNote: 'Guardar nota',
    noted: 'A nota ficou guardada.',
  },
});
