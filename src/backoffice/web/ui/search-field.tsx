import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** Takes the full width. */
  readonly alone?: boolean;
}

/** A search field without browser autofill. */
export function SearchField({ label, hint, value, onChange, alone = false }: Props) {
  return (
    <TextInput
      label={label}
      placeholder={hint}
      leftSection={<IconSearch size={16} aria-hidden />}
      type="search"
      autoComplete="off"
      maxLength={200}
      {...(alone && { maw: 420 })}
      value={value}
      onChange={(event) => onChange(event.currentTarget.value)}
    />
  );
}
