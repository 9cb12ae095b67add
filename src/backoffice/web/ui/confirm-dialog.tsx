import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { useIsGone } from '../lib/is-gone.ts';
import { submitting } from '../lib/submitting.ts';
import { Dialog } from './dialog.tsx';
import { DialogForm } from './dialog-form.tsx';
import { notifyFault } from './notify.ts';

export interface Question {
  readonly title: string;
  /** The consequence, in one or two sentences; may contain fields. */
  readonly children?: ReactNode;
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

export default function ConfirmDialog({ opened, onClose, ...question }: Props) {
  const { title, children, confirmLabel, danger = false, confirmDisabled = false, onConfirm } = question;
  const isGone = useIsGone();
  const confirm = useMutation({
    mutationFn: async () => {
      await onConfirm();
    },
    onSuccess: onClose,
    // After a refusal the page reloads, and may no longer have the action that opened this dialog.
    onError: (error) => {
      if (isGone()) notifyFault(error);
    },
  });
  const close = () => {
    if (confirm.isPending) return;
    confirm.reset();
    onClose();
  };
  return (
    <Dialog opened={opened} onClose={close} title={title}>
      <DialogForm
        onSubmit={submitting(confirm.mutateAsync)}
        change={confirm}
        label={confirmLabel}
        onCancel={close}
        danger={danger}
        // While the dialog fades out, its page may offer the opposite already.
        disabled={confirmDisabled || !opened}
      >
        <div>{children}</div>
      </DialogForm>
    </Dialog>
  );
}
