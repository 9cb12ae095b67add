import { Button } from '@mantine/core';
import { IconFingerprint } from '@tabler/icons-react';
import type { UseMutationResult } from '@tanstack/react-query';
import { usePasskeyPlace } from '../lib/passkeys.ts';
import { Trouble } from './trouble.tsx';

interface Props {
  readonly label: string;
  readonly asking: UseMutationResult<void, Error, void>;
  readonly onDone: () => unknown;
  readonly size?: 'md';
}

/** Asks for a passkey; renders nothing where the page cannot use one. */
export function PasskeyButton({ label, asking, onDone, size }: Props) {
  if (!usePasskeyPlace().here) return null;
  return (
    <>
      <Button
        variant="default"
        fullWidth
        {...(size !== undefined && { size })}
        leftSection={<IconFingerprint size={18} stroke={1.8} aria-hidden />}
        loading={asking.isPending}
        onClick={() => asking.mutate(undefined, { onSuccess: () => void onDone() })}
      >
        {label}
      </Button>
      <Trouble error={asking.error} />
    </>
  );
}
