import { Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';

interface Props {
  readonly text: string;
  readonly label: string;
  /** Replaces the label for two seconds. */
  readonly copiedLabel: string;
}

/** A button with a label that copies a text. */
export function CopyAll({ text, label, copiedLabel }: Props) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(text)}>
      {copied ? copiedLabel : label}
    </Button>
  );
}
