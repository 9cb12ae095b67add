import { ActionIcon, Button } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts, useTexts } from '../lib/i18n.ts';
import { Breakable } from './breakable.tsx';
import css from './copyable.module.css';

const TEXTS = texts({
  en: { copy: 'Copy', copyOf: (label: string) => `Copy ${label}` },
  pt: { copy: 'Copiar', copyOf: (label) => `Copiar ${label}` },
});

interface Props {
  readonly value: string;
  /** Names the value in the button's accessible name. */
  readonly label?: string;
  /** Text shown instead of the value. */
  readonly children?: string;
}

/** A value with a copy button. */
export function Copyable({ value, label, children }: Props) {
  return (
    <span className={css.line}>
      <span className={css.value}>
        <Breakable text={children ?? value} />
      </span>
      <CopyButton value={value} {...(label !== undefined && { label })} />
    </span>
  );
}

/** A copy button without the value. */
export function CopyButton({ value, label }: { readonly value: string; readonly label?: string }) {
  const words = useTexts(TEXTS);
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const name = copied ? words.copied : label === undefined ? words.copy : words.copyOf(label);
  return (
    <ActionIcon
      variant="subtle"
      color={copied ? 'teal' : 'gray'}
      aria-label={name}
      title={name}
      onClick={() => copy(value)}
    >
      {copied ? <IconCheck size={16} /> : <IconCopy size={16} />}
    </ActionIcon>
  );
}

interface CopyAllProps {
  readonly text: string;
  readonly label: string;
  /** Replaces the label for two seconds. */
  readonly copiedLabel: string;
}

/** A button with a label that copies a text. */
export function CopyAll({ text, label, copiedLabel }: CopyAllProps) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const Icon = copied ? IconCheck : IconCopy;
  return (
    <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(text)}>
      {copied ? copiedLabel : label}
    </Button>
  );
}
