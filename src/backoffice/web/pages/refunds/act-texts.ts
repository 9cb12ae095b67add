import { texts } from '../../lib/i18n.ts';

export const ACT_TEXTS = texts({
  create: {
    button: ['Refund', 'Reembolsar'],
    buttonOf: [
      (amount: string) => `Refund the payment of ${amount}`,
      (amount) => `Reembolsar o pagamento de ${amount}`,
    ],
    title: ['Refund payment', 'Reembolsar pagamento'],
    confirm: [(amount: string) => `Refund ${amount}`, (amount) => `Reembolsar ${amount}`],
    amount: ['Amount (€)', 'Valor (€)'],
    amountHint: [(left: string) => `At most ${left}`, (left) => `No máximo ${left}`],
    amountWrong: [
      (left: string) => `Enter an amount up to ${left}.`,
      (left) => `Indique um valor até ${left}.`,
    ],
    reason: ['Reason (optional)', 'Motivo (opcional)'],
    reasonHint: [
      'Stays in the history. The customer does not see it.',
      'Fica no histórico. O cliente não o vê.',
    ],
    iban: ['Customer’s IBAN', 'IBAN do cliente'],
    ibanHint: [
      'Optional now. Without it, the transfer waits until you add it.',
      'Pode ficar para depois. Sem IBAN, a transferência aguarda.',
    ],
    name: ['Account holder', 'Titular da conta'],
    viaBank: [
      (amount: string) => `The bank returns ${amount} to the customer through MB WAY now.`,
      (amount) => `O banco devolve já ${amount} ao cliente por MB WAY.`,
    ],
    byTransfer: [
      (amount: string) =>
        `Multibanco payments are refunded by bank transfer: the platform transfers ${amount} to this IBAN.`,
      (amount) =>
        `Os pagamentos Multibanco são reembolsados por transferência bancária: a plataforma transfere ${amount} para este IBAN.`,
    ],
    closesCase: ['The case is resolved.', 'O caso fica regularizado.'],
    event: [
      'Once the refund is made, the event “Payment refunded” is sent to the shop.',
      'Quando o reembolso for efetuado, é enviada à loja a notificação «Pagamento reembolsado».',
    ],
    done: ['Refund requested.', 'Reembolso pedido.'],
  },
  set: {
    button: ['Set IBAN', 'Definir IBAN'],
    text: [
      'The platform transfers the money to this account. It can be changed until the transfer is exported.',
      'A plataforma transfere o dinheiro para esta conta. Pode alterá-la até a transferência ser exportada.',
    ],
    done: ['IBAN saved.', 'IBAN guardado.'],
  },
  retry: {
    title: ['Repeat refund', 'Repetir reembolso'],
    text: [
      'The failed refund stays in the history. A new one of the same amount is requested.',
      'O reembolso falhado fica no histórico. É pedido um novo, do mesmo valor.',
    ],
  },
  settle: {
    button: ['Settle', 'Concluir'],
    title: ['Settle refund', 'Concluir reembolso'],
    outcome: ['What happened?', 'O que aconteceu?'],
    done: ['The money was returned', 'O dinheiro foi devolvido'],
    failed: ['No money was returned', 'O dinheiro não foi devolvido'],
    note: ['How do you know?', 'Como sabe?'],
    placeholder: ['Bank statement of 3 March', 'Extrato bancário de 3 de março'],
    noMoney: [
      'This only records the outcome. It does not send money.',
      'Apenas regista o resultado; não transfere dinheiro.',
    ],
    becomesDone: [
      'The refund counts as made, and a refund event is sent if the merchant wants them.',
      'O reembolso conta como efetuado e, se o comerciante as recebe, é enviada a notificação de reembolso.',
    ],
    becomesFailed: ['The amount can be refunded again.', 'O valor pode voltar a ser reembolsado.'],
    settled: ['Refund settled.', 'Reembolso concluído.'],
  },
});
