import { Textarea } from '@mantine/core';
import { useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { ACT_TEXTS } from './act-texts.ts';

/** An optional note. */
export function Note({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (text: string) => void;
}) {
  const words = useTexts(ACT_TEXTS);
  const across = usePageMerchant() === null;
  return (
    <Textarea
      label={words.noteOptional}
      description={across ? words.noteRead : undefined}
      maxLength={1000}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
