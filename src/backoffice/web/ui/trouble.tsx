import { Alert } from '@mantine/core';
import { useLayoutEffect, useRef } from 'react';
import { faultOf, isGivenUp } from '../lib/faults.ts';

/** Returns the message of an error; null without one, or when the user cancelled. */
export function faultText(error: unknown): string | null {
  if (error === null || error === undefined || isGivenUp(error)) return null;
  return faultOf(error).message;
}

/** The error of a form, announced to screen readers; takes the focus that the busy button lost. Renders nothing without an error. */
export function Trouble({ error }: { readonly error: unknown }) {
  const text = faultText(error);
  const alert = useRef<HTMLDivElement>(null);
  // Runs before the button is enabled, which would take the focus back.
  useLayoutEffect(() => {
    if (error !== null && document.activeElement === document.body) alert.current?.focus();
  }, [error]);
  if (text === null) return null;
  return (
    <Alert ref={alert} tabIndex={-1} color="red" role="alert" p="sm">
      {text}
    </Alert>
  );
}
