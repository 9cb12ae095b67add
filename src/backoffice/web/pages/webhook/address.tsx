import { Button, Group, Switch, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { submitting } from '../../lib/submitting.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Copyable } from '../../ui/copyable.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { useFaultText } from '../../ui/trouble.tsx';
import { useChange } from '../../ui/use-change.ts';
import { ADDRESS_TEXTS } from './address-texts.ts';
import type { Webhook } from './types.ts';
import css from './webhook.module.css';

/** The URL and the toggle. */
export function Address({ webhook }: { readonly webhook: Webhook }) {
  const words = useTexts(ADDRESS_TEXTS);
  const owner = useMayChange();
  // Null until the form has been opened: the focus moves only then.
  const [editing, setEditing] = useState<boolean | null>(null);
  const form = owner && (editing === true || webhook.url === null);
  return (
    <Card
      title={words.title}
      actions={!owner && <StateBadge state={webhook.enabled && webhook.url !== null ? 'on' : 'off'} />}
    >
      {form ? (
        <UrlForm url={webhook.url} onDone={() => setEditing(false)} autoFocus={editing === true} />
      ) : (
        <div className={css.url}>
          {webhook.url === null ? (
            <Soft>{words.none}</Soft>
          ) : (
            <Copyable value={webhook.url} label={words.label} />
          )}
          {owner && (
            <SmallButton onClick={() => setEditing(true)} autoFocus={editing === false}>
              {words.change}
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
  const words = useTexts(ADDRESS_TEXTS);
  const { merchantId } = useMerchant();
  const [text, setText] = useState(url ?? '');
  const setUrl = useChange(trpc.webhook.setUrl, {
    done: (_, { enabled }) => (enabled ? (url === null ? words.savedOn : words.saved) : words.savedOff),
  });
  const save = submitting(async () => {
    await setUrl.mutateAsync({ merchantId, url: text });
    onDone();
  });
  return (
    <form onSubmit={save} noValidate>
      <TextInput
        label={words.label}
        description={words.hint}
        placeholder={words.placeholder}
        type="url"
        inputMode="url"
        autoComplete="off"
        autoFocus={autoFocus}
        spellCheck={false}
        value={text}
        error={useFaultText(setUrl.error)}
        onChange={(event) => {
          setText(event.currentTarget.value);
          if (setUrl.isError) setUrl.reset();
        }}
      />
      <Group mt="sm" gap="xs">
        <Button type="submit" loading={setUrl.isPending} disabled={text.trim() === ''}>
          {words.save}
        </Button>
        {url !== null && (
          <Button variant="default" onClick={onDone}>
            {words.cancel}
          </Button>
        )}
      </Group>
    </form>
  );
}

function Toggle({ webhook }: { readonly webhook: Webhook }) {
  const words = useTexts(ADDRESS_TEXTS);
  const { merchantId } = useMerchant();
  const setEnabled = useChange(trpc.webhook.setEnabled, {
    done: ({ enabled }) => (enabled ? words.turnedOn : words.turnedOff),
    notifies: true,
  });
  const on = setEnabled.isPending ? setEnabled.variables.enabled : webhook.enabled;
  return (
    <Confirm
      title={words.askOff}
      confirmLabel={words.stop}
      danger
      onConfirm={() => setEnabled.mutateAsync({ merchantId, enabled: false }).catch(() => undefined)}
      trigger={(ask) => (
        <Switch
          mt="lg"
          size="md"
          label={words.toggle}
          description={webhook.url === null ? words.first : on ? words.on : words.off}
          checked={on && webhook.url !== null}
          disabled={webhook.url === null}
          onChange={(event) =>
            event.currentTarget.checked ? setEnabled.mutate({ merchantId, enabled: true }) : ask()
          }
        />
      )}
    >
      {words.askOffText}
    </Confirm>
  );
}
