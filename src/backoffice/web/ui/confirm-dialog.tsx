import { Button, Group, Stack } from '@mantine/core';
import { type ReactNode, useState } from 'react';
import { texts, useTexts } from '../lib/i18n.ts';
import { Dialog } from './dialog.tsx';
import { Trouble } from './trouble.tsx';

const TEXTS = texts({ en: { cancel: 'Cancel' }, pt: { cancel: 'Cancelar' } });

export interface Question {
  readonly title: string;
  /** The consequence, in one or two sentences; may contain fields. */
  readonly children: ReactNode;
  readonly confirmLabel: string;
  /** For irreversible actions. */
  readonly danger?: boolean;
  readonly confirmDisabled?: boolean;
  /** The dialog closes when the promise resolves and shows the error when it rejects. */
  readonly onConfirm: () => unknown;
}

interface Props extends Question {
  readonly opened: boolean;
  readonly onClose: () => void;
}

/** A modal confirmation dialog. */
export default function ConfirmDialog({ opened, onClose, ...question }: Props) {
  const { title, children, confirmLabel, danger = false, confirmDisabled = false, onConfirm } = question;
  const words = useTexts(TEXTS);
  const [busy, setBusy] = useState(false);
  const [trouble, setTrouble] = useState<unknown>(null);
  const close = () => {
    if (busy) return;
    setTrouble(null);
    onClose();
  };
  const confirm = async () => {
    setBusy(true);
    setTrouble(null);
    try {
      await onConfirm();
      onClose();
    } catch (error) {
      setTrouble(error);
    } finally {
      setBusy(false);
    }
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <form
        onSubmit={(event) => {
          event.preventDefault();
          event.stopPropagation();
          void confirm();
        }}
      >
        <Stack>
          <div>{children}</div>
          <Trouble error={trouble} />
          <Group justify="flex-end">
            <Button variant="default" onClick={close} disabled={busy}>
              {words.cancel}
            </Button>
            <Button
              type="submit"
              loading={busy}
              disabled={confirmDisabled}
              {...(danger && { color: 'red.9' })}
            >
              {confirmLabel}
            </Button>
          </Group>
        </Stack>
      </form>
    </Dialog>
  );
}
