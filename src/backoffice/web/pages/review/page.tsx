import { Box, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useInfiniteQuery, useMutation, useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { TbLockOpen } from 'react-icons/tb';
import { MERCHANT, type Option, useAddressState } from '../../lib/address.ts';
import { format } from '../../lib/format.ts';
import { queryClient, type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Confirm } from '../../ui/confirm.tsx';
import { Effects } from '../../ui/effects.tsx';
import { Figures } from '../../ui/figures.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { Money } from '../../ui/money.tsx';
import { ListSum, type MorePages, PagedRows, rowsOf } from '../../ui/more-rows.tsx';
import { notifyDone, notifyPartlyFailed } from '../../ui/notify.ts';
import { Page } from '../../ui/page.tsx';
import { type Column, Rows } from '../../ui/rows.tsx';
import { Time } from '../../ui/time.tsx';
import { TransactionLink } from '../../ui/transaction-link.tsx';
import css from './review.module.css';
import { TEXTS } from './texts.ts';

type Totals = RouterOutputs['review']['totals'];

/** The review page: sales on hold and their release. */
export default function ReviewPage() {
  const [merchant, setMerchant] = useAddressState(MERCHANT);
  const totals = useQuery(trpc.review.totals.queryOptions());
  const query = useInfiniteQuery(
    trpc.review.list.infiniteQueryOptions(
      { ofMerchant: merchant?.value },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  return (
    <Page title={TEXTS.pages.review} description={TEXTS.lead}>
      <Loaded query={totals} skeleton={<LinesSkeleton lines={1} height={98} />}>
        {(data) => <Summary totals={data} onMerchant={setMerchant} />}
      </Loaded>
      <Box component="search" maw={{ base: 'none', sm: 320 }}>
        <MerchantPicker value={merchant} onChange={setMerchant} />
      </Box>
      {merchant !== null && totals.data !== undefined && (
        <ListSum total={{ ...totals, data: sumOf(totals.data, merchant.value) }} counted={TEXTS.counted} />
      )}
      <Loaded
        query={query}
        skeleton={<LinesSkeleton lines={5} height={44} />}
        empty={<Empty title={TEXTS.nothing}>{TEXTS.nothingWhy}</Empty>}
      >
        {(data) => <HeldList data={data} query={query} />}
      </Loaded>
    </Page>
  );
}

/** Returns the count and the sum of a merchant's sales; the summary shows those of all. */
function sumOf({ merchants, complete }: Totals, merchantId: string) {
  const shown = merchants.find((one) => one.merchantId === merchantId);
  return { count: shown?.count ?? 0, cents: shown?.amountCents ?? 0, more: !complete };
}

const SHOWN_MAX = 6;

interface Props {
  readonly totals: Totals;
  readonly onMerchant: (merchant: Option) => void;
}

/** The total on hold, its age and its merchants. */
function Summary({ totals, onMerchant }: Props) {
  const { merchants } = totals;
  const instants = merchants.map((one) => one.oldestPaidAt).filter((at) => at !== null);
  const sure = (text: string) => (totals.complete ? text : TEXTS.atLeast(text));
  return (
    <Figures
      items={[
        [TEXTS.count, sure(format.count(totals.count))],
        [TEXTS.sum, sure(format.euro(totals.amountCents))],
        [
          TEXTS.oldest,
          instants.length === 0 ? '–' : <Time key="oldest" at={Math.min(...instants)} as="ago" />,
        ],
      ]}
    >
      {merchants.length > 1 && (
        <ul className={css.merchants} aria-label={TEXTS.byMerchant}>
          {merchants.slice(0, SHOWN_MAX).map(({ merchantId, name, count, amountCents }) => (
            <li key={merchantId}>
              <button type="button" onClick={() => onMerchant({ value: merchantId, label: name })}>
                {TEXTS.ofMerchant(name, format.count(count), format.euro(amountCents))}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Figures>
  );
}

type HeldSale = RouterOutputs['review']['list']['rows'][number];

interface HeldProps {
  readonly data: { readonly pages: readonly { readonly rows: readonly HeldSale[] }[] };
  readonly query: MorePages<HeldSale>;
}

/** The sales on hold, with selection and release. */
function HeldList({ data, query }: HeldProps) {
  const rows = rowsOf(data);
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const toggle = (id: string) => {
    const next = new Set(chosen);
    if (!next.delete(id)) next.add(id);
    setChosen(next);
  };
  const columns: Column<HeldSale>[] = [
    {
      key: 'choose',
      label: TEXTS.chooseColumn,
      cell: (row) => (
        <Checkbox
          aria-label={TEXTS.choose(row.orderId)}
          checked={chosen.has(row.transactionId)}
          onChange={() => toggle(row.transactionId)}
        />
      ),
    },
    { key: 'amount', label: TEXTS.amount, cell: (row) => <Money cents={row.amountCents} /> },
    {
      key: 'order',
      label: TEXTS.order,
      cell: (row) => <TransactionLink id={row.transactionId} order={row.orderId} />,
    },
    { key: 'merchant', label: TEXTS.merchant, cell: (row) => row.merchant.name },
    {
      key: 'method',
      label: TEXTS.method,
      cell: (row) => (row.method === null ? '–' : TEXTS.methods[row.method]),
    },
    { key: 'paidAt', label: TEXTS.paidAt, cell: (row) => <Time at={row.paidAt} /> },
  ];
  return (
    <Stack gap={12}>
      <Bar rows={rows} picked={rows.filter((row) => chosen.has(row.transactionId))} setChosen={setChosen} />
      <PagedRows data={data} query={query} rowKey={(row) => row.transactionId}>
        {(part) => (
          <Rows label={TEXTS.count} rows={part} rowKey={(row) => row.transactionId} columns={columns} />
        )}
      </PagedRows>
    </Stack>
  );
}

interface BarProps {
  readonly rows: readonly HeldSale[];
  readonly picked: readonly HeldSale[];
  readonly setChosen: (chosen: ReadonlySet<string>) => void;
}

function Bar({ rows, picked, setChosen }: BarProps) {
  const release = useRelease();
  const sum = format.euro(picked.reduce((total, row) => total + row.amountCents, 0));
  const count = format.count(picked.length);
  const chosen = (picked.length === 1 ? TEXTS.chosenOne : TEXTS.chosen)(count, sum);
  const all = picked.length === rows.length;
  const { paid, event, money } = TEXTS.effects;
  return (
    <div className={css.bar}>
      <Checkbox
        label={TEXTS.chooseAll}
        checked={all}
        indeterminate={!all && picked.length > 0}
        onChange={() => setChosen(new Set(all ? [] : rows.map((row) => row.transactionId)))}
      />
      <Group gap="md">
        <Text span c="dimmed" aria-live="polite">
          {picked.length === 0 ? TEXTS.none : chosen}
        </Text>
        <Confirm
          title={TEXTS.dialog(picked.length === 1)}
          confirmLabel={TEXTS.confirm(count)}
          onConfirm={() => release(picked.map((row) => row.transactionId))}
          trigger={
            <Button disabled={picked.length === 0} leftSection={<TbLockOpen size={17} aria-hidden />}>
              {TEXTS.release}
            </Button>
          }
        >
          <Text fz="1.15rem" fw={640} mb={12}>
            {chosen}
          </Text>
          <Effects bare lines={[paid, event, money, TEXTS.noUndo]} />
        </Confirm>
      </Group>
    </div>
  );
}

/** The sales that the server releases in one call. */
const CALL_ROWS_MAX = 100;
const OUTCOMES = ['released', 'paid', 'not_held', 'failed'] as const;

/** Returns a function that releases sales, reports the results and refreshes the page. */
function useRelease() {
  const release = useMutation(
    trpc.review.release.mutationOptions({
      onSuccess: (results) => {
        const counts = OUTCOMES.map(
          (name) => [name, results.filter((one) => one.outcome === name).length] as const,
        );
        const said = counts.filter(([, count]) => count > 0);
        const text = said
          .map(([name, count]) => TEXTS.outcomes[name](format.count(count), count === 1))
          .join(', ');
        if (said.some(([name]) => name === 'failed')) notifyPartlyFailed(text);
        else notifyDone(text);
      },
      onSettled: () => queryClient.invalidateQueries(trpc.review.pathFilter()),
    }),
  );
  return async (transactionIds: readonly string[]) => {
    for (let from = 0; from < transactionIds.length; from += CALL_ROWS_MAX)
      await release.mutateAsync({ transactionIds: transactionIds.slice(from, from + CALL_ROWS_MAX) });
  };
}
