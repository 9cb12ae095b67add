import { Button, Skeleton, Stack, Text } from '@mantine/core';
import { useQuery } from '@tanstack/react-query';
import { TbArrowLeft } from 'react-icons/tb';
import { Link, useParams } from 'wouter';
import { format } from '../../lib/format.ts';
import { usePageBase, useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Card } from '../../ui/card.tsx';
import { Copyable, copyable } from '../../ui/copyable.tsx';
import { DeliveryRow } from '../../ui/delivery-row.tsx';
import { Facts } from '../../ui/facts.tsx';
import { Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { RefundPanel } from '../refunds/panel.tsx';
import { Attempts, Receipts } from './attempts.tsx';
import { Customer, Items, Tracking } from './basket.tsx';
import { type Detail, situation } from './data.ts';
import { Hero } from './hero.tsx';
import { Notices } from './notices.tsx';
import css from './page.module.css';
import { TEXTS } from './texts.ts';
import { Timeline } from './timeline.tsx';

/** The polling interval while a push is open or a webhook is being sent. */
const QUICK_MS = 1_500;
/** The polling interval while a reference is payable. */
const SLOW_MS = 6_000;
/** How long a new transaction is polled at the short interval. */
const YOUNG_MS = 15 * 60_000;

/** The transaction page; polls while changes are expected. */
export default function TransactionPage() {
  const { id = '' } = useParams<{ id: string }>();
  const query = useDetail(id);
  const back = `${usePageBase()}/transactions`;
  return (
    <Page
      title={query.data === undefined ? TEXTS.transaction : TEXTS.title(query.data.orderId)}
      description={<Copyable value={id} label={TEXTS.copyId} />}
      actions={
        <Button
          component={Link}
          href={back}
          variant="subtle"
          leftSection={<TbArrowLeft size={16} aria-hidden />}
        >
          {TEXTS.back}
        </Button>
      }
    >
      <Loaded query={query} skeleton={<DetailSkeleton />}>
        {(detail) => <Body detail={detail} />}
      </Loaded>
    </Page>
  );
}

function useDetail(id: string) {
  const input = { merchantId: useScope(), id };
  return useQuery(
    trpc.transaction.show.queryOptions(input, { refetchInterval: ({ state }) => pace(state.data) }),
  );
}

function pace(detail: Detail | undefined): number | false {
  if (detail === undefined || !detail.live) return false;
  const { push, unclear } = situation(detail);
  const sending = detail.deliveries.some(({ state }) => state === 'due');
  const young = detail.now - detail.createdAt < YOUNG_MS;
  return push !== undefined || unclear || sending || young ? QUICK_MS : SLOW_MS;
}

interface Props {
  readonly detail: Detail;
}

function Body({ detail }: Props) {
  return (
    <>
      <Hero detail={detail} />
      <Notices detail={detail} />
      <div className={css.columns}>
        <Stack gap={20} miw={0} className={css.side}>
          <Timeline detail={detail} />
          <Tracking detail={detail} />
        </Stack>
        <Stack gap={20} miw={0} className={css.side}>
          <Customer detail={detail} />
          <Items detail={detail} />
        </Stack>
      </div>
      <Attempts detail={detail} />
      <Receipts detail={detail} />
      <Refunds detail={detail} />
      <div id="webhooks" style={{ scrollMarginTop: 20 }}>
        <Deliveries detail={detail} />
      </div>
      <Internal detail={detail} />
    </>
  );
}

function DetailSkeleton() {
  return (
    <Stack gap={20}>
      <Skeleton height={212} radius="lg" />
      <div className={css.columns}>
        <Skeleton height={420} radius="lg" />
        <Stack gap={20}>
          <Skeleton height={230} radius="lg" />
          <Skeleton height={170} radius="lg" />
        </Stack>
      </div>
    </Stack>
  );
}

function Refunds({ detail }: Props) {
  if (detail.receipts.length === 0) return null;
  return (
    <Card title={TEXTS.pages.refunds}>
      {detail.receipts.toReversed().map(({ receiptId, flags }) => (
        <RefundPanel key={receiptId} receiptId={receiptId} flags={flags} />
      ))}
    </Card>
  );
}

/** The webhook deliveries, newest first. */
function Deliveries({ detail }: Props) {
  const { deliveries, merchantId } = detail;
  return (
    <Card title="Webhooks" flush={deliveries.length > 0}>
      {deliveries.length === 0 ? (
        <Text c="dimmed">{TEXTS.noDeliveries}</Text>
      ) : (
        <ul>
          {deliveries.toReversed().map((row) => (
            <DeliveryRow key={row.deliveryId} row={row} merchantId={merchantId} />
          ))}
        </ul>
      )}
    </Card>
  );
}

/** Bank identifiers of attempts and receipts, for the operator. */
function Internal({ detail }: Props) {
  const way = (method: string | null) => TEXTS.methods[method === 'REFERENCE' ? method : 'MBWAY'];
  const blocks = [
    ...detail.attempts.map(({ attemptId, method, createdAt, internal }) => ({
      id: attemptId,
      title: `${way(method)}, ${format.time(createdAt)}`,
      label: TEXTS.attemptNumber,
      internal,
    })),
    ...detail.receipts.map(({ receiptId, amountCents, recordedAt, internal }) => ({
      id: receiptId,
      title: `${format.euro(amountCents)}, ${format.time(recordedAt)}`,
      label: TEXTS.receipt,
      internal,
    })),
  ];
  if (blocks.every(({ internal }) => internal === null)) return null;
  return (
    <Card title={TEXTS.internal}>
      <div className={css.blocks}>
        {blocks.map(({ id, title, label, internal }) => (
          <section key={id} aria-label={`${label} ${title}`}>
            <Text component="h3" fz="0.95rem" fw={640} mb={10}>
              {title}
            </Text>
            <Facts
              items={[
                [label, copyable(id, label.toLowerCase())],
                [TEXTS.bankOrderId, internal?.bankOrderId ?? null],
                [TEXTS.bankRequestId, internal?.requestId ?? null],
                [TEXTS.account, internal?.accountId ?? null],
              ]}
            />
          </section>
        ))}
      </div>
    </Card>
  );
}
