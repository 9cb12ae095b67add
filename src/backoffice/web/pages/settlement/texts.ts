import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  en: {
    description:
      'Payments received, fees and refunds by day, in Lisbon time. Gross includes payments to resolve.',
    heldIncluded: 'Includes payments on hold, which the merchant does not see.',
    period: 'Period',
    thisMonth: 'This month',
    lastMonth: 'Last month',
    chosen: 'Choose dates',
    faults: {
      order: 'Choose a day on or after the first one.',
      length: 'Choose a period of one year at most.',
    },
    payments: 'Payments',
    gross: 'Gross',
    fees: 'Fees',
    net: 'Net',
    payout: 'Expected payout',
    unknownPayout: 'Not known yet',
    rule: 'Net is the gross amount less fees and refunds.',
    ofPayout: 'For the payments of one payout, export the CSV and filter it by payout date.',
    unknown: (count: string, one: boolean) =>
      one
        ? 'The fee of 1 payment is not known yet. Fees and net do not include this payment.'
        : `The fees of ${count} payments are not known yet. Fees and net do not include these payments.`,
    without: (count: string, one: boolean) =>
      one ? '1 payment not included' : `${count} payments not included`,
    total: 'Total of the period',
    days: 'Settlement by day',
    none: 'Nothing in this period',
    noneWhy: 'Payments received and refunds made in the period appear here.',
  },
  pt: {
    description:
      'Pagamentos recebidos, comissões e reembolsos por dia, na hora de Lisboa. O valor bruto inclui os pagamentos por regularizar.',
    heldIncluded: 'Inclui pagamentos retidos, que o comerciante não vê.',
    period: 'Período',
    thisMonth: 'Este mês',
    lastMonth: 'Mês anterior',
    chosen: 'Escolher datas',
    faults: {
      order: 'Escolha um dia igual ou posterior ao primeiro.',
      length: 'Escolha um período de um ano, no máximo.',
    },
    payments: 'Pagamentos',
    gross: 'Bruto',
    fees: 'Comissões',
    net: 'Líquido',
    payout: 'Liquidação prevista',
    unknownPayout: 'Ainda sem data',
    rule: 'Líquido é o valor bruto menos as comissões e os reembolsos.',
    ofPayout: 'Para ver os pagamentos de uma liquidação, exporte o CSV e filtre-o pela data de liquidação.',
    unknown: (count, one) =>
      one
        ? 'A comissão de 1 pagamento ainda não é conhecida. As comissões e o valor líquido não incluem este pagamento.'
        : `As comissões de ${count} pagamentos ainda não são conhecidas. As comissões e o valor líquido não incluem estes pagamentos.`,
    without: (count, one) => (one ? '1 pagamento não incluído' : `${count} pagamentos não incluídos`),
    total: 'Total do período',
    days: 'Liquidação por dia',
    none: 'Sem movimentos neste período',
    noneWhy: 'Os pagamentos recebidos e os reembolsos feitos no período aparecem aqui.',
  },
});
