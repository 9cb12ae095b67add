import { texts } from '../../lib/i18n.ts';

export const ACT_TEXTS = texts({
  noteOptional: ['Note (optional)', 'Nota (opcional)'],
  noMoney: [
    'This only records the refund. It does not send money.',
    'Apenas regista a devolução; não transfere dinheiro.',
  ],
  oneEvent: [
    'The event “Payment received” is sent to the shop once.',
    'A notificação «Pagamento recebido» é enviada uma vez à loja.',
  ],
  becomesPaid: ['The transaction becomes paid.', 'A transação fica paga.'],
  unchanged: ['The transaction does not change.', 'A transação não é alterada.'],
  returned: {
    button: ['Mark as returned', 'Marcar como devolvido'],
    confirm: [
      (amount: string) => `Mark ${amount} as returned`,
      (amount) => `Marcar ${amount} como devolvidos`,
    ],
    sum: ['Refunded to the customer', 'Devolvido ao cliente'],
    why: ['How and when was it refunded?', 'Como e quando foi devolvido?'],
    placeholder: [
      'By transfer on 3 March, agreed with the customer by email',
      'Por transferência a 3 de março, combinado com o cliente por e-mail',
    ],
    done: ['The case is resolved: returned.', 'Caso regularizado: devolvido.'],
  },
  keep: {
    button: ['Close case', 'Encerrar caso'],
    confirm: ['Close case', 'Encerrar'],
    kept: [
      (amount: string) => `The ${amount} stays with the merchant.`,
      (amount) => `Os ${amount} ficam com o comerciante.`,
    ],
    done: ['The case is closed.', 'Caso encerrado.'],
  },
  credit: {
    button: ['Credit', 'Creditar'],
    title: ['Credit transaction', 'Creditar transação'],
    sum: [
      (received: string, due: string) => `Received: ${received}. Amount due: ${due}.`,
      (received, due) => `Recebido: ${received}. Valor da encomenda: ${due}.`,
    ],
    surplus: [
      (amount: string) => `There is a surplus of ${amount}. Refund it to the customer afterwards.`,
      (amount) => `Há um excedente de ${amount}. Reembolse-o depois ao cliente.`,
    ],
    refused: [
      (missing: string) => `You can credit this once the missing ${missing} arrives.`,
      (missing) => `Só pode creditar quando chegarem os ${missing} em falta.`,
    ],
    done: ['The transaction is paid.', 'A transação está paga.'],
  },
  assign: {
    heading: ['Which transaction does it belong to?', 'A que transação pertence?'],
    none: [
      'No pending transaction of that time matches this amount or reference. Find the transaction and enter its ID.',
      'Nenhuma transação pendente nessa altura tem este valor ou esta referência. Pesquise a transação e indique o ID.',
    ],
    likeness: {
      request: ['Same bank request ID', 'Mesmo ID do pedido no banco'],
      reference: ['Same reference', 'Mesma referência'],
      amount: ['Same amount, similar time', 'Mesmo valor, hora semelhante'],
      typed: ['Chosen by you', 'Escolhida por si'],
    },
    field: ['Another transaction', 'Outra transação'],
    placeholder: ['tx_…', 'tx_…'],
    button: ['Assign', 'Atribuir'],
    buttonTo: [(order: string) => `Assign to order ${order}`, (order) => `Atribuir à encomenda ${order}`],
    title: ['Assign to this transaction', 'Atribuir a esta transação'],
    held: [
      'The merchant is under review. The sale stays on hold until you release it, and no event is sent.',
      'O comerciante está em revisão. A venda fica retida até a libertar, e não é enviada nenhuma notificação.',
    ],
    under: [
      (missing: string) =>
        `${missing} is missing. The transaction does not change until its payments are credited.`,
      (missing) => `Faltam ${missing}. A transação não é alterada até os recebimentos serem creditados.`,
    ],
    over: [
      (surplus: string) => `There is a surplus of ${surplus}. It remains a case until it is refunded.`,
      (surplus) => `Há um excedente de ${surplus}, que fica por regularizar até ser devolvido.`,
    ],
    late: [
      'The transaction had ended. The payment is marked as late.',
      'A transação já tinha terminado. O recebimento fica marcado como fora do prazo.',
    ],
    duplicate: [
      'The transaction is already paid. The payment is marked as a duplicate, to be refunded.',
      'A transação já está paga. O recebimento fica marcado como duplicado, para ser devolvido.',
    ],
    done: ['Payment assigned.', 'Recebimento atribuído.'],
  },
});
