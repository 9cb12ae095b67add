import { texts } from '../../lib/i18n.ts';

/** The texts about refunds that the bank reports and this service did not make. */
export const REPORTED_TEXTS = texts({
  en: {
    title: 'Refunds made outside this service',
    check: 'To check',
    text: 'The bank reports that this money was returned, and no refund of this service matches. Check each one in the bank’s back office, then record it or dismiss it.',
    noAmount: 'Amount unknown',
    noReceipt: (requestId: string | null) =>
      requestId === null ? 'Payment unknown' : `Payment unknown (bank’s ID ${requestId})`,
    note: 'How do you know?',
    record: {
      button: 'Record refund',
      placeholder: 'Made in the bank’s back office by Ana on 3 March',
      effects: [
        'The amount counts as refunded: in the totals, in the statement and for further refunds.',
        'A refund event is sent if the merchant wants them.',
        'No money is sent. This cannot be undone.',
      ],
      done: 'Refund recorded.',
    },
    dismiss: {
      button: 'Dismiss',
      title: 'Dismiss report',
      placeholder: 'Already recorded as the bank transfer of 3 March',
      effects: [
        'The report disappears from this list. Nothing else changes.',
        'Dismiss it only if no money was returned, or if it is recorded already. This cannot be undone.',
      ],
      done: 'Report dismissed.',
    },
  },
  pt: {
    title: 'Reembolsos feitos fora deste serviço',
    check: 'Por confirmar',
    text: 'O banco comunica que este dinheiro foi devolvido e nenhum reembolso deste serviço lhe corresponde. Confirme cada um no backoffice do banco e, depois, registe-o ou arquive-o.',
    noAmount: 'Valor desconhecido',
    noReceipt: (requestId) =>
      requestId === null ? 'Pagamento desconhecido' : `Pagamento desconhecido (ID do banco ${requestId})`,
    note: 'Como sabe?',
    record: {
      button: 'Registar reembolso',
      placeholder: 'Feito no backoffice do banco pela Ana, a 3 de março',
      effects: [
        'O valor conta como reembolsado: nos totais, no extrato e para novos reembolsos.',
        'Se o comerciante as recebe, é enviada a notificação de reembolso.',
        'Não é enviado dinheiro. Esta ação não pode ser anulada.',
      ],
      done: 'Reembolso registado.',
    },
    dismiss: {
      button: 'Arquivar',
      title: 'Arquivar aviso',
      placeholder: 'Já registado com a transferência de 3 de março',
      effects: [
        'O aviso sai desta lista. Nada mais muda.',
        'Arquive-o apenas se não foi devolvido dinheiro ou se já está registado. Esta ação não pode ser anulada.',
      ],
      done: 'Aviso arquivado.',
    },
  },
});
