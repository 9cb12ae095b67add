import { PasswordInput } from '@mantine/core';

interface Props {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Takes the focus when its dialog opens. */
  readonly first?: boolean;
}

/** A field for the user's password. */
export function CurrentPassword({ label, value, onChange, first = false }: Props) {
  return (
    <PasswordInput
      label={label}
      autoComplete="current-password"
      data-autofocus={first || undefined}
      required
      withAsterisk={false}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
