import { Stack, Textarea, type TextareaProps } from '@mantine/core';
import { type ComponentProps, useState } from 'react';
import { Confirm } from './confirm.tsx';
import { Effects } from './effects.tsx';

const NOTE_LENGTH_MAX = 1000;

interface Props extends Omit<ComponentProps<typeof Confirm>, 'onConfirm'> {
  readonly note: Pick<TextareaProps, 'label' | 'description' | 'placeholder' | 'required'>;
  readonly effects: readonly string[];
  readonly onConfirm: (note: string) => unknown;
}

/** A confirmation with a note, which may be required, and the effects of the action. */
export function ConfirmWithNote(props: Props) {
  const { note, effects, onConfirm, confirmDisabled = false, children, ...question } = props;
  const [text, setText] = useState('');
  return (
    <Confirm
      {...question}
      confirmDisabled={confirmDisabled || (note.required === true && text.trim() === '')}
      onConfirm={() => onConfirm(text)}
    >
      <Stack>
        {children}
        <Textarea
          {...note}
          maxLength={NOTE_LENGTH_MAX}
          value={text}
          onChange={(event) => setText(event.currentTarget.value)}
        />
        <Effects lines={effects} />
      </Stack>
    </Confirm>
  );
}
