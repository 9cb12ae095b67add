import { Button, Stack } from '@mantine/core';
import { texts, useTexts } from '../lib/i18n.ts';
import { Trouble } from '../ui/trouble.tsx';
import { Outside } from './outside.tsx';

const TEXTS = texts({
  en: { title: 'The back office could not be loaded' },
  pt: { title: 'Não foi possível carregar a gestão de pagamentos' },
});

interface Props {
  readonly error: unknown;
  readonly onAgain: () => void;
}

/** Shown when the session cannot be loaded. */
export function Unreachable({ error, onAgain }: Props) {
  const words = useTexts(TEXTS);
  return (
    <Outside title={words.title}>
      <Stack>
        <Trouble error={error} />
        <Button onClick={onAgain}>{words.again}</Button>
      </Stack>
    </Outside>
  );
}
