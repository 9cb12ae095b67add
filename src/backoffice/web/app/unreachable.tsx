import { Button, Stack } from '@mantine/core';
import { texts, useTexts } from '../lib/i18n.ts';
import { Trouble } from '../ui/trouble.tsx';
import { Outside } from './outside.tsx';

const TEXTS = texts({
  en: { title: 'The pages could not be opened', again: 'Try again' },
  pt: { title: 'Não foi possível abrir as páginas', again: 'Tentar outra vez' },
});

interface Props {
  readonly error: unknown;
  readonly onAgain: () => void;
}

/** In place of everything while it cannot be asked who is there. */
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
