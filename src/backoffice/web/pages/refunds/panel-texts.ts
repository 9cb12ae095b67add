import { texts } from '../../lib/i18n.ts';

/** The texts of a receipt's refunds. */
export const PANEL_TEXTS = texts({
  en: {
    left: (amount: string) => `${amount} can be refunded`,
    allRefunded: 'Nothing left to refund',
    refusals: {
      viewer: 'Only owners can refund.',
      off: 'Refunds are switched off for this merchant. Ask the platform to make the refund.',
      unavailable: 'This payment cannot be refunded now.',
      held: 'The sale is on hold. Release it under Review before a refund.',
      returned: 'Already returned outside this service.',
      in_flight: 'The next refund is possible once the current one is settled.',
    },
    states: {
      requested: 'Requested',
      sent: 'Being sent',
      accepted: 'Accepted by the bank',
      unknown: 'Outcome unknown',
      awaiting_transfer: 'Awaiting transfer',
      done: 'Refunded',
      failed: 'Failed',
    },
    says: {
      requested: 'The refund is about to be sent to the bank.',
      sent: 'The bank is processing the refund.',
      accepted: 'The bank accepted the refund and confirms it later.',
      unknown:
        'The bank gave no clear answer: the money may have been returned. The refund is not sent again until the bank or the operator confirms the outcome.',
      done: 'The money was returned to the customer.',
      transferred: (iban: string) => `The money was transferred to the IBAN that ends in ${iban}.`,
      failed: 'The refund was not made. No money left the account.',
      noAccount: 'Add the customer’s IBAN and name, so that the platform can make the transfer.',
      toTransfer: (iban: string) => `The platform transfers the money to the IBAN that ends in ${iban}.`,
      exported: (iban: string, when: string) =>
        `The transfer to the IBAN that ends in ${iban} was exported on ${when}, for upload at the bank.`,
    },
    details: {
      INSUFFICIENT_FUNDS: 'The account at the bank has too little money left. Try again after new payments.',
      BANK_UNAVAILABLE: 'The bank could not be reached. Try again.',
      REFUNDED_ELSEWHERE:
        'The bank reports a refund of this payment that was made elsewhere. An operator must settle it first.',
      ORIGINAL_DONE: 'The bank made the first refund after all. It was not repeated.',
    },
    bankReason: (reason: string) => `The bank’s reason: ${reason}`,
    technical: (detail: string) => `Technical detail: ${detail}`,
    reasonOf: (reason: string) => `Reason: ${reason}`,
    toName: (name: string) => `Account holder: ${name}`,
    refundId: 'Refund ID',
    history: 'History',
    service: 'Service',
    commandLine: 'Command line',
    notes: {
      'notified by the bank': 'Confirmed by the bank’s notification',
      interrupted: 'The service stopped during the call',
      'exported for bank transfer': 'Exported for bank transfer',
      'exported again for bank transfer': 'Exported again for bank transfer',
      'IBAN set': 'IBAN set',
      'the account has too little money that was not transferred yet': 'Too little money in the account',
      'the bank made this refund, which exceeds the receipt':
        'The bank made this refund, although the payment has been refunded since',
    },
  },
  pt: {
    left: (amount) => `Podem ser reembolsados ${amount}`,
    allRefunded: 'Nada mais a reembolsar',
    refusals: {
      viewer: 'Só os proprietários podem reembolsar.',
      off: 'Os reembolsos estão desativados para este comerciante. Peça o reembolso à plataforma.',
      unavailable: 'De momento, este recebimento não pode ser reembolsado.',
      held: 'A venda está retida. Liberte-a em Revisão antes de a reembolsar.',
      returned: 'Já devolvido fora deste serviço.',
      in_flight: 'O próximo reembolso será possível quando o atual estiver concluído.',
    },
    states: {
      requested: 'Pedido',
      sent: 'A ser enviado',
      accepted: 'Aceite pelo banco',
      unknown: 'Resultado desconhecido',
      awaiting_transfer: 'Aguarda transferência',
      done: 'Reembolsado',
      failed: 'Falhou',
    },
    says: {
      requested: 'O reembolso está prestes a ser enviado ao banco.',
      sent: 'O banco está a processar o reembolso.',
      accepted: 'O banco aceitou o reembolso e confirma-o mais tarde.',
      unknown:
        'O banco não deu uma resposta clara: o dinheiro pode ter sido devolvido. O reembolso não volta a ser enviado até o banco ou o operador confirmarem o resultado.',
      done: 'O dinheiro foi devolvido ao cliente.',
      transferred: (iban) => `O dinheiro foi transferido para o IBAN terminado em ${iban}.`,
      failed: 'O reembolso não foi efetuado. Não saiu dinheiro da conta.',
      noAccount: 'Indique o IBAN e o nome do cliente, para que a plataforma possa fazer a transferência.',
      toTransfer: (iban) => `A plataforma transfere o dinheiro para o IBAN terminado em ${iban}.`,
      exported: (iban, when) =>
        `A transferência para o IBAN terminado em ${iban} foi exportada a ${when}, para entrega ao banco.`,
    },
    details: {
      INSUFFICIENT_FUNDS:
        'A conta no banco não tem saldo suficiente. Tente novamente depois de novos pagamentos.',
      BANK_UNAVAILABLE: 'Não foi possível contactar o banco. Tente novamente.',
      REFUNDED_ELSEWHERE:
        'O banco comunica um reembolso deste recebimento feito fora do serviço. Um operador tem de o regularizar primeiro.',
      ORIGINAL_DONE: 'Afinal, o banco fez o primeiro reembolso. O reembolso não foi repetido.',
    },
    bankReason: (reason) => `Motivo do banco: ${reason}`,
    technical: (detail) => `Detalhe técnico: ${detail}`,
    reasonOf: (reason) => `Motivo: ${reason}`,
    toName: (name) => `Titular da conta: ${name}`,
    refundId: 'ID do reembolso',
    history: 'Histórico',
    service: 'Serviço',
    commandLine: 'Linha de comandos',
    notes: {
      'notified by the bank': 'Confirmado pela notificação do banco',
      interrupted: 'O serviço parou durante o pedido',
      'exported for bank transfer': 'Exportado para transferência bancária',
      'exported again for bank transfer': 'Exportado novamente para transferência bancária',
      'IBAN set': 'IBAN definido',
      'the account has too little money that was not transferred yet': 'Saldo insuficiente na conta',
      'the bank made this refund, which exceeds the receipt':
        'O banco efetuou este reembolso, embora o recebimento já tenha sido reembolsado',
    },
  },
});
