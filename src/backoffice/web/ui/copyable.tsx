import { ActionIcon } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy } from '@tabler/icons-react';
import { texts, useTexts } from '../lib/i18n.ts';
import css from './copyable.module.css';

const TEXTS = texts({
  en: { copy: 'Copy', copied: 'Copied', copyOf: (label: string) => `Copy ${label}` },
  pt: { copy: 'Copiar', copied: 'Copiado', copyOf: (label) => `Copiar ${label}` },
});

interface Props {
  readonly value: string;
  /** What the value is, for the button's name. */
  readonly label?: string;
  /** What is shown in place of the value. */
  readonly children?: string;
}

/** A value to take along, with a button that copies it. */
export function Copyable({ value, label, children }: Props) {
  return (
    <span className={css.line}>
      <span className={css.value}>{children ?? value}</span>
      <CopyButton value={value} {...(label !== undefined && { label })} />
    </span>
  );
}

/** The button alone, for a value that is shown in its own way. */
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
