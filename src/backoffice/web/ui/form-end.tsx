import { Button, Group } from '@mantine/core';
import { texts, useTexts } from '../lib/i18n.ts';
import { Trouble } from './trouble.tsx';

const TEXTS = texts({ en: { cancel: 'Cancel' }, pt: { cancel: 'Cancelar' } });

interface Props {
  readonly error: unknown;
  /** The label of the submit button. */
  readonly label: string;
  readonly busy: boolean;
  readonly onCancel: () => void;
}

/** The footer of a form in a dialog: error, cancel and submit. */
export function FormEnd({ error, label, busy, onCancel }: Props) {
  const words = useTexts(TEXTS);
  return (
    <>
      <Trouble error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel}>
          {words.cancel}
        </Button>
        <Button type="submit" loading={busy}>
          {label}
        </Button>
      </Group>
    </>
  );
}
