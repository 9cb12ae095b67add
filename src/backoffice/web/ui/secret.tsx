import { Box, Group } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { texts } from '../lib/i18n.ts';
import css from './copyable.module.css';
import { CopyButton } from './copyable.tsx';
import { notifyFault } from './notify.ts';
import { SmallButton } from './small-button.tsx';

const TEXTS = texts({
  reveal: ['Reveal', 'Mostrar'],
  hide: ['Hide', 'Ocultar'],
});
const SHOWN_MS = 60_000;

interface Props {
  /** The placeholder while the secret is hidden. */
  readonly masked: string;
  /** Fetches the secret; rejects when it may not be shown. Undefined when the user has no access. */
  readonly reveal: (() => Promise<string>) | undefined;
  readonly label: string;
}

/** A secret with reveal and copy buttons; it is hidden again after one minute. */
export function Secret({ masked, reveal, label }: Props) {
  const [shown, setShown] = useState<string | null>(null);
  useEffect(() => {
    if (shown === null) return;
    const timer = setTimeout(() => setShown(null), SHOWN_MS);
    return () => clearTimeout(timer);
  }, [shown]);
  const ask = useMutation({
    mutationFn: async () => (await reveal?.()) ?? null,
    onSuccess: setShown,
    onError: notifyFault,
  });
  return (
    <Group gap="8px 12px" mih={36}>
      <Box component="span" px={12} py={6} miw={0} bg="var(--ground)" bd="1px solid var(--line)" bdrs={8}>
        <span className={css.value}>{shown ?? masked}</span>
      </Box>
      {shown !== null && <CopyButton value={shown} label={label} />}
      {reveal !== undefined && (
        <SmallButton
          variant={shown === null ? 'default' : 'subtle'}
          loading={ask.isPending}
          onClick={() => (shown === null ? ask.mutate() : setShown(null))}
        >
          {shown === null ? TEXTS.reveal : TEXTS.hide}
        </SmallButton>
      )}
    </Group>
  );
}
