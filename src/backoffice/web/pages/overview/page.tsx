import { Skeleton, Stack } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Alarms } from './alarms.tsx';
import { ChartCard } from './chart-card.tsx';
import { Conversion, Pending } from './now.tsx';
import css from './overview.module.css';
import { Steps } from './steps.tsx';
import { TakenCard } from './taken.tsx';
import { TEXTS } from './texts.ts';

const POLL_MS = 4_000;

/** The overview: sales, pending payments and open issues. */
export default function OverviewPage() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const query = useQuery(trpc.overview.show.queryOptions({ merchantId }, { refetchInterval: POLL_MS }));
  return (
    <Page title={words.pages.overview}>
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
            <p className={css.rule}>{words.rule}</p>
            <ChartCard />
            <div className={css.pair}>
              <Conversion conversion={overview.conversion} today={overview.today} />
              <Pending pending={overview.pending} />
            </div>
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
      <div className={css.pair}>
        <Skeleton height={190} radius="lg" />
        <Skeleton height={190} radius="lg" />
      </div>
    </Stack>
  );
}
