import { Alert } from '@mantine/core';
import { useEffect, useRef } from 'react';
import { faultOf, isGivenUp } from '../lib/faults.ts';
import { useLanguage } from '../lib/i18n.ts';

/** The error of a form, announced to screen readers; takes the focus that the busy button lost. Renders nothing without an error. */
export function Trouble({ error }: { readonly error: unknown }) {
  const { language } = useLanguage();
  const alert = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (error !== null && document.activeElement === document.body) alert.current?.focus();
  }, [error]);
  if (error === null || error === undefined || isGivenUp(error)) return null;
  return (
    <Alert ref={alert} tabIndex={-1} color="red" role="alert" p="sm">
      {faultOf(error, language).message}
    </Alert>
  );
}
