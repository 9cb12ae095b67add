import type { Deps } from '../../deps.ts';
import { csvEuros } from '../../kernel/csv.ts';
import type { Language } from '../../kernel/language.ts';
import { lisbonDay } from '../../kernel/lisbon.ts';
import { METHOD_NAMES } from '../../payments/methods.ts';
import { type StatementLine, statementPage } from '../../payments/statement/statement.ts';
import type { StatementFilter, StatementPlace } from '../../payments/statement/store.ts';
import { csvPages } from '../export-route.ts';

const HEADINGS = {
  en: [
    ...['Day', 'Type', 'Order', 'Transaction', 'Payment received', 'Refund', 'Acquirer', 'Method'],
    ...['Gross (EUR)', 'Fee (EUR)', 'Net (EUR)', 'Refunded (EUR)', 'Payout date'],
  ],
  pt: [
    ...['Dia', 'Tipo', 'Encomenda', 'Transação', 'Pagamento recebido', 'Reembolso', 'Adquirente', 'Método'],
    ...['Valor bruto (EUR)', 'Comissão (EUR)', 'Valor líquido (EUR)', 'Valor reembolsado (EUR)'],
    'Data de liquidação',
  ],
};
const KINDS = {
  en: { receipt: 'Payment', refund: 'Refund' },
  pt: { receipt: 'Pagamento', refund: 'Reembolso' },
};

/** The receipts and refunds of a settlement as CSV, in the order of time: the lines of `statement export`. */
export function settlementCsv(deps: Pick<Deps, 'db'>, filter: StatementFilter, language: Language) {
  return csvPages(
    HEADINGS[language],
    language,
    (cursor: StatementPlace | null) => statementPage(deps.db.read, filter, cursor),
    (line) => cells(line, language),
  );
}

function cells(line: StatementLine, language: Language): unknown[] {
  const euros = (cents: number | null) => (cents === null ? '' : csvEuros(cents, language));
  return [
    ...[lisbonDay(line.at), KINDS[language][line.kind], line.orderId, line.transactionId, line.receiptId],
    ...[line.refundId, line.acquirer, line.method === null ? '' : METHOD_NAMES[line.method]],
    ...[euros(line.gross), euros(line.fee), euros(line.net), euros(line.refund), line.valueDate],
  ];
}
