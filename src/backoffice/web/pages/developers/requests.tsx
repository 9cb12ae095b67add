import { Anchor, SegmentedControl, Text } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { Link } from 'wouter';
import { setting, useAddressState } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { useMerchant } from '../../lib/session.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Breakable } from '../../ui/breakable.tsx';
import { Card } from '../../ui/card.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PagedTable } from '../../ui/more-rows.tsx';
import type { Column } from '../../ui/rows.tsx';
import { Hint } from '../../ui/soft.tsx';
import { Time } from '../../ui/time.tsx';
import { TEXTS } from './texts.ts';

type Request = RouterOutputs['requests']['list']['rows'][number];

const PAGE_ROWS = 50;
const FRESH_MS = 4_000;
const COUNTED_EVERY_MS = 15_000;

const SHOW = setting('show', ['all', 'errors']);

/** The log of the merchant's API requests, newest first; updates live while only the first page is loaded. */
export function Requests() {
  const { all, requests: words } = TEXTS;
  const { merchantId } = useMerchant();
  const [show, setShow] = useAddressState(SHOW);
  const failed = show === 'errors';
  const query = useInfiniteQuery(
    trpc.requests.list.infiniteQueryOptions(
      { merchantId, limit: PAGE_ROWS, ...(failed && { failed }) },
      {
        getNextPageParam: (page) => page.nextCursor,
        refetchInterval: ({ state }) => (state.data?.pages.length === 1 ? FRESH_MS : false),
      },
    ),
  );
  const total = useQuery(
    trpc.requests.count.queryOptions({ merchantId, failed }, { refetchInterval: COUNTED_EVERY_MS }),
  );
  return (
    <>
      <Text c="dimmed">{words.kept}</Text>
      <Card
        title={words.title}
        flush
        actions={
          <SegmentedControl
            size="xs"
            aria-label={words.show}
            value={show}
            onChange={setShow}
            data={[
              { value: 'all', label: all },
              { value: 'errors', label: words.errors },
            ]}
          />
        }
      >
        <PagedTable
          inset
          query={query}
          total={total}
          counted={words.counted}
          empty={
            <Empty bare title={failed ? words.noErrors : words.none}>
              {failed ? undefined : words.noneHint}
            </Empty>
          }
          skeleton={<LinesSkeleton lines={6} />}
          label={words.title}
          rowKey={(row) => row.requestId}
          columns={columnsOf()}
        />
      </Card>
    </>
  );
}

function columnsOf(): Column<Request>[] {
  const words = TEXTS.requests;
  return [
    { key: 'request', label: words.request, cell: (row) => <Name row={row} /> },
    { key: 'at', label: words.at, cell: (row) => <Time at={row.at} /> },
    { key: 'status', label: TEXTS.state, cell: (row) => <Status row={row} /> },
    {
      key: 'duration',
      label: words.duration,
      align: 'right',
      cell: (row) => `${format.count(row.durationMs)} ms`,
    },
    { key: 'key', label: words.key, cell: (row) => row.keyName ?? TEXTS.current },
    {
      key: 'idempotent',
      label: 'Idempotency-Key',
      wideOnly: true,
      cell: (row) => (row.idempotent ? words.yes : words.no),
    },
    {
      key: 'transaction',
      label: TEXTS.transaction,
      cell: (row) => (isOpenable(row) ? <Transaction id={row.transactionId} /> : null),
    },
  ];
}

function Name({ row }: { readonly row: Request }) {
  const words = TEXTS.requests;
  return (
    <>
      <Text span ff="monospace" fz="0.9em">
        {row.method} <Breakable text={row.path} joint={/(?=[/.])/} />
      </Text>
      {row.skipped > 0 && <Hint>{words.skipped(format.count(row.skipped))}</Hint>}
    </>
  );
}

function Status({ row }: { readonly row: Request }) {
  const words = TEXTS.requests;
  const failed = row.status >= 400;
  return (
    <Text span {...(failed && { c: 'var(--bad)' })}>
      {row.status} {row.status === 499 ? words.closed : <Breakable text={row.code ?? ''} joint={/(?<=_)/} />}
    </Text>
  );
}

function isOpenable(row: Request): row is Request & { readonly transactionId: string } {
  return row.transactionId !== null && row.code !== 'TRANSACTION_NOT_FOUND';
}

function Transaction({ id }: { readonly id: string }) {
  const words = TEXTS.requests;
  const { merchantId } = useMerchant();
  return (
    <Anchor component={Link} underline="always" href={`/m/${merchantId}/transactions/${id}`} title={id}>
      {words.open}
    </Anchor>
  );
}
