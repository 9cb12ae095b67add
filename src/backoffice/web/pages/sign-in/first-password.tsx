import { Button, Stack } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { Outside } from '../../app/outside.tsx';
import { useTexts } from '../../lib/i18n.ts';
import { submitting } from '../../lib/submitting.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { CurrentPassword } from '../../ui/current-password.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { TEXTS } from './texts.ts';

interface Props {
  /** The password just entered; empty after a reload, when the form asks for it again. */
  readonly current: string;
  readonly onDone: () => Promise<unknown>;
}

/** The mandatory change of an initial password. */
export function FirstPassword({ current, onDone }: Props) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const change = useMutation(trpc.account.changePassword.mutationOptions());
  const [old, setOld] = useState(current);
  const [password, setPassword] = useState('');
  const submit = submitting(async () => {
    await change.mutateAsync({ current: old, password });
    await onDone();
  });
  return (
    <Outside title={words.firstTitle} description={words.firstText}>
      <form onSubmit={submit}>
        <Stack gap="md">
          {current === '' && <CurrentPassword label={words.password} value={old} onChange={setOld} />}
          <NewPassword label={words.newPassword} value={password} onChange={setPassword} autoFocus />
          <Trouble error={change.error} />
          <Button type="submit" size="md" fullWidth loading={change.isPending}>
            {words.save}
          </Button>
        </Stack>
      </form>
    </Outside>
  );
}
