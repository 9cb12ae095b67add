import { Button, Group, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Outside } from '../../app/outside.tsx';
import { useTexts } from '../../lib/i18n.ts';
import { submitting } from '../../lib/submitting.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { SecondFactorField } from '../../ui/code-field.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import type { Given } from './credentials.tsx';
import { TEXTS } from './texts.ts';

interface Props {
  readonly given: Given;
  readonly onEntered: () => Promise<unknown>;
  readonly onBack: () => void;
}

/** Asks for the TOTP code after a correct password. */
export function SecondFactor({ given, onEntered, onBack }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const signIn = useMutation(trpc.session.signIn.mutationOptions());
  const [code, setCode] = useState('');
  const submit = submitting(
    async () => {
      await signIn.mutateAsync({ ...given, code });
      await onEntered();
    },
    () => setCode(''),
  );
  return (
    <Outside title={words.codeTitle} description={words.codeText}>
      <form onSubmit={submit}>
        <Stack gap="md">
          <SecondFactorField label={words.code} value={code} onChange={setCode} autoFocus />
          <Trouble error={signIn.error} />
          <Group justify="space-between">
            <Button variant="subtle" onClick={onBack}>
              {words.back}
            </Button>
            <Button type="submit" loading={signIn.isPending}>
              {words.continue}
            </Button>
          </Group>
        </Stack>
      </form>
    </Outside>
  );
}
