import { TextInput } from '@mantine/core';
import { IconSearch } from '@tabler/icons-react';
import { useTyping } from './use-typing.ts';

interface Props {
  readonly label: string;
  readonly hint: string;
  readonly value: string;
  /** Called when typing pauses. */
  readonly onChange: (value: string) => void;
  /** Takes the full width. */
  readonly alone?: boolean;
}

/** A search field without browser autofill. */
export function SearchField({ label, hint, value, onChange, alone = false }: Props) {
  const [typed, type] = useTyping(value, onChange);
  return (
    <TextInput
      label={label}
      placeholder={hint}
      leftSection={<IconSearch size={16} aria-hidden />}
      type="search"
      autoComplete="off"
      maxLength={200}
      {...(alone && { maw: 420 })}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
    />
  );
}
