import { Checkbox, Stack, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { submitting } from '../../lib/submitting.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { FormEnd } from '../../ui/form-end.tsx';
import { LinkDialog, type MadeLink } from '../../ui/link-dialog.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { TEXTS } from './texts.ts';
import type { Person } from './types.ts';

/** Opens the dialog that creates a password reset link. */
export function ResetButton({ person }: { readonly person: Person }) {
  const words = useTexts(TEXTS);
  const [opened, setOpened] = useState(false);
  const close = () => setOpened(false);
  return (
    <>
      <SmallButton aria-label={words.resetOf(person.email)} onClick={() => setOpened(true)}>
        {words.reset}
      </SmallButton>
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
  const [removesFactor, setRemovesFactor] = useState(false);
  const reset = useMutation(trpc.users.resetLink.mutationOptions());
  const submit = submitting(async () => {
    const { link } = await reset.mutateAsync({ userId, totp: removesFactor });
    onMade({ email, path: link });
  });
  return (
    <form onSubmit={submit}>
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
