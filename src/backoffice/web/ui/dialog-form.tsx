import { Button, Group } from '@mantine/core';
import { COMMON, useTexts } from '../lib/i18n.ts';
import { Trouble } from './trouble.tsx';

interface Props {
  readonly error: unknown;
  /** The label of the submit button. */
  readonly label: string;
  readonly busy: boolean;
  readonly onCancel: () => void;
  readonly cancelLabel?: string;
  /** Disables Cancel while the form is busy. */
  readonly held?: boolean;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

/** The footer of a form in a dialog: error, cancel and submit. */
export function FormEnd(props: Props) {
  const { error, label, busy, onCancel, held = false, danger = false, disabled = false } = props;
  const words = useTexts(COMMON);
  const { cancelLabel = words.cancel } = props;
  return (
    <>
      <Trouble error={error} />
      <Group justify="flex-end">
        <Button variant="default" onClick={onCancel} disabled={held && busy}>
          {cancelLabel}
        </Button>
        <Button type="submit" loading={busy} disabled={disabled} {...(danger && { color: 'red.9' })}>
          {label}
        </Button>
      </Group>
    </>
  );
}
