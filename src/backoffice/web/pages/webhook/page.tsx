import { Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { TbBellOff } from 'react-icons/tb';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Alarm } from '../../ui/alarm.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Address } from './address.tsx';
import { ADDRESS_TEXTS } from './address-texts.ts';
import { Health } from './health.tsx';
import { MissedAlarm, Runs } from './recovery.tsx';
import { SigningSecret } from './signing-secret.tsx';
import { TestEvent } from './test-event.tsx';
import { TEXTS } from './texts.ts';
import css from './webhook.module.css';

/** Loaded separately, because it is below the first screen. */
const Log = lazy(async () => ({ default: (await import('./log.tsx')).Log }));
/** Loaded separately, because it is at the end of the page and contains all samples. */
const Verify = lazy(() => import('./verify.tsx'));

const FRESH_MS = 10_000;

/** The webhook page: URL, secret, test event, delivery log and verification samples. */
export default function WebhookPage() {
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.webhook.show.queryOptions({ merchantId }, { refetchInterval: FRESH_MS }));
  return (
    <Page title={TEXTS.pages.webhook} description={TEXTS.description}>
      {!useMayChange() && (
        <Text c="dimmed" textWrap="pretty">
          {TEXTS.viewer}
        </Text>
      )}
      <Loaded query={query} skeleton={<SettingsSkeleton />}>
        {(webhook) => (
          <>
            {webhook.url !== null && !webhook.enabled && (
              <Alarm tone="bad" role="note" Icon={TbBellOff} title={ADDRESS_TEXTS.isOff}>
                <p>{ADDRESS_TEXTS.isOffText}</p>
              </Alarm>
            )}
            {webhook.missed !== null && <MissedAlarm missed={webhook.missed} active={webhook.enabled} />}
            <div className={css.settings}>
              <Stack gap={20} miw={0}>
                <Address webhook={webhook} />
                <Health webhook={webhook} />
                <SigningSecret webhook={webhook} />
              </Stack>
              <TestEvent hasUrl={webhook.url !== null} />
            </div>
            <Runs />
            <Suspense fallback={<Skeleton height={420} radius="lg" />}>
              <Log since={webhook.missed?.since ?? null} active={webhook.enabled} />
            </Suspense>
          </>
        )}
      </Loaded>
      <Suspense fallback={<Skeleton height={420} radius="lg" />}>
        <Verify />
      </Suspense>
    </Page>
  );
}

function SettingsSkeleton() {
  return (
    <>
      <div className={css.settings}>
        <Stack gap={20} miw={0}>
          <Skeleton height={236} radius="lg" />
          <Skeleton height={176} radius="lg" />
        </Stack>
        <Skeleton height={432} radius="lg" />
      </div>
      <Skeleton height={420} radius="lg" />
    </>
  );
}
