import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  description: [
    'Payments received, fees and refunds by day, in Lisbon time. Gross includes payments to resolve.',
    'Pagamentos recebidos, comissões e reembolsos por dia, na hora de Lisboa. O valor bruto inclui os pagamentos por regularizar.',
  ],
  heldIncluded: [
    'Includes payments on hold, which the merchant does not see.',
    'Inclui pagamentos retidos, que o comerciante não vê.',
  ],
  period: ['Period', 'Período'],
  thisMonth: ['This month', 'Este mês'],
  lastMonth: ['Last month', 'Mês anterior'],
  chosen: ['Choose dates', 'Escolher datas'],
  faults: {
    order: ['Choose a day on or after the first one.', 'Escolha um dia igual ou posterior ao primeiro.'],
    length: ['Choose a period of one year at most.', 'Escolha um período de um ano, no máximo.'],
  },
  payments: ['Payments', 'Pagamentos'],
  gross: ['Gross', 'Bruto'],
  fees: ['Fees', 'Comissões'],
  net: ['Net', 'Líquido'],
  payout: ['Expected payout', 'Liquidação prevista'],
  unknownPayout: ['Not known yet', 'Ainda sem data'],
  rule: [
    'Net is the gross amount less fees and refunds.',
    'Líquido é o valor bruto menos as comissões e os reembolsos.',
  ],
  ofPayout: [
    'For the payments of one payout, export the CSV and filter it by payout date.',
    'Para ver os pagamentos de uma liquidação, exporte o CSV e filtre-o pela data de liquidação.',
  ],
  unknown: [
    (count: string, one: boolean) =>
      one
        ? 'The fee of 1 payment is not known yet. Fees and net do not include this payment.'
        : `The fees of ${count} payments are not known yet. Fees and net do not include these payments.`,
    (count, one) =>
      one
        ? 'A comissão de 1 pagamento ainda não é conhecida. As comissões e o valor líquido não incluem este pagamento.'
        : `As comissões de ${count} pagamentos ainda não são conhecidas. As comissões e o valor líquido não incluem estes pagamentos.`,
  ],
  feesOnly: [
    (count: string, one: boolean) =>
      one
        ? 'The acquirer does not report the net amount of 1 payment. Net does not include this payment.'
        : `The acquirer does not report the net amounts of ${count} payments. Net does not include these payments.`,
    (count, one) =>
      one
        ? 'O adquirente não comunica o valor líquido de 1 pagamento. O valor líquido não inclui este pagamento.'
        : `O adquirente não comunica os valores líquidos de ${count} pagamentos. O valor líquido não inclui estes pagamentos.`,
  ],
  without: [
    (count: string, one: boolean) => (one ? '1 payment not included' : `${count} payments not included`),
    (count, one) => (one ? '1 pagamento não incluído' : `${count} pagamentos não incluídos`),
  ],
  total: ['Total of the period', 'Total do período'],
  days: ['Settlement by day', 'Liquidação por dia'],
  none: ['Nothing in this period', 'Sem movimentos neste período'],
  noneWhy: [
    'Payments received and refunds made in the period appear here.',
    'Os pagamentos recebidos e os reembolsos feitos no período aparecem aqui.',
  ],
});
