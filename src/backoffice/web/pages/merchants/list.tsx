import { Box, Group } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { format } from '../../lib/format.ts';
import { trpc } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PAGED, PagedTable } from '../../ui/more-rows.tsx';
import { Soft } from '../../ui/soft.tsx';
import { StateBadge, Tone } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { TEXTS } from './texts.ts';
import type { Merchant } from './types.ts';

interface Props {
  readonly text: string;
  readonly onShow: (merchantId: string) => void;
}

/** The merchants that a search finds. */
export function MerchantList({ text, onShow }: Props) {
  const query = useInfiniteQuery(trpc.merchants.list.infiniteQueryOptions({ text }, PAGED));
  const total = useQuery(trpc.merchants.count.queryOptions({ text }));
  const none =
    text === '' ? (
      <Empty title={TEXTS.empty}>{TEXTS.emptyText}</Empty>
    ) : (
      <Empty title={TEXTS.none}>{TEXTS.noneText}</Empty>
    );
  return (
    <PagedTable
      query={query}
      total={total}
      counted={TEXTS.counted}
      empty={none}
      skeleton={<LinesSkeleton lines={8} height={44} />}
      label={TEXTS.pages.merchants}
      rowKey={(merchant) => merchant.merchantId}
      onRow={(merchant) => onShow(merchant.merchantId)}
      columns={[
        { key: 'name', label: TEXTS.name, cell: (merchant) => <strong>{merchant.name}</strong> },
        { key: 'state', label: TEXTS.state, cell: (merchant) => <States merchant={merchant} /> },
        {
          key: 'webhook',
          label: TEXTS.pages.webhook,
          cell: (merchant) => <WebhookBadge state={merchant.webhook} />,
        },
        {
          key: 'firstPaid',
          label: TEXTS.firstPaid,
          cell: (merchant) => (
            <Soft>
              {merchant.firstPaidAt === null ? TEXTS.notYet : <Time at={merchant.firstPaidAt} as="date" />}
            </Soft>
          ),
        },
        {
          key: 'taken',
          label: TEXTS.days[30],
          align: 'right',
          cell: (merchant) => (
            <span>
              <Box {...(merchant.takenCents === 0 ? { c: 'dimmed', fz: '0.88rem' } : { fw: 600 })}>
                {format.euro(merchant.takenCents)}
              </Box>
              <Box c="dimmed" fz="0.88rem">
                {TEXTS.payments(merchant.takenCount, format.count(merchant.takenCount))}
              </Box>
            </span>
          ),
        },
      ]}
    />
  );
}

function States({ merchant }: { readonly merchant: Pick<Merchant, 'active' | 'hold'> }) {
  return (
    <Group display="inline-flex" gap={6} align="stretch">
      <StateBadge state={merchant.active ? 'active' : 'inactive'} />
      {merchant.hold && <StateBadge state="hold" />}
    </Group>
  );
}

const TONES = { none: 'quiet', off: 'quiet', on: 'good', failing: 'bad' } as const;

export function WebhookBadge({ state }: { readonly state: Merchant['webhook'] }) {
  return <Tone tone={TONES[state]}>{TEXTS.webhookStates[state]}</Tone>;
}
