import { PasswordInput } from '@mantine/core';
import { texts } from '../lib/i18n.ts';

/** Mirrors the server's rule; the server decides. */
const PASSWORD_LENGTH_MIN = 12;

const TEXTS = texts({
  rule: [
    (min: number) => `At least ${min} characters. Three or four unrelated words are easy to remember.`,
    (min) =>
      `Pelo menos ${min} caracteres. Três ou quatro palavras sem relação entre si são fáceis de memorizar.`,
  ],
  left: [
    (count: number) => `${count} more ${count === 1 ? 'character' : 'characters'} needed.`,
    (count) => (count === 1 ? 'Falta 1 caractere.' : `Faltam ${count} caracteres.`),
  ],
});

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A field for a new password, with its rule and the number of missing characters. */
export function NewPassword({ label, value, onChange, autoFocus = false }: Props) {
  const missing = PASSWORD_LENGTH_MIN - [...value].length;
  const short = value !== '' && missing > 0;
  return (
    <PasswordInput
      label={label}
      description={short ? TEXTS.left(missing) : TEXTS.rule(PASSWORD_LENGTH_MIN)}
      inputWrapperOrder={['label', 'input', 'description', 'error']}
      styles={{ description: { minHeight: '2.6em', marginTop: 6 } }}
      autoComplete="new-password"
      required
      autoFocus={autoFocus}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}

export function CurrentPassword({ label, value, onChange }: Props) {
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      required
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
