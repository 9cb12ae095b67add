import { Button, Checkbox, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useTRPC } from '../../lib/trpc.ts';
import { FormEnd } from '../../ui/form-end.tsx';
import { LinkDialog, type MadeLink } from '../../ui/link-dialog.tsx';
import { TEXTS } from './texts.ts';
import type { Person } from './types.ts';

/** Opens the dialog that creates a password reset link. */
export function ResetButton({ person }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={words.resetOf(person.email)}
        onClick={() => setOpened(true)}
      >
        {words.reset}
      </Button>
      {opened && (
        <LinkDialog title={words.resetTitle} madeTitle={words.linkTitle} onClose={close}>
          {(onMade) => <ResetForm person={person} onMade={onMade} onCancel={close} />}
        </LinkDialog>
      )}
    </>
  );
}

interface FormProps {
  readonly person: Person;
  readonly onMade: (made: MadeLink) => void;
  readonly onCancel: () => void;
}

function ResetForm({ person: { userId, email, factor }, onMade, onCancel }: FormProps) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const fresh = useFresh();
  const [removesFactor, setRemovesFactor] = useState(false);
  const reset = useMutation(trpc.users.resetLink.mutationOptions());
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { link } = await fresh(() => reset.mutateAsync({ userId, totp: removesFactor }));
      onMade({ email, path: link });
    } catch {
      // The form shows the error.
    }
  };
  return (
    <form onSubmit={(event) => void submit(event)}>
      <Stack>
        <Text>{words.resetText(email)}</Text>
        {factor && (
          <Checkbox
            label={words.totp}
            description={words.totpText}
            checked={removesFactor}
            onChange={(event) => setRemovesFactor(event.currentTarget.checked)}
          />
        )}
        <FormEnd error={reset.error} label={words.make} busy={reset.isPending} onCancel={onCancel} />
      </Stack>
    </form>
  );
}
