import { Select, Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import { useChange } from '../../ui/use-change.ts';
import type { Made } from './roll.tsx';
import { TEXTS } from './texts.ts';
import type { Key } from './use-keys.ts';

const NAME_LENGTH_MAX = 50;
const EXPIRIES = ['never', '30', '90', '365'] as const;
type Expiry = (typeof EXPIRIES)[number];

interface Props {
  readonly keys: readonly Key[];
  readonly onMade: (made: Made) => void;
}

/** The working keys with a name, each of which can be revoked. */
export function NamedKeys({ keys, onMade }: Props) {
  const words = useTexts(TEXTS);
  const owner = useMayChange();
  const columns: Column<Key>[] = [
    { key: 'name', label: words.name, cell: (key) => key.name },
    {
      key: 'masked',
      label: words.named.key,
      cell: (key) => (
        <Text span ff="monospace" fz="0.9em">
          {key.masked}
        </Text>
      ),
    },
    { key: 'created', label: words.created, cell: (key) => <Time at={key.createdAt} as="date" /> },
    {
      key: 'used',
      label: words.lastUsed,
      cell: (key) => (key.lastUsedAt === null ? words.never : <Time at={key.lastUsedAt} as="ago" />),
    },
    {
      key: 'ends',
      label: words.ends,
      cell: (key) => (key.expiresAt === null ? words.never : <Time at={key.expiresAt} as="date" />),
    },
    ...(owner
      ? [{ key: 'revoke', label: '', align: 'right' as const, cell: (key: Key) => <Revoke apiKey={key} /> }]
      : []),
  ];
  return (
    <Card
      title={words.named.title}
      flush={keys.length > 0}
      actions={owner ? <Create onMade={onMade} /> : undefined}
    >
      {keys.length === 0 ? (
        <Text c="dimmed">{words.named.none}</Text>
      ) : (
        <Rows columns={columns} rows={keys} rowKey={(key) => key.keyId} label={words.named.title} />
      )}
    </Card>
  );
}

function Create({ onMade }: Pick<Props, 'onMade'>) {
  const { name: nameLabel, ends, named: words } = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const create = useChange(trpc.keys.create);
  const [name, setName] = useState('');
  const [expiry, setExpiry] = useState<Expiry>('never');
  const confirm = async () => {
    const days = expiry === 'never' ? {} : { expiresInDays: Number(expiry) };
    const { apiKey } = await create.mutateAsync({ merchantId, name, ...days });
    onMade({ apiKey, name: name.trim() });
    setName('');
    setExpiry('never');
  };
  return (
    <Confirm
      title={words.create.title}
      confirmLabel={words.create.confirm}
      confirmDisabled={name.trim() === ''}
      onConfirm={confirm}
      trigger={<SmallButton>{words.create.open}</SmallButton>}
    >
      <Stack>
        <span>{words.create.body}</span>
        <TextInput
          label={nameLabel}
          placeholder={words.create.example}
          maxLength={NAME_LENGTH_MAX}
          data-autofocus
          required
          value={name}
          onChange={(event) => setName(event.currentTarget.value)}
        />
        <Select
          label={ends}
          allowDeselect={false}
          data={EXPIRIES.map((each) => ({ value: each, label: words.create.expiries[each] }))}
          value={expiry}
          onChange={(value) => setExpiry(value ?? 'never')}
        />
      </Stack>
    </Confirm>
  );
}

function Revoke({ apiKey }: { readonly apiKey: Key }) {
  const words = useTexts(TEXTS);
  const { merchantId } = useMerchant();
  const { keyId, lastUsedAt } = apiKey;
  const name = apiKey.name ?? '';
  const revoke = useChange(trpc.keys.revoke, { done: words.named.revoke.done(name) });
  return (
    <Confirm
      title={words.named.revoke.title(name)}
      confirmLabel={words.named.revoke.confirm}
      danger
      onConfirm={() => revoke.mutateAsync({ merchantId, keyId })}
      trigger={
        <SmallButton aria-label={words.named.revoke.open(name)}>{words.named.revoke.button}</SmallButton>
      }
    >
      <Stack>
        <span>{words.named.revoke.body}</span>
        <span>
          {words.lastUsed}: {lastUsedAt === null ? words.never : <Time at={lastUsedAt} as="ago" />}
        </span>
      </Stack>
    </Confirm>
  );
}
