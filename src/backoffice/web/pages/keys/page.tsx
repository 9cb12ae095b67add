import { Skeleton } from '@mantine/core';
import { IconShieldLock } from '@tabler/icons-react';
import { useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useTexts } from '../../lib/i18n.ts';
import { useFresh } from '../../lib/reauth.tsx';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Secret } from '../../ui/secret.tsx';
import { Time } from '../../ui/time.tsx';
import css from './keys.module.css';
import { type Made, NewKey, Roll } from './roll.tsx';
import { TEXTS } from './texts.ts';
import { TryIt } from './try-it.tsx';
import type { Key } from './types.ts';

/** Keeps the last use up to date. */
const FRESH_MS = 10_000;

/** The API keys of a merchant: current, expiring and new. */
export default function KeysPage() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId, role } = useMerchant();
  const query = useQuery(trpc.keys.list.queryOptions({ merchantId }, { refetchInterval: FRESH_MS }));
  const [made, setMade] = useState<Made | null>(null);
  const owner = role === 'owner';
  return (
    <Page title={words.title} description={words.description} actions={owner && <Roll onMade={setMade} />}>
      <div className={css.warning} role="note">
        <IconShieldLock size={28} stroke={1.6} aria-hidden />
        <div>
          <strong>{words.warningTitle}</strong>
          <span>{words.warning}</span>
        </div>
      </div>
      {made !== null && <NewKey made={made} onDone={() => setMade(null)} />}
      <Loaded query={query} skeleton={<Skeleton height={196} radius="lg" />}>
        {({ keys }) => (
          <>
            {keys
              .filter((key) => key.state !== 'ended')
              .map((key) => (
                <LiveKey key={key.keyId} apiKey={key} owner={owner} />
              ))}
            <Ended keys={keys.filter((key) => key.state === 'ended')} />
          </>
        )}
      </Loaded>
      {!owner && <p className={css.hint}>{words.viewer}</p>}
      <TryIt apiKey={query.data?.keys.find((key) => key.state === 'current')} />
    </Page>
  );
}

function LiveKey({ apiKey, owner }: { readonly apiKey: Key; readonly owner: boolean }) {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const fresh = useFresh();
  const { merchantId, active } = useMerchant();
  const reveal = useMutation(trpc.keys.reveal.mutationOptions());
  const { keyId } = apiKey;
  const own = apiKey.state === 'current' ? words.current : words.ending;
  const title = active ? (apiKey.name ?? own) : words.unusable;
  const show = async () => (await fresh(() => reveal.mutateAsync({ merchantId, keyId }))).apiKey;
  return (
    <Card title={title}>
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
          <dt>{words.used}</dt>
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
            <span className={css.mono}>{key.masked}</span>
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
