import { Alert, Button, Group, Stack } from '@mantine/core';
import { IconKey } from '@tabler/icons-react';
import { useTexts } from '../../lib/i18n.ts';
import { CopyAll } from '../../ui/copy-all.tsx';
import { TEXTS } from './create-texts.ts';
import css from './merchants.module.css';
import type { HandOver } from './types.ts';

interface Props {
  readonly name: string;
  readonly handOver: HandOver;
  readonly onDone: () => void;
}

/** The details of a new merchant, as one text to copy. */
export function Sheet({ name, handOver, onDone }: Props) {
  const words = useTexts(TEXTS);
  const { lines } = words;
  const here = window.location.origin;
  const { apiKey, invitation, merchantId, webhookSecret } = handOver;
  const entries: readonly (readonly [string, string])[] = [
    [lines.merchant, merchantId],
    [lines.api, `${here}/api/v1`],
    [lines.docs, `${here}/docs`],
    [lines.key, apiKey],
    [lines.secret, webhookSecret],
    invitation === null ? [words.product, `${here}/backoffice`] : [lines.invitation, `${here}${invitation}`],
  ];
  const body = entries.map(([label, value]) => `${label}\n${value}`).join('\n\n');
  const text = `${lines.heading(name)}\n\n${body}\n`;
  return (
    <Stack>
      <Alert color="yellow" icon={<IconKey size={18} aria-hidden />}>
        {words.once}
      </Alert>
      <section aria-label={words.sheet}>
        <pre className={css.sheet}>{text}</pre>
      </section>
      <Group justify="space-between">
        <CopyAll text={text} label={words.copyAll} copiedLabel={words.copied} />
        <Button onClick={onDone}>{words.done}</Button>
      </Group>
    </Stack>
  );
}
