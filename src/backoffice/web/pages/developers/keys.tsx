import { Skeleton, Text } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Time } from '../../ui/time.tsx';
import tones from '../../ui/tones.module.css';
import css from './developers.module.css';
import { NamedKeys } from './named-keys.tsx';
import { type Made, NewKey, Roll } from './roll.tsx';
import { TEXTS } from './texts.ts';
import { type Key, useKeys } from './use-keys.ts';

/** The API keys of a merchant: the main one, which a rotation replaces, those with a name, and previous ones. */
export function Keys() {
  const words = useTexts(TEXTS);
  const query = useKeys();
  const [made, setMade] = useState<Made | null>(null);
  return (
    <>
      <div className={`${css.warning} ${tones.warn}`} role="note">
        <IconShieldLock size={28} stroke={1.6} aria-hidden />
        <div>
          <strong>{words.warningTitle}</strong>
          <span>{words.warning}</span>
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
      {!useMayChange() && <Text c="dimmed">{words.viewer}</Text>}
    </>
  );
}

interface MainKeyProps {
  readonly apiKey: Key;
  readonly onMade: (made: Made) => void;
}

function MainKey({ apiKey, onMade }: MainKeyProps) {
  const words = useTexts(TEXTS);
  const owner = useMayChange();
  const { merchantId, active } = useMerchant();
  const reveal = useMutation(trpc.keys.reveal.mutationOptions());
  const { keyId } = apiKey;
  const isCurrent = apiKey.state === 'current';
  const title = isCurrent ? words.current : words.ending;
  const show = async () => (await reveal.mutateAsync({ merchantId, keyId })).apiKey;
  return (
    <Card
      title={active ? title : `${title}: ${words.unusable}`}
      actions={owner && isCurrent ? <Roll onMade={onMade} /> : undefined}
    >
      <Secret masked={apiKey.masked} reveal={owner ? show : undefined} label={words.keyLabel} />
      <dl className={css.facts}>
        {apiKey.expiresAt !== null && (
          <div className={css.ends}>
            <dt>{words.ends}</dt>
            <dd>
              <Time at={apiKey.expiresAt} />
            </dd>
          </div>
        )}
        <div>
          <dt>{words.lastUsed}</dt>
          <dd>{apiKey.lastUsedAt === null ? words.never : <Time at={apiKey.lastUsedAt} as="ago" />}</dd>
        </div>
        <div>
          <dt>{words.created}</dt>
          <dd>
            <Time at={apiKey.createdAt} />
          </dd>
        </div>
      </dl>
    </Card>
  );
}

function Ended({ keys }: { readonly keys: readonly Key[] }) {
  const words = useTexts(TEXTS);
  if (keys.length === 0) return null;
  return (
    <Card title={words.older}>
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
                {words.endedAt} <Time at={key.expiresAt} />
              </span>
            )}
          </li>
        ))}
      </ul>
    </Card>
  );
}
