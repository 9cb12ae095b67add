import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { format } from '../../lib/format.ts';
import { useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { Money } from '../../ui/money.tsx';
import { PagedTable } from '../../ui/more-rows.tsx';
import type { Column } from '../../ui/rows.tsx';
import { Tone } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import { TEXTS } from './texts.ts';
import type { PaymentLink } from './types.ts';

const FRESH_EVERY_MS = 5000;

export function LinkList({ onOpen }: { readonly onOpen: (linkId: string) => void }) {
  const { merchantId } = useMerchant();
  const query = useInfiniteQuery(
    trpc.paymentLinks.list.infiniteQueryOptions(
      { merchantId },
      { getNextPageParam: (page) => page.nextCursor, refetchInterval: FRESH_EVERY_MS },
    ),
  );
  const total = useQuery(
    trpc.paymentLinks.total.queryOptions({ merchantId }, { refetchInterval: FRESH_EVERY_MS }),
  );
  const columns: Column<PaymentLink>[] = [
    { key: 'title', label: TEXTS.name, cell: ({ title }) => <strong>{title}</strong> },
    { key: 'amount', label: TEXTS.amount, cell: (link) => <LinkAmount link={link} /> },
    { key: 'state', label: TEXTS.state, cell: (link) => <LinkStateBadge link={link} /> },
    {
      key: 'uses',
      label: TEXTS.uses,
      align: 'right',
      wideOnly: true,
      cell: ({ uses, usesMax }) =>
        usesMax === null ? format.count(uses) : TEXTS.usesOf(format.count(uses), format.count(usesMax)),
    },
    { key: 'paid', label: TEXTS.paid, align: 'right', cell: ({ paidCount }) => format.count(paidCount) },
    {
      key: 'received',
      label: TEXTS.received,
      align: 'right',
      cell: ({ paidCents }) => <Money cents={paidCents} />,
    },
    {
      key: 'created',
      label: TEXTS.created,
      align: 'right',
      wideOnly: true,
      cell: ({ createdAt }) => <Time at={createdAt} as="date" />,
    },
  ];
  return (
    <PagedTable
      query={query}
      total={total}
      counted={TEXTS.counted}
      empty={<Empty title={TEXTS.none}>{TEXTS.noneWhy}</Empty>}
      skeleton={<LinesSkeleton lines={6} height={44} />}
      label={TEXTS.pages.paymentLinks}
      rowKey={({ linkId }) => linkId}
      onRow={({ linkId }) => onOpen(linkId)}
      columns={columns}
    />
  );
}

/** Whether a link takes payments, or why not. */
export function LinkStateBadge({ link }: { readonly link: PaymentLink }) {
  const state = stateOf(link);
  return <Tone tone={state === 'active' ? 'good' : 'quiet'}>{TEXTS.states[state]}</Tone>;
}

/** Why a link takes no more payments, or `active`. */
function stateOf({ active, closedAt, usesMax, uses }: PaymentLink) {
  if (active) return 'active';
  if (closedAt !== null) return 'closed';
  return usesMax !== null && uses >= usesMax ? 'used' : 'expired';
}

export function LinkAmount({ link: { amountCents, minCents, maxCents } }: { readonly link: PaymentLink }) {
  const { euro } = format;
  if (amountCents !== null) return euro(amountCents);
  if (minCents !== null && maxCents !== null) return TEXTS.between(euro(minCents), euro(maxCents));
  if (minCents !== null) return TEXTS.from(euro(minCents));
  return maxCents === null ? TEXTS.anyAmount : TEXTS.upTo(euro(maxCents));
}
