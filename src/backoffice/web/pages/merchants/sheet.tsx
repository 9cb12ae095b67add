import { Alert, Button, Group, Stack } from '@mantine/core';
import { useClipboard } from '@mantine/hooks';
import { IconCheck, IconCopy, IconKey } from '@tabler/icons-react';
import { useTexts } from '../../lib/i18n.ts';
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
  const { copied, copy } = useClipboard({ timeout: 2_000 });
  const { lines } = words;
  const here = window.location.origin;
  const { apiKey, invitation, merchantId, webhookSecret } = handOver;
  const entries: readonly (readonly [string, string])[] = [
    [lines.merchant, merchantId],
    [lines.api, `${here}/api/v1`],
    [lines.docs, `${here}/docs`],
    [lines.key, apiKey],
    [lines.secret, webhookSecret],
    invitation === null
      ? [lines.backoffice, `${here}/backoffice`]
      : [lines.invitation, `${here}${invitation}`],
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
        <Button
          variant="default"
          leftSection={copied ? <IconCheck size={16} aria-hidden /> : <IconCopy size={16} aria-hidden />}
          onClick={() => copy(text)}
        >
          {copied ? words.copied : words.copyAll}
        </Button>
        <Button onClick={onDone}>{words.done}</Button>
      </Group>
    </Stack>
  );
}
