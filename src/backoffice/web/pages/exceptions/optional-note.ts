import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { ACT_TEXTS } from './act-texts.ts';

/** The field for an optional note; to an operator it also says who reads the note. */
export function useOptionalNote() {
  const words = useTexts(ACT_TEXTS);
  return { label: words.noteOptional, description: usePageMerchant() === null ? words.noteRead : undefined };
}
