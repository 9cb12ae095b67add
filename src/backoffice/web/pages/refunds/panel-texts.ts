import { texts } from '../../lib/i18n.ts';

export const PANEL_TEXTS = texts({
  left: [(amount: string) => `${amount} can be refunded`, (amount) => `Podem ser reembolsados ${amount}`],
  allRefunded: ['Nothing left to refund', 'Nada mais a reembolsar'],
  refusals: {
    viewer: ['Only owners can refund.', 'Só os proprietários podem reembolsar.'],
    off: [
      'Refunds are switched off for this merchant. Ask the platform to make the refund.',
      'Os reembolsos estão desativados para este comerciante. Peça o reembolso à plataforma.',
    ],
    unavailable: [
      'This payment cannot be refunded now.',
      'De momento, este recebimento não pode ser reembolsado.',
    ],
    held: [
      'The sale is on hold. Release it under Review before a refund.',
      'A venda está retida. Liberte-a em Revisão antes de a reembolsar.',
    ],
    returned: ['Already returned outside this service.', 'Já devolvido fora deste serviço.'],
    in_flight: [
      'The next refund is possible once the current one is settled.',
      'O próximo reembolso será possível quando o atual estiver concluído.',
    ],
  },
  states: {
    requested: ['Requested', 'Pedido'],
    sent: ['Being sent', 'A ser enviado'],
    accepted: ['Accepted by the bank', 'Aceite pelo banco'],
    unknown: ['Outcome unknown', 'Resultado desconhecido'],
    awaiting_transfer: ['Awaiting transfer', 'Aguarda transferência'],
    done: ['Refunded', 'Reembolsado'],
    failed: ['Failed', 'Falhou'],
  },
  says: {
    requested: [
      'The refund is about to be sent to the bank.',
      'O reembolso está prestes a ser enviado ao banco.',
    ],
    sent: ['The bank is processing the refund.', 'O banco está a processar o reembolso.'],
    accepted: [
      'The bank accepted the refund and confirms it later.',
      'O banco aceitou o reembolso e confirma-o mais tarde.',
    ],
    unknown: [
      'The bank gave no clear answer: the money may have been returned. The refund is not sent again until the bank or the operator confirms the outcome.',
      'O banco não deu uma resposta clara: o dinheiro pode ter sido devolvido. O reembolso não volta a ser enviado até o banco ou o operador confirmarem o resultado.',
    ],
    done: ['The money was returned to the customer.', 'O dinheiro foi devolvido ao cliente.'],
    transferred: [
      (iban: string) => `The money was transferred to the IBAN that ends in ${iban}.`,
      (iban) => `O dinheiro foi transferido para o IBAN terminado em ${iban}.`,
    ],
    failed: [
      'The refund was not made. No money left the account.',
      'O reembolso não foi efetuado. Não saiu dinheiro da conta.',
    ],
    bankMade: [
      'The bank made this refund after all, although the payment had since been refunded. Check with the bank how much was returned.',
      'Afinal, o banco efetuou este reembolso, embora o recebimento já tivesse sido reembolsado. Confirme com o banco quanto foi devolvido.',
    ],
    noAccount: [
      'Add the customer’s IBAN and name, so that the platform can make the transfer.',
      'Indique o IBAN e o nome do cliente, para que a plataforma possa fazer a transferência.',
    ],
    toTransfer: [
      (iban: string) => `The platform transfers the money to the IBAN that ends in ${iban}.`,
      (iban) => `A plataforma transfere o dinheiro para o IBAN terminado em ${iban}.`,
    ],
    exported: [
      (iban: string, when: string) =>
        `The transfer to the IBAN that ends in ${iban} was exported on ${when}, for upload at the bank.`,
      (iban, when) =>
        `A transferência para o IBAN terminado em ${iban} foi exportada a ${when}, para entrega ao banco.`,
    ],
  },
  details: {
    INSUFFICIENT_FUNDS: [
      'The account at the bank has too little money left. Try again after new payments.',
      'A conta no banco não tem saldo suficiente. Tente novamente depois de novos pagamentos.',
    ],
    BANK_UNAVAILABLE: [
      'The bank could not be reached. Try again.',
      'Não foi possível contactar o banco. Tente novamente.',
    ],
    REFUNDED_ELSEWHERE: [
      'The bank reports a refund of this payment that was made elsewhere. An operator must settle it first.',
      'O banco comunica um reembolso deste recebimento feito fora do serviço. Um operador tem de o regularizar primeiro.',
    ],
    ORIGINAL_DONE: [
      'The bank made the first refund after all. It was not repeated.',
      'Afinal, o banco fez o primeiro reembolso. O reembolso não foi repetido.',
    ],
  },
  bankReason: [(reason: string) => `The bank’s reason: ${reason}`, (reason) => `Motivo do banco: ${reason}`],
  technical: [(detail: string) => `Technical detail: ${detail}`, (detail) => `Detalhe técnico: ${detail}`],
  reasonOf: [(reason: string) => `Reason: ${reason}`, (reason) => `Motivo: ${reason}`],
  toName: [(name: string) => `Account holder: ${name}`, (name) => `Titular da conta: ${name}`],
  refundId: ['Refund ID', 'ID do reembolso'],
  history: ['History', 'Histórico'],
  service: ['Service', 'Serviço'],
  commandLine: ['Command line', 'Linha de comandos'],
  notes: {
    'notified by the bank': ['Confirmed by the bank’s notification', 'Confirmado pela notificação do banco'],
    interrupted: ['The service stopped during the call', 'O serviço parou durante o pedido'],
    'exported for bank transfer': ['Exported for bank transfer', 'Exportado para transferência bancária'],
    'exported again for bank transfer': [
      'Exported again for bank transfer',
      'Exportado novamente para transferência bancária',
    ],
    'IBAN set': ['IBAN set', 'IBAN definido'],
    'the account has too little money that was not transferred yet': [
      'Too little money in the account',
      'Saldo insuficiente na conta',
    ],
    'the bank made this refund, which exceeds the receipt': [
      'The bank made this refund, although the payment has been refunded since',
      'O banco efetuou este reembolso, embora o recebimento já tenha sido reembolsado',
    ],
  },
});
