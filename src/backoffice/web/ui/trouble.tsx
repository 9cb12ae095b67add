import { Alert } from '@mantine/core';
import { faultOf, GaveUp } from '../lib/faults.ts';
import { useLanguage } from '../lib/i18n.ts';

/** The error of a form, announced to screen readers; renders nothing without an error. */
export function Trouble({ error }: { readonly error: unknown }) {
  const { language } = useLanguage();
  if (error === null || error === undefined || error instanceof GaveUp) return null;
  return (
    <Alert color="red" role="alert" p="sm">
      {faultOf(error, language).message}
    </Alert>
  );
}
