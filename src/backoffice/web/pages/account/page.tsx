import { Button, Group, Stack, Text } from '@mantine/core';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useSession } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { queryClient, trpc } from '../../lib/trpc.ts';
import { Authenticator, type NewFactor } from '../../ui/authenticator.tsx';
import { Card } from '../../ui/card.tsx';
import { SecondFactorField } from '../../ui/code-field.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { notifyDone, notifyFault } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { CurrentPassword, NewPassword } from '../../ui/password-fields.tsx';
import { RecoveryCodes } from '../../ui/recovery-codes.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Trouble } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import { Passkeys } from './passkeys.tsx';
import { Sessions } from './sessions.tsx';
import { TEXTS } from './texts.ts';

export default function AccountPage() {
  const { user } = useSession();
  return (
    <Page title={TEXTS.pages.account} description={user?.email}>
      <SecondFactor on={user?.totp === true} />
      <Passkeys />
      <Sessions />
      <Password />
    </Page>
  );
}

const EMPTY = { current: '', password: '', code: '' };

/** Changes the user's password; needs the current one, and a code when two-factor authentication is on. */
function Password() {
  const { user } = useSession();
  const [fields, setFields] = useState(EMPTY);
  const change = useChange(trpc.account.changePassword, { done: TEXTS.changed });
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
    <Card title={TEXTS.password}>
      <form onSubmit={submit}>
        <Stack maw={420}>
          <Text c="dimmed">{TEXTS.passwordText}</Text>
          <input type="text" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
          <CurrentPassword
            label={TEXTS.current}
            value={fields.current}
            onChange={(current) => setFields({ ...fields, current })}
          />
          <NewPassword
            label={TEXTS.newPassword}
            value={fields.password}
            onChange={(password) => setFields({ ...fields, password })}
          />
          {totp && (
            <SecondFactorField
              label={TEXTS.appCode}
              value={fields.code}
              onChange={(code) => setFields({ ...fields, code })}
            />
          )}
          <Trouble error={change.error} />
          <div>
            <Button type="submit" loading={change.isPending}>
              {TEXTS.change}
            </Button>
          </div>
        </Stack>
      </form>
    </Card>
  );
}

/** Turns two-factor authentication on or off. */
function SecondFactor({ on }: { readonly on: boolean }) {
  const [factor, setFactor] = useState<NewFactor | null>(null);
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const begin = useMutation(
    trpc.account.totpBegin.mutationOptions({ onSuccess: setFactor, onError: notifyFault }),
  );
  const disable = useChange(trpc.account.totpDisable, { done: TEXTS.turnedOff, also: ['session'] });
  const enabled = (recoveryCodes: readonly string[]) => {
    setFactor(null);
    setCodes(recoveryCodes);
    notifyDone(TEXTS.turnedOn);
    for (const router of [trpc.account, trpc.session])
      void queryClient.invalidateQueries(router.pathFilter());
  };
  return (
    <Card title={TEXTS.factor} actions={<StateBadge state={on ? 'factorOn' : 'factorOff'} />}>
      <Group justify="space-between" gap="12px 24px">
        <Text c="dimmed" flex="1 1 280px">
          {on ? TEXTS.totpOn : TEXTS.totpOff}
        </Text>
        {on ? (
          <Confirm
            title={TEXTS.turnOffTitle}
            confirmLabel={TEXTS.turnOff}
            danger
            onConfirm={() => disable.mutateAsync()}
            trigger={<Button variant="default">{TEXTS.turnOff}</Button>}
          >
            {TEXTS.turnOffText}
          </Confirm>
        ) : (
          <Button loading={begin.isPending} onClick={() => begin.mutate()}>
            {TEXTS.setUp}
          </Button>
        )}
      </Group>
      {on && <Recovery onMade={setCodes} />}
      {codes !== null && (
        <Dialog title={TEXTS.codesTitle} onClose={() => setCodes(null)} guarded>
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        </Dialog>
      )}
      {factor !== null && (
        <Dialog title={TEXTS.factorTitle} onClose={() => setFactor(null)}>
          <Authenticator factor={factor} onDone={enabled} onCancel={() => setFactor(null)} />
        </Dialog>
      )}
    </Card>
  );
}

/** The number of unused recovery codes, and the button that replaces them. */
function Recovery({ onMade }: { readonly onMade: (codes: readonly string[]) => void }) {
  const query = useQuery(trpc.account.recoveryCodes.queryOptions());
  const renew = useChange(trpc.account.recoveryRenew);
  const make = async () => onMade((await renew.mutateAsync()).recoveryCodes);
  return (
    <Group justify="space-between" gap="12px 24px" mt={16}>
      <Text c="dimmed" flex="1 1 280px">
        {query.data !== undefined && TEXTS.codesLeft(query.data.left)}
      </Text>
      <Confirm
        title={TEXTS.renewTitle}
        confirmLabel={TEXTS.renew}
        onConfirm={make}
        trigger={<Button variant="default">{TEXTS.renew}</Button>}
      >
        {TEXTS.renewText}
      </Confirm>
    </Group>
  );
}
