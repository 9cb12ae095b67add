import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  ownLead: [
    'Money returned to customers. Start a refund on the page of its payment.',
    'Dinheiro devolvido aos clientes. Os reembolsos pedem-se na página do pagamento.',
  ],
  acrossLead: [
    'Refunds of all merchants. Those to settle wait for you.',
    'Reembolsos de todos os comerciantes. Os que estão por concluir aguardam a sua ação.',
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 refund' : `${count} refunds`),
    (count, one) => (one ? '1 reembolso' : `${count} reembolsos`),
  ],
  show: ['Show', 'Mostrar'],
  queue: ['To settle', 'Por concluir'],
  queueCount: [(count: string) => `To settle (${count})`, (count) => `Por concluir (${count})`],
  noOrder: ['Unmatched', 'Sem correspondência'],
  account: ['Transfer to', 'Transferir para'],
  noIban: ['IBAN missing', 'Falta o IBAN'],
  noName: ['Name missing', 'Falta o nome'],
  iban: [(last: string) => `•••• ${last}`, (last) => `•••• ${last}`],
  exported: ['exported', 'exportado'],
  created: ['Requested', 'Pedido'],
  reason: ['Reason', 'Motivo'],
  nothing: ['No refunds yet', 'Ainda não há reembolsos'],
  nothingWhy: [
    'To refund a payment, open its transaction.',
    'Para reembolsar um pagamento, abra a respetiva transação.',
  ],
  nothingQueued: ['Nothing to settle', 'Nada por concluir'],
  nothingQueuedWhy: [
    'Refunds with an unknown outcome, and those that await a bank transfer, appear here.',
    'Os reembolsos de resultado desconhecido e os que aguardam transferência bancária aparecem aqui.',
  ],
  drawer: ['Refund', 'Reembolso'],
  export: {
    button: ['Export transfers', 'Exportar transferências'],
    text: [
      'Downloads a SEPA credit transfer file (pain.001) of the refunds that await their transfer. Upload it to your bank, then settle each refund once the money has left.',
      'Descarrega um ficheiro SEPA (pain.001) com os reembolsos que aguardam transferência. Entregue o ficheiro ao seu banco e conclua cada reembolso quando o dinheiro tiver saído.',
    ],
    once: [
      'Each refund is exported once, so that nothing is paid twice.',
      'Cada reembolso é exportado uma só vez, para que nada seja pago em duplicado.',
    ],
    again: ['Include refunds that were already exported', 'Incluir reembolsos já exportados'],
    againWarning: [
      'Only if the bank has not executed the earlier file: otherwise it pays them a second time. First settle the refunds that it has paid.',
      'Só se o banco não tiver executado o ficheiro anterior: caso contrário, paga-os uma segunda vez. Conclua primeiro os reembolsos que já foram pagos.',
    ],
    repeated: [
      (count: string, one: boolean) =>
        one
          ? '1 of these transfers is in an earlier file too. Before you upload this file, make sure that the bank has not executed the earlier one. The transfer has the same EndToEndId in both.'
          : `${count} of these transfers are in an earlier file too. Before you upload this file, make sure that the bank has not executed the earlier one. Each transfer has the same EndToEndId in both.`,
      (count, one) =>
        one
          ? '1 destas transferências também está num ficheiro anterior. Antes de entregar este ficheiro, confirme que o banco não executou o anterior. A transferência tem o mesmo EndToEndId em ambos.'
          : `${count} destas transferências também estão num ficheiro anterior. Antes de entregar este ficheiro, confirme que o banco não executou o anterior. Cada transferência tem o mesmo EndToEndId em ambos.`,
    ],
    confirm: ['Export', 'Exportar'],
    none: ['There is nothing to export.', 'Não há nada para exportar.'],
    made: [
      (count: string, one: boolean, total: string) =>
        one
          ? `1 transfer of ${total} was exported.`
          : `${count} transfers of ${total} in total were exported.`,
      (count, one, total) =>
        one
          ? `Foi exportada 1 transferência de ${total}.`
          : `Foram exportadas ${count} transferências, num total de ${total}.`,
    ],
    save: ['Save file again', 'Guardar o ficheiro novamente'],
    left: [
      (count: string, one: boolean) =>
        one
          ? '1 refund was left out: it lacks the IBAN or the name, or the bank reports a refund made elsewhere.'
          : `${count} refunds were left out: they lack the IBAN or the name, or the bank reports a refund made elsewhere.`,
      (count, one) =>
        one
          ? 'Ficou de fora 1 reembolso: falta o IBAN ou o nome, ou o banco comunica um reembolso feito fora do serviço.'
          : `Ficaram de fora ${count} reembolsos: falta o IBAN ou o nome, ou o banco comunica um reembolso feito fora do serviço.`,
    ],
  },
});
