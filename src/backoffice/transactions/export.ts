import type { Deps } from '../../deps.ts';
import { csvEuros, csvPhone, csvTime } from '../../kernel/csv.ts';
import type { Id } from '../../kernel/ids.ts';
import type { Language } from '../../kernel/language.ts';
import { PAYMENT_WORDS } from '../../kernel/payment-words.ts';
import { METHOD_NAMES } from '../../payments/methods.ts';
import { csvPages } from '../export-route.ts';
import { FIRST_DAY, instantsOf, LAST_DAY } from './cursor.ts';
import { type Filters, listTransactions, type Viewpoint } from './list.ts';
import { createdOnDays, paidOnDays } from './store.ts';
import type { ListedTransaction } from './view.ts';

const PAGE_ROWS = 500;

const HEADINGS = {
  en: [
    ...['Transaction', 'Order', 'Status', 'Method', 'Amount (EUR)', 'Created (Lisbon)', 'Paid (Lisbon)'],
    ...['Customer', 'Email', 'Phone', 'Entity', 'Reference', 'Needs attention', 'Payment link'],
  ],
  pt: [
    ...['Transação', 'Encomenda', 'Estado', 'Método', 'Valor (EUR)', 'Criação (Lisboa)'],
    ...['Pagamento (Lisboa)', 'Cliente', 'E-mail', 'Telefone', 'Entidade', 'Referência', 'Requer atenção'],
    'Link de pagamento',
  ],
};

const MERCHANT_HEADINGS = {
  en: ['Merchant', 'Merchant name'],
  pt: ['Comerciante', 'Nome do comerciante'],
};

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
  const across = viewpoint.scope === null;
  return csvPages(
    [...(across ? MERCHANT_HEADINGS[language] : []), ...HEADINGS[language]],
    language,
    (cursor) => listTransactions(deps, viewpoint, filters, { limit: PAGE_ROWS, cursor }),
    (row) => [...(across ? [row.merchantId, row.merchantName] : []), ...cells(row, language)],
  );
}

function cells(row: ListedTransaction, language: Language): unknown[] {
  const words = PAYMENT_WORDS[language];
  return [
    ...[
      row.transactionId,
      row.orderId,
      words[row.status],
      row.method === null ? '' : METHOD_NAMES[row.method],
    ],
    ...[csvEuros(row.amountCents, language), csvTime(row.createdAt)],
    ...[row.paidAt === null ? '' : csvTime(row.paidAt), row.customerName, row.customerEmail],
    ...[csvPhone(row.phoneNumber), row.entity, row.reference],
    ...[row.attention.map((flag) => words[flag]).join(', '), row.linkTitle],
  ];
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
