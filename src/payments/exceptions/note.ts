import type { ReceiptNoteKind } from '../../db/tables/exceptions.ts';
import type { Deps } from '../../deps.ts';
import { SERVICE } from '../../kernel/actor.ts';
import type { Id } from '../../kernel/ids.ts';
import { CaseRefused } from './case-refused.ts';
import type { ReceiptNoteRow } from './exception-store.ts';

const NOTE_CHARACTERS_MAX = 1000;

/** The text of a note, trimmed. CaseRefused when it is too long, or when it is `required` and empty. */
export function noteText(text: string, required = false): string {
  const trimmed = text.trim();
  if (required && trimmed === '')
    throw new CaseRefused('note_missing', 'write a note: it says to everybody what was done');
  if (trimmed.length > NOTE_CHARACTERS_MAX) {
    throw new CaseRefused('note_long', `the note must have at most ${NOTE_CHARACTERS_MAX} characters`, {
      max: NOTE_CHARACTERS_MAX,
    });
  }
  return trimmed;
}

/** A line of a receipt's story, by whoever acts. */
export function noteRow(
  deps: Pick<Deps, 'clock' | 'ids' | 'actor'>,
  receiptId: Id<'rcp'>,
  note: { kind: ReceiptNoteKind; text: string; operator: boolean; internal: boolean },
): ReceiptNoteRow {
  return {
    id: deps.ids('rno'),
    receipt_id: receiptId,
    at: deps.clock.now(),
    actor: (deps.actor ?? SERVICE).name,
    kind: note.kind,
    text: note.text,
    by_operator: note.operator ? 1 : 0,
    internal: note.internal ? 1 : 0,
  };
}
