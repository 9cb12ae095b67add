import { Anchor, Button, Flex, SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbCircleCheckFilled, TbCircleDashed, TbCoinEuro } from 'react-icons/tb';
import { Link } from 'wouter';
import type { Overview } from '../../../overview/show.ts';
import { format } from '../../lib/format.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Alarm } from '../../ui/alarm.tsx';
import { Card } from '../../ui/card.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Hint } from '../../ui/soft.tsx';
import { ChartCard } from './chart-card.tsx';
import { Conversion, Pending, TakenCard } from './now.tsx';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

const POLL_MS = 4_000;
const PAIR = { cols: { base: 1, sm: 2 }, spacing: { base: 12, sm: 16 } };

/** The overview: sales, pending payments and open issues. */
export default function OverviewPage() {
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.overview.show.queryOptions({ merchantId }, { refetchInterval: POLL_MS }));
  return (
    <Page title={TEXTS.pages.overview}>
      <Loaded query={query} skeleton={<OverviewSkeleton />}>
        {(overview) => (
          <>
            <Alarms overview={overview} />
            {overview.steps !== null && <Steps key={merchantId} steps={overview.steps} />}
            <div className={css.taken}>
              {overview.taken.map((taken) => (
                <TakenCard key={taken.days} taken={taken} today={overview.today} />
              ))}
            </div>
            <Text fz="sm">{TEXTS.receivedRule}</Text>
            <ChartCard />
            <SimpleGrid {...PAIR}>
              <Conversion conversion={overview.conversion} today={overview.today} />
              <Pending pending={overview.pending} />
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function OverviewSkeleton() {
  return (
    <Stack gap={20}>
      <div className={css.taken}>
        <Skeleton height={150} radius="lg" />
        <Skeleton height={150} radius="lg" />
        <Skeleton height={150} radius="lg" />
      </div>
      <Skeleton height={386} radius="lg" />
      <SimpleGrid {...PAIR}>
        <Skeleton height={190} radius="lg" />
        <Skeleton height={190} radius="lg" />
      </SimpleGrid>
    </Stack>
  );
}

/** The server stops counting at this limit. */
const COUNTED_MAX = 1_000;

/** Open issues; renders nothing when there are none. */
function Alarms({ overview }: { readonly overview: Overview }) {
  const { merchantId } = useMerchant();
  const { missed, exceptions } = overview;
  return (
    <>
      {missed !== null && (
        <Alarm
          tone={missed.many ? 'bad' : 'warn'}
          title={
            missed.more
              ? TEXTS.undeliveredMany(format.count(missed.events))
              : TEXTS.undelivered(format.count(missed.events), missed.events === 1)
          }
          action={
            <Button component={Link} href={`/m/${merchantId}/webhook?state=missed`} variant="default">
              {TEXTS.undeliveredDo}
            </Button>
          }
        >
          <p>{TEXTS.undeliveredWhy(format.time(missed.since), missed.events === 1)}</p>
        </Alarm>
      )}
      {exceptions > 0 && (
        <Alarm
          tone="warn"
          Icon={TbCoinEuro}
          title={
            exceptions >= COUNTED_MAX
              ? TEXTS.exceptionsMany
              : TEXTS.exceptions(format.count(exceptions), exceptions === 1)
          }
          action={
            <Button component={Link} href={`/m/${merchantId}/exceptions`} variant="default">
              {TEXTS.exceptionsDo}
            </Button>
          }
        >
          <p>{TEXTS.exceptionsWhy}</p>
        </Alarm>
      )}
    </>
  );
}

/** The steps in their order, each with its page. */
const STEPS = [
  { step: 'domain', title: 'stepDomain', why: 'stepDomainWhy', page: 'domains' },
  { step: 'key', title: 'stepKey', why: 'stepKeyWhy', page: 'developers' },
  { step: 'webhookSet', title: 'stepWebhook', why: 'stepWebhookWhy', page: 'webhook' },
  { step: 'webhookAnswered', title: 'stepAnswered', why: 'stepAnsweredWhy', page: 'webhook' },
  { step: 'firstPayment', title: 'stepPayment', why: 'stepPaymentWhy', page: 'transactions' },
] as const;

/** The onboarding checklist; hidden once complete, but not while it is on screen. */
function Steps({ steps }: { readonly steps: NonNullable<Overview['steps']> }) {
  const { merchantId } = useMerchant();
  const all = Object.values(steps);
  const done = all.filter(Boolean).length;
  const [wasNew] = useState(done < all.length);
  if (!wasNew) return null;
  const at = (page: string) => `/m/${merchantId}/${page}`;
  return (
    <Card
      title={TEXTS.steps}
      actions={
        <Text span c="dimmed" fz="0.88rem" role="status">
          {done === all.length ? TEXTS.stepsAll : TEXTS.stepsDone(done, all.length)}
        </Text>
      }
    >
      <Flex component="ol" direction="column" gap={12}>
        {STEPS.map(({ step, title, why, page }) => (
          <Step key={step} done={steps[step]} title={TEXTS[title]} why={TEXTS[why]} href={at(page)} />
        ))}
      </Flex>
      <Anchor
        component={Link}
        underline="always"
        href={at('payment-links')}
        display="inline-block"
        fz="0.88rem"
        mt={16}
      >
        {TEXTS.stepsNoShop}
      </Anchor>
    </Card>
  );
}

interface StepProps {
  readonly done: boolean;
  readonly title: string;
  readonly why: string;
  readonly href: string;
}

function Step({ done, title, why, href }: StepProps) {
  return (
    <li className={done ? css.stepDone : css.step}>
      {done ? (
        <TbCircleCheckFilled size={22} role="img" aria-label={TEXTS.done} />
      ) : (
        <TbCircleDashed size={22} role="img" aria-label={TEXTS.toDo} />
      )}
      <div>
        {done ? (
          <span className={css.stepTitle}>{title}</span>
        ) : (
          <Link href={href} className={css.stepTitle}>
            {title}
          </Link>
        )}
        {!done && <Hint>{why}</Hint>}
      </div>
    </li>
  );
}
