import { ActionIcon, Button, Group, VisuallyHidden } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { TbCheck, TbCopy } from 'react-icons/tb';
import { texts } from '../lib/i18n.ts';
import { Breakable } from './breakable.tsx';
import css from './copyable.module.css';

const TEXTS = texts({
  copyOf: [(label: string) => `Copy ${label}`, (label) => `Copiar ${label}`],
});

interface Props {
  readonly value: string;
  /** Names the value in the button's accessible name. */
  readonly label: string;
}

/** A value with a copy button. */
export function Copyable({ value, label }: Props) {
  return (
    <Group component="span" display="inline-flex" wrap="nowrap" gap={4} maw="100%" miw={0}>
      <span className={css.value}>
        <Breakable text={value} />
      </span>
      <CopyButton value={value} label={label} />
    </Group>
  );
}

/** The same for a list of facts, which omits a missing value. */
export function copyable(value: string | null | undefined, label: string) {
  return value == null ? null : <Copyable value={value} label={label} />;
}

/** A copy button without the value. */
export function CopyButton({ value, label }: Props) {
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const name = copied ? TEXTS.copied : TEXTS.copyOf(label);
  return (
    <>
      <ActionIcon
        variant="subtle"
        color={copied ? 'teal' : 'gray'}
        aria-label={name}
        title={name}
        onClick={() => copy(value)}
      >
        {copied ? <TbCheck size={16} /> : <TbCopy size={16} />}
      </ActionIcon>
      <CopyStatus text={copied ? TEXTS.copied : null} />
    </>
  );
}

/** Announces that a text was copied: a screen reader does not announce the new name of a button. */
export function CopyStatus({ text }: { readonly text: string | null }) {
  return <VisuallyHidden role="status">{text}</VisuallyHidden>;
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
  const Icon = copied ? TbCheck : TbCopy;
  return (
    <>
      <Button variant="default" leftSection={<Icon size={16} aria-hidden />} onClick={() => copy(text)}>
        {copied ? copiedLabel : label}
      </Button>
      <CopyStatus text={copied ? copiedLabel : null} />
    </>
  );
}
