import { texts } from '../../lib/i18n.ts';

/** The texts of the list. */
export const TEXTS = texts({
  en: {
    ownLead: 'Money returned to customers. Start a refund on the page of its payment.',
    acrossLead: 'Refunds of all merchants. Those to settle wait for you.',
    counted: (count: string, one: boolean) => (one ? '1 refund' : `${count} refunds`),
    show: 'Show',
    queue: 'To settle',
    queueCount: (count: string) => `To settle (${count})`,
    noOrder: 'Unmatched',
    account: 'Transfer to',
    noIban: 'IBAN missing',
    noName: 'Name missing',
    iban: (last: string) => `•••• ${last}`,
    exported: 'exported',
    created: 'Requested',
    reason: 'Reason',
    nothing: 'No refunds yet',
    nothingWhy: 'To refund a payment, open its transaction.',
    nothingQueued: 'Nothing to settle',
    nothingQueuedWhy: 'Refunds with an unknown outcome, and those that await a bank transfer, appear here.',
    drawer: 'Refund',
    export: {
      button: 'Export transfers',
      text: 'Downloads a SEPA credit transfer file (pain.001) of the refunds that await their transfer. Upload it to your bank, then settle each refund once the money has left.',
      once: 'Each refund is exported once, so that nothing is paid twice.',
      again: 'Include refunds that were already exported',
      againWarning:
        'Only if the bank has not executed the earlier file: otherwise it pays them a second time. First settle the refunds that it has paid.',
      repeated: (count: string, one: boolean) =>
        one
          ? '1 of these transfers is in an earlier file too. Before you upload this file, make sure that the bank has not executed the earlier one. The transfer has the same EndToEndId in both.'
          : `${count} of these transfers are in an earlier file too. Before you upload this file, make sure that the bank has not executed the earlier one. Each transfer has the same EndToEndId in both.`,
      confirm: 'Export',
      none: 'There is nothing to export.',
      made: (count: string, one: boolean, total: string) =>
        one
          ? `1 transfer of ${total} was exported.`
          : `${count} transfers of ${total} in total were exported.`,
      save: 'Save file again',
      left: (count: string, one: boolean) =>
        one
          ? '1 refund was left out: it lacks the IBAN or the name, or the bank reports a refund made elsewhere.'
          : `${count} refunds were left out: they lack the IBAN or the name, or the bank reports a refund made elsewhere.`,
    },
  },
  pt: {
    ownLead: 'Dinheiro devolvido aos clientes. Os reembolsos pedem-se na página do pagamento.',
    acrossLead: 'Reembolsos de todos os comerciantes. Os que estão por concluir aguardam a sua ação.',
    counted: (count, one) => (one ? '1 reembolso' : `${count} reembolsos`),
    show: 'Mostrar',
    queue: 'Por concluir',
    queueCount: (count) => `Por concluir (${count})`,
    noOrder: 'Sem correspondência',
    account: 'Transferir para',
    noIban: 'Falta o IBAN',
    noName: 'Falta o nome',
    iban: (last) => `•••• ${last}`,
    exported: 'exportado',
    created: 'Pedido',
    reason: 'Motivo',
    nothing: 'Ainda não há reembolsos',
    nothingWhy: 'Para reembolsar um pagamento, abra a respetiva transação.',
    nothingQueued: 'Nada por concluir',
    nothingQueuedWhy:
      'Os reembolsos de resultado desconhecido e os que aguardam transferência bancária aparecem aqui.',
    drawer: 'Reembolso',
    export: {
      button: 'Exportar transferências',
      text: 'Descarrega um ficheiro SEPA (pain.001) com os reembolsos que aguardam transferência. Entregue o ficheiro ao seu banco e conclua cada reembolso quando o dinheiro tiver saído.',
      once: 'Cada reembolso é exportado uma só vez, para que nada seja pago em duplicado.',
      again: 'Incluir reembolsos já exportados',
      againWarning:
        'Só se o banco não tiver executado o ficheiro anterior: caso contrário, paga-os uma segunda vez. Conclua primeiro os reembolsos que já foram pagos.',
      repeated: (count, one) =>
        one
          ? '1 destas transferências também está num ficheiro anterior. Antes de entregar este ficheiro, confirme que o banco não executou o anterior. A transferência tem o mesmo EndToEndId em ambos.'
          : `${count} destas transferências também estão num ficheiro anterior. Antes de entregar este ficheiro, confirme que o banco não executou o anterior. Cada transferência tem o mesmo EndToEndId em ambos.`,
      confirm: 'Exportar',
      none: 'Não há nada para exportar.',
      made: (count, one, total) =>
        one
          ? `Foi exportada 1 transferência de ${total}.`
          : `Foram exportadas ${count} transferências, num total de ${total}.`,
      save: 'Guardar o ficheiro novamente',
      left: (count, one) =>
        one
          ? 'Ficou de fora 1 reembolso: falta o IBAN ou o nome, ou o banco comunica um reembolso feito fora do serviço.'
          : `Ficaram de fora ${count} reembolsos: falta o IBAN ou o nome, ou o banco comunica um reembolso feito fora do serviço.`,
    },
  },
});
