import { Center, Loader } from '@mantine/core';
import { texts, useTexts } from '../lib/i18n.ts';

const TEXTS = texts({ en: { loading: 'Loading…' }, pt: { loading: 'A carregar…' } });

/** Shown while the session is loading. */
export function Waiting() {
  const words = useTexts(TEXTS);
  return (
    <Center mih="100vh" role="status" aria-label={words.loading}>
      <Loader />
    </Center>
  );
}
