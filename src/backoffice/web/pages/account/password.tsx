import { Button, PasswordInput, Stack, Text } from '@mantine/core';
import { useMutation, useQueryClient } from '@tanstack/react-query';
import { type FormEvent, useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { SecondFactorField } from '../../ui/code-field.tsx';
import { NewPassword } from '../../ui/new-password.tsx';
import { notifyDone } from '../../ui/notify.ts';
import { Trouble } from '../../ui/trouble.tsx';
import { TEXTS } from './texts.ts';

const EMPTY = { current: '', password: '', code: '' };

/** Changes the user's password; needs the current one, and a code when two-factor authentication is on. */
export function Password() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const queries = useQueryClient();
  const { user } = useSession();
  const [fields, setFields] = useState(EMPTY);
  const change = useMutation(trpc.account.changePassword.mutationOptions());
  const totp = user?.totp === true;
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    try {
      const { current, password, code } = fields;
      await change.mutateAsync({ current, password, ...(totp && { code }) });
      setFields(EMPTY);
      notifyDone(words.changed);
      await queries.invalidateQueries(trpc.account.sessions.pathFilter());
    } catch {
      // The form shows the error; a code is valid once.
      setFields((given) => ({ ...given, code: '' }));
    }
  };
  return (
    <Card title={words.passwordTitle}>
      <form onSubmit={(event) => void submit(event)}>
        <Stack maw={420}>
          <Text c="dimmed">{words.passwordText}</Text>
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <PasswordInput
            label={words.current}
            autoComplete="current-password"
            required
            withAsterisk={false}
            value={fields.current}
            onChange={(event) => setFields({ ...fields, current: event.currentTarget.value })}
          />
          <NewPassword
            label={words.next}
            value={fields.password}
            onChange={(password) => setFields({ ...fields, password })}
          />
          {totp && (
            <SecondFactorField
              label={words.ownCode}
              value={fields.code}
              onChange={(code) => setFields({ ...fields, code })}
            />
          )}
          <Trouble error={change.error} />
          <div>
            <Button type="submit" loading={change.isPending}>
              {words.change}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}
