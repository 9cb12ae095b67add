import { Button } from '@mantine/core';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { TbFingerprint } from 'react-icons/tb';
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
  // The button stays busy until the session is loaded.
  const ask = useMutation({
    mutationFn: async () => {
      await asking.mutateAsync();
      await onDone();
    },
  });
  if (!usePasskeyPlace().here) return null;
  return (
    <>
      <Button
        variant="default"
        fullWidth
        {...(size !== undefined && { size })}
        leftSection={<TbFingerprint size={18} strokeWidth={1.8} aria-hidden />}
        loading={ask.isPending}
        onClick={() => ask.mutate()}
      >
        {label}
      </Button>
      <Trouble error={ask.error} />
    </>
  );
}
