import { Button, Group, Stack } from '@mantine/core';
import type { FormEventHandler, KeyboardEvent, ReactNode } from 'react';
import { COMMON } from '../lib/i18n.ts';
import { Trouble } from './trouble.tsx';

interface Props {
  readonly onSubmit: FormEventHandler<HTMLFormElement>;
  /** The mutation that the form starts. */
  readonly change: { readonly error: unknown; readonly isPending: boolean };
  /** The label of the submit button. */
  readonly label: string;
  readonly onCancel: () => void;
  readonly cancelLabel?: string;
  readonly danger?: boolean;
  readonly disabled?: boolean;
  readonly noValidate?: boolean;
  readonly children: ReactNode;
}

/**
 * A form in a dialog, which ends with its error, Cancel and the submit button. Cancel is disabled while the form is busy: the change
 * would be made all the same, and its result may be shown only once. In a dangerous form, Cancel takes the focus unless a field
 * before it does.
 */
export function DialogForm(props: Props) {
  const { onSubmit, change, label, onCancel, cancelLabel = COMMON.cancel } = props;
  const { danger = false, disabled = false, noValidate = false, children } = props;
  return (
    <form onSubmit={onSubmit} onKeyDown={ignoreHeldEnter} noValidate={noValidate}>
      <Stack>
        {children}
        <Trouble error={change.error} />
        <Group justify="flex-end">
          <Button
            variant="default"
            onClick={onCancel}
            disabled={change.isPending}
            data-autofocus={danger || undefined}
          >
            {cancelLabel}
          </Button>
          <Button
            type="submit"
            loading={change.isPending}
            disabled={disabled}
            // The second click of a double click on what opened the dialog would confirm it unread.
            onClick={(event) => event.detail > 1 && event.preventDefault()}
            {...(danger && { color: 'red.9' })}
          >
            {label}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** An Enter that is still held after it opened a dialog would confirm it unread. */
function ignoreHeldEnter(event: KeyboardEvent<HTMLFormElement>): void {
  const writes = event.target instanceof HTMLTextAreaElement;
  if (event.key === 'Enter' && event.repeat && !writes) event.preventDefault();
}
