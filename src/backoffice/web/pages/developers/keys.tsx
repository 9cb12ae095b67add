import { Box, Select, Skeleton, Stack, Text, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { TbShieldLock } from 'react-icons/tb';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Confirm } from '../../ui/confirm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Secret } from '../../ui/secret.tsx';
import { SmallButton } from '../../ui/small-button.tsx';
import { Time } from '../../ui/time.tsx';
import tones from '../../ui/tones.module.css';
import { useChange } from '../../ui/use-change.ts';
import css from './developers.module.css';
import { type Made, NewKey, Roll } from './roll.tsx';
import { TEXTS } from './texts.ts';
import { type Key, useKeys } from './use-keys.ts';

/** The API keys of a merchant: the main one, which a rotation replaces, those with a name, and previous ones. */
export function Keys() {
  const query = useKeys();
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <div className={`${css.warning} ${tones.warn}`} role="note">
        <TbShieldLock size={28} strokeWidth={1.6} aria-hidden />
        <div>
          <strong>{TEXTS.warningTitle}</strong>
          <span>{TEXTS.warning}</span>
        </div>
      </div>
      {made !== null && <NewKey made={made} onDone={() => setMade(null)} />}
      <Loaded query={query} skeleton={<Skeleton height={196} radius="lg" />}>
        {({ keys }) => {
          const working = keys.filter((key) => key.state !== 'ended');
          return (
            <>
              {working
                .filter((key) => key.name === null)
                .map((key) => (
                  <MainKey key={key.keyId} apiKey={key} onMade={setMade} />
                ))}
              <NamedKeys keys={working.filter((key) => key.name !== null)} onMade={setMade} />
              <Ended keys={keys.filter((key) => key.state === 'ended')} />
            </>
          );
        }}
      </Loaded>
      {!useMayChange() && <Text c="dimmed">{TEXTS.viewer}</Text>}
    </>
  );
}

interface MainKeyProps {
  readonly apiKey: Key;
  readonly onMade: (made: Made) => void;
}

function MainKey({ apiKey, onMade }: MainKeyProps) {
  const owner = useMayChange();
  const { merchantId, active } = useMerchant();
  const reveal = useMutation(trpc.keys.reveal.mutationOptions());
  const { keyId } = apiKey;
  const isCurrent = apiKey.state === 'current';
  const title = isCurrent ? TEXTS.current : TEXTS.ending;
  const show = async () => (await reveal.mutateAsync({ merchantId, keyId })).apiKey;
  return (
    <Card
      title={active ? title : `${title}: ${TEXTS.unusable}`}
      actions={owner && isCurrent ? <Roll onMade={onMade} /> : undefined}
    >
      <Secret masked={apiKey.masked} reveal={owner ? show : undefined} label={TEXTS.keyLabel} />
      <dl className={css.facts}>
        {apiKey.expiresAt !== null && (
          <div>
            <dt>{TEXTS.ends}</dt>
            <Box component="dd" c="var(--warn)" fw={600}>
              <Time at={apiKey.expiresAt} />
            </Box>
          </div>
        )}
        <div>
          <dt>{TEXTS.lastUsed}</dt>
          <dd>{apiKey.lastUsedAt === null ? TEXTS.never : <Time at={apiKey.lastUsedAt} as="ago" />}</dd>
        </div>
        <div>
          <dt>{TEXTS.created}</dt>
          <dd>
            <Time at={apiKey.createdAt} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function Ended({ keys }: { readonly keys: readonly Key[] }) {
  if (keys.length === 0) return null;
  return (
    <Card title={TEXTS.older}>
      <ul className={css.ended}>
        {keys.map((key) => (
          <li key={key.keyId}>
            <span>
              {key.name !== null && <>{key.name} · </>}
              <Text span ff="monospace" fz="0.9em">
                {key.masked}
              </Text>
            </span>
            {key.expiresAt !== null && (
              <span>
                {TEXTS.endedAt} <Time at={key.expiresAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}

const NAME_LENGTH_MAX = 50;
const EXPIRIES = ['never', '30', '90', '365'] as const;
type Expiry = (typeof EXPIRIES)[number];

interface NamedKeysProps {
  readonly keys: readonly Key[];
  readonly onMade: (made: Made) => void;
}

/** The working keys with a name, each of which can be revoked. */
function NamedKeys({ keys, onMade }: NamedKeysProps) {
  const owner = useMayChange();
  const columns: Column<Key>[] = [
    { key: 'name', label: TEXTS.name, cell: (key) => key.name },
    {
      key: 'masked',
      label: TEXTS.named.key,
      cell: (key) => (
        <Text span ff="monospace" fz="0.9em">
          {key.masked}
        </Text>
      ),
    },
    { key: 'created', label: TEXTS.created, cell: (key) => <Time at={key.createdAt} as="date" /> },
    {
      key: 'used',
      label: TEXTS.lastUsed,
      cell: (key) => (key.lastUsedAt === null ? TEXTS.never : <Time at={key.lastUsedAt} as="ago" />),
    },
    {
      key: 'ends',
      label: TEXTS.ends,
      cell: (key) => (key.expiresAt === null ? TEXTS.never : <Time at={key.expiresAt} as="date" />),
    },
    ...(owner
      ? [{ key: 'revoke', label: '', align: 'right' as const, cell: (key: Key) => <Revoke apiKey={key} /> }]
      : []),
  ];
  return (
    <Card
      title={TEXTS.named.title}
      flush={keys.length > 0}
      actions={owner ? <Create onMade={onMade} /> : undefined}
    >
      {keys.length === 0 ? (
        <Text c="dimmed">{TEXTS.named.none}</Text>
      ) : (
        <Rows columns={columns} rows={keys} rowKey={(key) => key.keyId} label={TEXTS.named.title} />
      )}
    </Card>
  );
}

function Create({ onMade }: Pick<NamedKeysProps, 'onMade'>) {
  const { name: nameLabel, ends, named: words } = TEXTS;
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
  const { merchantId } = useMerchant();
  const { keyId, lastUsedAt } = apiKey;
  const name = apiKey.name ?? '';
  const revoke = useChange(trpc.keys.revoke, { done: TEXTS.named.revoke.done(name) });
  return (
    <Confirm
      title={TEXTS.named.revoke.title(name)}
      confirmLabel={TEXTS.named.revoke.confirm}
      danger
      onConfirm={() => revoke.mutateAsync({ merchantId, keyId })}
      trigger={
        <SmallButton aria-label={TEXTS.named.revoke.open(name)}>{TEXTS.named.revoke.button}</SmallButton>
      }
    >
      <Stack>
        <span>{TEXTS.named.revoke.body}</span>
        <span>
          {TEXTS.lastUsed}: {lastUsedAt === null ? TEXTS.never : <Time at={lastUsedAt} as="ago" />}
        </span>
      </Stack>
    </Confirm>
  );
}
