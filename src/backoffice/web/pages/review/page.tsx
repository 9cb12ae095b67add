import { Box } from '@mantine/core';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { MERCHANT, type Option, useAddressState } from '../../lib/address.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { type RouterOutputs, trpc } from '../../lib/trpc.ts';
import { Figures } from '../../ui/figures.tsx';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { ListSum } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Time } from '../../ui/time.tsx';
import { HeldList } from './held-list.tsx';
import css from './review.module.css';
import { TEXTS } from './texts.ts';

type Totals = RouterOutputs['review']['totals'];

/** The review page: sales on hold and their release. */
export default function ReviewPage() {
  const words = useTexts(TEXTS);
  const [merchant, setMerchant] = useAddressState(MERCHANT);
  const totals = useQuery(trpc.review.totals.queryOptions());
  const query = useInfiniteQuery(
    trpc.review.list.infiniteQueryOptions(
      { ofMerchant: merchant?.value },
      { getNextPageParam: (page) => page.nextCursor },
    ),
  );
  return (
    <Page title={words.pages.review} description={words.lead}>
      <Loaded query={totals} skeleton={<LinesSkeleton lines={1} height={98} />}>
        {(data) => <Summary totals={data} onMerchant={setMerchant} />}
      </Loaded>
      <Box component="search" maw={{ base: 'none', sm: 320 }}>
        <MerchantPicker value={merchant} onChange={setMerchant} />
      </Box>
      {merchant !== null && totals.data !== undefined && (
        <ListSum total={sumOf(totals.data, merchant.value)} counted={words.counted} />
      )}
      <Loaded
        query={query}
        skeleton={<LinesSkeleton lines={5} height={44} />}
        empty={<Empty title={words.nothing}>{words.nothingWhy}</Empty>}
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
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchants } = totals;
  const instants = merchants.map((one) => one.oldestPaidAt).filter((at) => at !== null);
  const sure = (text: string) => (totals.complete ? text : words.atLeast(text));
  return (
    <Figures
      items={[
        [words.count, sure(format.count(totals.count))],
        [words.sum, sure(format.euro(totals.amountCents))],
        [
          words.oldest,
          instants.length === 0 ? '–' : <Time key="oldest" at={Math.min(...instants)} as="ago" />,
        ],
      ]}
    >
      {merchants.length > 1 && (
        <ul className={css.merchants} aria-label={words.byMerchant}>
          {merchants.slice(0, SHOWN_MAX).map(({ merchantId, name, count, amountCents }) => (
            <li key={merchantId}>
              <button type="button" onClick={() => onMerchant({ value: merchantId, label: name })}>
                {words.ofMerchant(name, format.count(count), format.euro(amountCents))}
              </button>
            </li>
          ))}
        </ul>
      )}
    </Figures>
  );
}
