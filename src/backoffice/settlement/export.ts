import type { Deps } from '../../deps.ts';
import { csvEuros } from '../../kernel/csv.ts';
import type { Language } from '../../kernel/language.ts';
import { lisbonDay } from '../../kernel/lisbon.ts';
import { METHOD_NAMES } from '../../payments/methods.ts';
import { type StatementLine, statementPage } from '../../payments/statement/statement.ts';
import type { StatementFilter, StatementPlace } from '../../payments/statement/store.ts';
import { type CsvColumn, csvPages } from '../export-route.ts';

const KINDS = {
  en: { receipt: 'Payment', refund: 'Refund' },
  pt: { receipt: 'Pagamento', refund: 'Reembolso' },
};

const euros = (cents: number | null, language: Language) => (cents === null ? '' : csvEuros(cents, language));

const COLUMNS: readonly CsvColumn<StatementLine>[] = [
  { en: 'Day', pt: 'Dia', cell: (line) => lisbonDay(line.at) },
  { en: 'Type', pt: 'Tipo', cell: (line, language) => KINDS[language][line.kind] },
  { en: 'Order', pt: 'Encomenda', cell: (line) => line.orderId },
  { en: 'Transaction', pt: 'Transação', cell: (line) => line.transactionId },
  { en: 'Payment received', pt: 'Pagamento recebido', cell: (line) => line.receiptId },
  { en: 'Refund', pt: 'Reembolso', cell: (line) => line.refundId },
  { en: 'Acquirer', pt: 'Adquirente', cell: (line) => line.acquirer },
  { en: 'Method', pt: 'Método', cell: ({ method }) => (method === null ? '' : METHOD_NAMES[method]) },
  { en: 'Gross (EUR)', pt: 'Valor bruto (EUR)', cell: (line, language) => euros(line.gross, language) },
  { en: 'Fee (EUR)', pt: 'Comissão (EUR)', cell: (line, language) => euros(line.fee, language) },
  { en: 'Net (EUR)', pt: 'Valor líquido (EUR)', cell: (line, language) => euros(line.net, language) },
  {
    en: 'Refunded (EUR)',
    pt: 'Valor reembolsado (EUR)',
    cell: (line, language) => euros(line.refund, language),
  },
  { en: 'Payout date', pt: 'Data de liquidação', cell: (line) => line.valueDate },
];

/** The receipts and refunds of a settlement as CSV, in the order of time: the lines of `statement export`. */
export function settlementCsv(deps: Pick<Deps, 'db'>, filter: StatementFilter, language: Language) {
  return csvPages(COLUMNS, language, (cursor: StatementPlace | null) =>
    statementPage(deps.db.read, filter, cursor),
  );
}
