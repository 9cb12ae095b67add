import { SimpleGrid, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TbAlertTriangle, TbCircleCheck, TbEye } from 'react-icons/tb';
import { trpc } from '../../lib/trpc.ts';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import tones from '../../ui/tones.module.css';
import { TONES } from './check.tsx';
import { ProcessFacts, RequestsCheck, StorageCheck, Versions } from './machine.tsx';
import { BankCheck, QueueCheck, ReportedCheck, UndeliveredCheck } from './queue.tsx';
import css from './system.module.css';
import { TEXTS } from './texts.ts';
import type { SystemState } from './types.ts';

const POLL_MS = 5000;
const COLUMNS = { cols: { base: 1, md: 2 }, spacing: 20, style: { alignItems: 'start' } } as const;
const ICONS = { good: TbCircleCheck, attention: TbEye, bad: TbAlertTriangle } as const;

export default function SystemPage() {
  const query = useQuery(trpc.system.show.queryOptions(undefined, { refetchInterval: POLL_MS }));
  return (
    <Page title={TEXTS.pages.system} description={TEXTS.description}>
      <Loaded query={query} skeleton={<Skeletons />}>
        {(state) => (
          <>
            <Overall state={state} />
            <ReportedCheck state={state} />
            {state.undelivered.level !== 'good' && <UndeliveredCheck state={state} />}
            <SimpleGrid {...COLUMNS}>
              <Stack gap={20} miw={0}>
                <QueueCheck state={state} />
                <BankCheck state={state} />
                <Versions state={state} />
              </Stack>
              <Stack gap={20} miw={0}>
                <RequestsCheck state={state} />
                {state.undelivered.level === 'good' && <UndeliveredCheck state={state} />}
                <StorageCheck state={state} />
                <ProcessFacts state={state} />
              </Stack>
            </SimpleGrid>
          </>
        )}
      </Loaded>
    </Page>
  );
}

function Overall({ state }: { readonly state: SystemState }) {
  const Icon = ICONS[state.level];
  return (
    <div className={`${css.overall} ${tones[TONES[state.level]]}`}>
      <h2>
        <Icon size={26} aria-hidden />
        {TEXTS.overall[state.level]}
      </h2>
      <Text fz="0.9rem">
        {TEXTS.read} <Time at={state.now} as="clock" />
      </Text>
    </div>
  );
}

const HEIGHTS = [
  [212, 320, 210],
  [212, 150, 212, 248],
];

function Skeletons() {
  return (
    <>
      <Skeleton height={72} radius="lg" mb={20} />
      <SimpleGrid {...COLUMNS}>
        {HEIGHTS.map((column) => (
          <Stack key={column.join()} gap={20} miw={0}>
            {column.map((height, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: they never change
              <Skeleton key={place} height={height} radius="lg" />
            ))}
          </Stack>
        ))}
      </SimpleGrid>
    </>
  );
}
