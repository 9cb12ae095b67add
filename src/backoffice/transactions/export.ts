import type { Deps } from '../../deps.ts';
import type { Id } from '../../kernel/ids.ts';
import { csvEuros, csvHead, csvLine, csvTime, type ExportLanguage } from '../csv.ts';
import type { Filters, ListedTransaction } from './contract.ts';
import { type Look, listTransactions } from './list.ts';
import { createdOnDays } from './store.ts';

/** Rows of one piece. */
const PIECE_ROWS = 500;

const COLUMNS = {
  en: [
    ...['Transaction', 'Order', 'State', 'Method', 'Amount (EUR)', 'Created (Lisbon)', 'Paid (Lisbon)'],
    ...['Customer', 'E-mail', 'Phone', 'Entity', 'Reference', 'Needs attention'],
  ],
  pt: [
    ...[
      'Transação',
      'Encomenda',
      'Estado',
      'Método',
      'Valor (EUR)',
      'Criação (Lisboa)',
      'Pagamento (Lisboa)',
    ],
    ...['Cliente', 'E-mail', 'Telefone', 'Entidade', 'Referência', 'A precisar de atenção'],
  ],
} as const;

/** The words of the pages. */
const WORDS = {
  en: {
    ...{ pending: 'Pending', paid: 'Paid', failed: 'Failed', cancelled: 'Cancelled' },
    ...{ late: 'Late', duplicate: 'Paid twice', under: 'Too little', over: 'Too much' },
  },
  pt: {
    ...{ pending: 'Pendente', paid: 'Pago', failed: 'Falhou', cancelled: 'Cancelado' },
    ...{ late: 'Atrasado', duplicate: 'Pago em duplicado', under: 'A menos', over: 'A mais' },
  },
} as const;
const METHODS = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const;

/**
 * Transactions as CSV, newest first, a piece of lines at a time; between two pieces the service does other things.
 */
export async function* transactionsCsv(
  deps: Pick<Deps, 'db'>,
  look: Look,
  filters: Filters,
  language: ExportLanguage,
): AsyncGenerator<string, void, undefined> {
  yield csvHead(COLUMNS[language], language);
  let cursor: string | null = null;
  do {
    const page = await listTransactions(deps, look, filters, { limit: PIECE_ROWS, cursor });
    if (page.rows.length > 0) yield page.rows.map((row) => csvLine(cells(row, language), language)).join('');
    cursor = page.nextCursor;
    await new Promise((resolve) => setImmediate(resolve));
  } while (cursor !== null);
}

function cells(row: ListedTransaction, language: ExportLanguage): unknown[] {
  const words = WORDS[language];
  return [
    ...[row.transactionId, row.orderId, words[row.status], row.method === null ? '' : METHODS[row.method]],
    ...[csvEuros(row.amountCents, language), csvTime(row.createdAt)],
    ...[row.paidAt === null ? '' : csvTime(row.paidAt), row.customerName, row.customerEmail],
    ...[row.phoneNumber, row.entity, row.reference],
    row.attention.map((flag) => words[flag]).join(', '),
  ];
}

/**
 * How many lines there will be: exact when nothing but days narrows the list, else the most that can come. Read from the daily
 * totals, whatever the number.
 */
export async function exportRows(
  deps: Pick<Deps, 'db'>,
  merchantId: Id<'mer'>,
  filters: Filters,
): Promise<{ rowsMax: number; exact: boolean }> {
  const { from = '0000-01-01', to = '9999-12-31', ...narrowing } = filters;
  const rowsMax = await createdOnDays(deps.db.read, merchantId, { from, to });
  const exact = Object.values(narrowing).every(
    (value) => value === undefined || value === false || value === '',
  );
  return { rowsMax, exact };
}
