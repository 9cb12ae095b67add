import { OperatorError } from '../../kernel/errors.ts';

/** Why something cannot be done about a receipt or a transaction, for whoever says it in another language. */
export type CaseFault =
  | 'settled'
  | 'changed'
  | 'due'
  | 'sum'
  | 'not_paying'
  | 'ordinary'
  | 'note_missing'
  | 'note_long'
  | 'notes_full'
  | 'assigned'
  | 'bank_says'
  | 'no_transaction'
  | 'credit_short'
  | 'paid'
  | 'held'
  | 'not_held';

/** A refusal about money that waits for a person; the sentence is the operator's, `values` are what it tells. */
export class CaseRefused extends OperatorError {
  readonly fault: CaseFault;
  readonly values: Readonly<Record<string, string | number>>;

  constructor(fault: CaseFault, sentence: string, values: Record<string, string | number> = {}) {
    super(sentence);
    this.fault = fault;
    this.values = values;
  }
}

/** What was read a moment ago is no longer so. */
export function changed(receiptId: string): CaseRefused {
  return new CaseRefused('changed', `receipt ${receiptId} has just been changed: look at it again`);
}
