import { Center, Loader } from '@mantine/core';
import { COMMON } from '../lib/common-texts.ts';
import { useTexts } from '../lib/i18n.ts';

/** Shown while the session is loading. */
export function Waiting() {
  const words = useTexts(COMMON);
  return (
    <Center mih="100vh" role="status" aria-label={words.loading}>
      <Loader />
    </Center>
  );
}
