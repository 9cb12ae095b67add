import { Button, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useSession } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { SecondFactorField } from '../../ui/code-field.tsx';
import { CurrentPassword, NewPassword } from '../../ui/password-fields.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import { TEXTS } from './texts.ts';

const EMPTY = { current: '', password: '', code: '' };

/** Changes the user's password; needs the current one, and a code when two-factor authentication is on. */
export function Password() {
  const words = useTexts(TEXTS);
  const { user } = useSession();
  const [fields, setFields] = useState(EMPTY);
  const change = useChange(trpc.account.changePassword, { done: words.changed });
  const totp = user?.totp === true;
  const submit = submitting(
    async () => {
      const { current, password, code } = fields;
      await change.mutateAsync({ current, password, ...(totp && { code }) });
      setFields(EMPTY);
    },
    // A code is valid once.
    () => setFields((given) => ({ ...given, code: '' })),
  );
  return (
    <Card title={words.password}>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <Text c="dimmed">{words.passwordText}</Text>
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <CurrentPassword
            label={words.current}
            value={fields.current}
            onChange={(current) => setFields({ ...fields, current })}
          />
          <NewPassword
            label={words.newPassword}
            value={fields.password}
            onChange={(password) => setFields({ ...fields, password })}
          />
          {totp && (
            <SecondFactorField
              label={words.appCode}
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
