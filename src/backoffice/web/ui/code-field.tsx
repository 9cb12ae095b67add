import { TextInput } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly autoFocus?: boolean;
}

/** A field for a six-digit code; phones show the numeric keyboard. */
export function CodeField({ label, value, onChange, autoFocus = false }: Props) {
  return (
    <TextInput
      label={label}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value.replace(/[^\d ]/g, '').slice(0, 7))}
      inputMode="numeric"
      autoComplete="one-time-code"
      autoFocus={autoFocus}
      required
      withAsterisk={false}
      styles={{ input: { fontSize: '1.25rem', letterSpacing: '0.2em', maxWidth: 190 } }}
    />
  );
}
