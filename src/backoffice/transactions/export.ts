import type { Deps } from '../../deps.ts';
import { csvEuros, csvPhone, csvTime } from '../../kernel/csv.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/language.ts';
import { PAYMENT_WORDS } from '../../kernel/payment-words.ts';
import { METHOD_NAMES } from '../../payments/methods.ts';
import { type CsvColumn, csvPages } from '../export-route.ts';
import { FIRST_DAY, instantsOf, LAST_DAY } from './cursor.ts';
import { type Filters, listTransactions, type Viewpoint } from './list.ts';
import { createdOnDays, paidOnDays } from './store.ts';
import type { ListedTransaction } from './view.ts';

const PAGE_ROWS = 500;

const COLUMNS: readonly CsvColumn<ListedTransaction>[] = [
  { en: 'Transaction', pt: 'Transação', cell: (row) => row.transactionId },
  { en: 'Order', pt: 'Encomenda', cell: (row) => row.orderId },
  { en: 'Status', pt: 'Estado', cell: (row, language) => PAYMENT_WORDS[language][row.status] },
  { en: 'Method', pt: 'Método', cell: ({ method }) => (method === null ? '' : METHOD_NAMES[method]) },
  { en: 'Amount (EUR)', pt: 'Valor (EUR)', cell: (row, language) => csvEuros(row.amountCents, language) },
  { en: 'Created (Lisbon)', pt: 'Criação (Lisboa)', cell: (row) => csvTime(row.createdAt) },
  {
    en: 'Paid (Lisbon)',
    pt: 'Pagamento (Lisboa)',
    cell: ({ paidAt }) => (paidAt === null ? '' : csvTime(paidAt)),
  },
  { en: 'Customer', pt: 'Cliente', cell: (row) => row.customerName },
  { en: 'Email', pt: 'E-mail', cell: (row) => row.customerEmail },
  { en: 'Phone', pt: 'Telefone', cell: (row) => csvPhone(row.phoneNumber) },
  { en: 'Entity', pt: 'Entidade', cell: (row) => row.entity },
  { en: 'Reference', pt: 'Referência', cell: (row) => row.reference },
  {
    en: 'Needs attention',
    pt: 'Requer atenção',
    cell: (row, language) => row.attention.map((flag) => PAYMENT_WORDS[language][flag]).join(', '),
  },
  { en: 'Payment link', pt: 'Link de pagamento', cell: (row) => row.linkTitle },
];

const MERCHANT_COLUMNS: readonly CsvColumn<ListedTransaction>[] = [
  { en: 'Merchant', pt: 'Comerciante', cell: (row) => row.merchantId },
  { en: 'Merchant name', pt: 'Nome do comerciante', cell: (row) => row.merchantName },
];

/**
 * Transactions as CSV, newest first. Those of all merchants begin with the merchant. Throws OperatorError on an invalid day, before
 * the download begins.
 */
export function transactionsCsv(
  deps: Pick<Deps, 'db'>,
  viewpoint: Viewpoint,
  filters: Filters,
  language: Language,
) {
  instantsOf(filters);
  const columns = viewpoint.scope === null ? [...MERCHANT_COLUMNS, ...COLUMNS] : COLUMNS;
  return csvPages(columns, language, (cursor) =>
    listTransactions(deps, viewpoint, filters, { limit: PAGE_ROWS, cursor }),
  );
}

/** The number of lines from the daily totals: exact when only days filter the list, otherwise the maximum. */
export async function exportRows(deps: Pick<Deps, 'db'>, merchantId: Id<'mer'>, filters: Filters) {
  const { from = FIRST_DAY, to = LAST_DAY, by, ...others } = filters;
  const rowsMax =
    by === 'paid'
      ? (await paidOnDays(deps.db.read, merchantId, { from, to, method: null })).count
      : await createdOnDays(deps.db.read, merchantId, { from, to });
  return { rowsMax, exact: Object.values(others).every((value) => !value) };
}
