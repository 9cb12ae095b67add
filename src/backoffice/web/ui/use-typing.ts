import { useDebouncedCallback } from '@mantine/hooks';
import { useEffect, useRef, useState } from 'react';

const TYPING_PAUSE_MS = 300;

/** The text of a search box. Reports it when typing pauses, and follows changes of `value` from elsewhere. */
export function useTyping(
  value: string,
  onChange: (text: string) => void,
): readonly [typed: string, type: (text: string) => void] {
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
  return [typed, type];
}
