import { Alert } from '@mantine/core';
import { faultOf, GaveUp } from '../lib/faults.ts';
import { useLanguage } from '../lib/i18n.ts';

/** What went wrong with a form, above its button, read out when it appears; nothing while all is well. */
export function Trouble({ error }: { readonly error: unknown }) {
  const { language } = useLanguage();
  if (error === null || error === undefined || error instanceof GaveUp) return null;
  return (
    <Alert color="red" role="alert" p="sm">
      {faultOf(error, language).message}
    </Alert>
  );
}
