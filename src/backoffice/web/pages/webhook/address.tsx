import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { faultText } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import { ADDRESS_TEXTS } from './address-texts.ts';
import type { Webhook } from './types.ts';
import css from './webhook.module.css';

/** The URL and the toggle. */
export function Address({ webhook }: { readonly webhook: Webhook }) {
  const owner = useMayChange();
  // Null until the form has been opened: the focus moves only then.
  const [editing, setEditing] = useState<boolean | null>(null);
  const form = owner && (editing === true || webhook.url === null);
  return (
    <Card
      title={ADDRESS_TEXTS.title}
      actions={!owner && <StateBadge state={webhook.enabled && webhook.url !== null ? 'on' : 'off'} />}
    >
      {form ? (
        <UrlForm url={webhook.url} onDone={() => setEditing(false)} autoFocus={editing === true} />
      ) : (
        <div className={css.url}>
          {webhook.url === null ? (
            <Soft>{ADDRESS_TEXTS.none}</Soft>
          ) : (
            <Copyable value={webhook.url} label={ADDRESS_TEXTS.label} />
          )}
          {owner && (
            <SmallButton onClick={() => setEditing(true)} autoFocus={editing === false}>
              {ADDRESS_TEXTS.change}
            </SmallButton>
          )}
        </div>
      )}
      {owner && <Toggle webhook={webhook} />}
    </Card>
  );
}

interface UrlFormProps {
  readonly url: string | null;
  readonly onDone: () => void;
  readonly autoFocus: boolean;
}

function UrlForm({ url, onDone, autoFocus }: UrlFormProps) {
  const { merchantId } = useMerchant();
  const [text, setText] = useState(url ?? '');
  const setUrl = useChange(trpc.webhook.setUrl, {
    done: (_, { enabled }) =>
      enabled ? (url === null ? ADDRESS_TEXTS.savedOn : ADDRESS_TEXTS.saved) : ADDRESS_TEXTS.savedOff,
  });
  const save = submitting(async () => {
    await setUrl.mutateAsync({ merchantId, url: text });
    onDone();
  });
  return (
    <form onSubmit={save} noValidate>
      <TextInput
        label={ADDRESS_TEXTS.label}
        description={ADDRESS_TEXTS.hint}
        placeholder={ADDRESS_TEXTS.placeholder}
        type="url"
        inputMode="url"
        autoComplete="off"
        autoFocus={autoFocus}
        spellCheck={false}
        // A later change would be lost when the form closes.
        readOnly={setUrl.isPending}
        value={text}
        error={faultText(setUrl.error)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (setUrl.isError) setUrl.reset();
        }}
      />
      <Group mt="sm" gap="xs">
        <Button type="submit" loading={setUrl.isPending} disabled={text.trim() === ''}>
          {ADDRESS_TEXTS.save}
        </Button>
        {url !== null && (
          <Button variant="default" disabled={setUrl.isPending} onClick={onDone}>
            {ADDRESS_TEXTS.cancel}
          </Button>
        )}
      </Group>
    </form>
  );
}

function Toggle({ webhook }: { readonly webhook: Webhook }) {
  const { merchantId } = useMerchant();
  const setEnabled = useChange(trpc.webhook.setEnabled, {
    done: ({ enabled }) => (enabled ? ADDRESS_TEXTS.turnedOn : ADDRESS_TEXTS.turnedOff),
    notifies: true,
  });
  const on = setEnabled.isPending ? setEnabled.variables.enabled : webhook.enabled;
  return (
    <Confirm
      title={ADDRESS_TEXTS.askOff}
      confirmLabel={ADDRESS_TEXTS.stop}
      danger
      onConfirm={() => setEnabled.mutateAsync({ merchantId, enabled: false }).catch(() => undefined)}
      trigger={(ask) => (
        <Switch
          mt="lg"
          size="md"
          label={ADDRESS_TEXTS.toggle}
          description={webhook.url === null ? ADDRESS_TEXTS.first : on ? ADDRESS_TEXTS.on : ADDRESS_TEXTS.off}
          checked={on && webhook.url !== null}
          disabled={webhook.url === null}
          onChange={(event) =>
            event.currentTarget.checked ? setEnabled.mutate({ merchantId, enabled: true }) : ask()
          }
        />
      )}
    >
      {ADDRESS_TEXTS.askOffText}
    </Confirm>
  );
}
