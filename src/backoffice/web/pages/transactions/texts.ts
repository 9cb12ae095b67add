import { texts } from '../../lib/i18n.ts';

export const TEXTS = texts({
  paidPeriod: ['Paid', 'Pagamento'],
  byCreated: ['Of creation', 'Da criação'],
  byPaid: ['Of payment', 'Do pagamento'],
  received: [
    (amount: string, count: string, one: boolean) =>
      `${one ? '1 paid sale' : `${count} paid sales`}: ${amount}`,
    (amount, count, one) => `${one ? '1 venda paga' : `${count} vendas pagas`}: ${amount}`,
  ],
  searchHint: [
    'Order, name, email, phone, amount, reference, link or transaction',
    'Encomenda, nome, e-mail, telemóvel, valor, referência, link ou transação',
  ],
  searchHintShort: ['Order, name, amount…', 'Encomenda, nome…'],
  clearSearch: ['Clear search', 'Limpar pesquisa'],
  anyTime: ['Any time', 'Sempre'],
  chosen: ['Custom range', 'Intervalo personalizado'],
  attention: ['Needs attention', 'A precisar de atenção'],
  attentionWhy: [
    'Late, duplicate, short or excess payments',
    'Pagamentos fora do prazo, em duplicado ou com valor diferente do devido',
  ],
  filters: ['Filters', 'Filtros'],
  filtersOn: [(count: string) => `Filters (${count})`, (count) => `Filtros (${count})`],
  clear: ['Clear all', 'Limpar tudo'],
  created: ['Created', 'Data'],
  list: ['Transactions, newest first', 'Transações, da mais recente para a mais antiga'],
  newer: [
    (count: string, one: boolean) => (one ? '1 new transaction' : `${count} new transactions`),
    (count, one) => (one ? '1 transação nova' : `${count} transações novas`),
  ],
  newerMany: [
    (count: string) => `${count} or more new transactions`,
    (count) => `${count} ou mais transações novas`,
  ],
  counted: [
    (count: string, one: boolean) => (one ? '1 transaction' : `${count} transactions`),
    (count, one) => (one ? '1 transação' : `${count} transações`),
  ],
  searched: [
    (day: string) => `Searched back to ${day}. There may be older results.`,
    (day) => `Pesquisado até ${day}. Pode haver resultados mais antigos.`,
  ],
  searching: [(day: string) => `Searching: ${day}…`, (day) => `A pesquisar: ${day}…`],
  none: ['No transactions yet', 'Ainda não há transações'],
  acrossLead: ['The payments of all merchants.', 'Os pagamentos de todos os comerciantes.'],
  noneWhyAcross: [
    'The first one appears here as soon as a shop creates a payment.',
    'A primeira aparece aqui assim que uma loja criar um pagamento.',
  ],
  noneWhy: [
    'The first one appears here as soon as your shop creates a payment.',
    'A primeira aparece aqui assim que a sua loja criar um pagamento.',
  ],
  noneFit: ['No results', 'Sem resultados'],
  noneFitWhy: ['Change the search or remove a filter.', 'Altere a pesquisa ou retire um filtro.'],
  unmatched: [
    'Payments that match no transaction are under Payments to resolve.',
    'Os pagamentos sem correspondência estão em Pagamentos por regularizar.',
  ],
  exportTitle: ['Export as CSV', 'Exportar em CSV'],
  exportRunning: [(rows: string) => `${rows} rows so far`, (rows) => `${rows} linhas até agora`],
  exportOf: [(rows: string, of: string) => `${rows} of ${of} rows`, (rows, of) => `${rows} de ${of} linhas`],
  exportDone: [
    (rows: string, one: boolean) => `${rows} ${one ? 'row' : 'rows'} exported.`,
    (rows, one) => `${rows} ${one ? 'linha exportada' : 'linhas exportadas'}.`,
  ],
  exportFailed: ['The export was interrupted. Try again.', 'A exportação foi interrompida. Tente novamente.'],
  exportClose: ['Close', 'Fechar'],
  exportSave: ['Save again', 'Guardar novamente'],
  exportProgress: ['Progress of the export', 'Progresso da exportação'],
  exportWhy: [
    'All transactions that match the filters, newest first.',
    'Todas as transações que correspondem aos filtros, da mais recente para a mais antiga.',
  ],
});
