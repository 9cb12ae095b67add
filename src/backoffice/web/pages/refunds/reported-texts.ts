import { texts } from '../../lib/i18n.ts';

/** The texts about refunds that the bank reports and this service did not make. */
export const REPORTED_TEXTS = texts({
  title: ['Refunds made outside this service', 'Reembolsos feitos fora deste serviço'],
  check: ['To check', 'Por confirmar'],
  text: [
    'The bank reports that this money was returned, and no refund of this service matches. Check each one in the bank’s back office, then record it or dismiss it.',
    'O banco comunica que este dinheiro foi devolvido e nenhum reembolso deste serviço lhe corresponde. Confirme cada um no backoffice do banco e, depois, registe-o ou arquive-o.',
  ],
  noAmount: ['Amount unknown', 'Valor desconhecido'],
  noReceipt: [
    (requestId: string | null) =>
      requestId === null ? 'Payment unknown' : `Payment unknown (bank’s ID ${requestId})`,
    (requestId) =>
      requestId === null ? 'Pagamento desconhecido' : `Pagamento desconhecido (ID do banco ${requestId})`,
  ],
  note: ['How do you know?', 'Como sabe?'],
  record: {
    button: ['Record refund', 'Registar reembolso'],
    placeholder: [
      'Made in the bank’s back office by Ana on 3 March',
      'Feito no backoffice do banco pela Ana, a 3 de março',
    ],
    effects: [
      [
        'The amount counts as refunded: in the totals, in the statement and for further refunds.',
        'A refund event is sent if the merchant wants them.',
        'No money is sent. This cannot be undone.',
      ],
      [
        'O valor conta como reembolsado: nos totais, no extrato e para novos reembolsos.',
        'Se o comerciante as recebe, é enviada a notificação de reembolso.',
        'Não é enviado dinheiro. Esta ação não pode ser anulada.',
      ],
    ],
    done: ['Refund recorded.', 'Reembolso registado.'],
  },
  dismiss: {
    button: ['Dismiss', 'Arquivar'],
    title: ['Dismiss report', 'Arquivar aviso'],
    placeholder: [
      'Already recorded as the bank transfer of 3 March',
      'Já registado com a transferência de 3 de março',
    ],
    effects: [
      [
        'The report disappears from this list. Nothing else changes.',
        'Dismiss it only if no money was returned, or if it is recorded already. This cannot be undone.',
      ],
      [
        'O aviso sai desta lista. Nada mais muda.',
        'Arquive-o apenas se não foi devolvido dinheiro ou se já está registado. Esta ação não pode ser anulada.',
      ],
    ],
    done: ['Report dismissed.', 'Aviso arquivado.'],
  },
});
