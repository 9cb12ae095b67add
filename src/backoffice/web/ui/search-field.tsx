import { TextInput } from '@mantine/core';
import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';
import { TbSearch } from 'react-icons/tb';

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
  const [typed, type, flush] = useTyping(value, onChange);
  return (
    <TextInput
      label={label}
      placeholder={hint}
      leftSection={<TbSearch size={16} aria-hidden />}
      type="search"
      autoComplete="off"
      maxLength={200}
      {...(alone && { maw: 420 })}
      value={typed}
      onChange={(event) => type(event.currentTarget.value)}
      onBlur={flush}
    />
  );
}

const TYPING_PAUSE_MS = 300;

/** The text of a search box. Reports it when typing pauses or by `flush`, and follows changes of `value` from elsewhere. */
export function useTyping(
  value: string,
  onChange: (text: string) => void,
): readonly [typed: string, type: (text: string) => void, flush: () => void] {
  const [typed, setTyped] = useState(value);
  const sent = useRef(value);
  useEffect(() => {
    if (value !== sent.current) setTyped(value);
    sent.current = value;
  }, [value]);
  const send = useDebouncedCallback((text: string) => {
    sent.current = text.trim();
    onChange(text.trim());
  }, TYPING_PAUSE_MS);
  const type = (text: string) => {
    setTyped(text);
    send(text);
  };
  // The library replaces it with each call.
  return [typed, type, () => send.flush()];
}
