import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { type Addressed, merchantIn, merchantOf, useAddressState } from '../../lib/address.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Empty } from '../../ui/empty.tsx';
import { ListSum } from '../../ui/list-sum.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { MerchantPicker } from '../../ui/merchant-picker.tsx';
import { Page } from '../../ui/page.tsx';
import { HeldList } from './held-list.tsx';
import css from './review.module.css';
import { Summary } from './summary.tsx';
import { TEXTS } from './texts.ts';
import type { Totals } from './types.ts';

interface Merchant {
  readonly merchantId: string;
  readonly name: string;
}

const FILTER: Addressed<Merchant | null> = { read: merchantOf, write: merchantIn };

/** The review page: sales on hold and their release. */
export default function ReviewPage() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const [merchant, setMerchant] = useAddressState(FILTER);
  const totals = useQuery(trpc.review.totals.queryOptions());
  const query = useInfiniteQuery(
    trpc.review.list.infiniteQueryOptions(merchant === null ? {} : { ofMerchant: merchant.merchantId }, {
      getNextPageParam: (page) => page.nextCursor,
    }),
  );
  return (
    <Page title={words.pages.review} description={words.lead}>
      <Loaded query={totals} skeleton={<LinesSkeleton lines={1} height={98} />}>
        {(data) => <Summary totals={data} onMerchant={setMerchant} />}
      </Loaded>
      <search className={css.filters}>
        <MerchantPicker key={merchant?.merchantId ?? ''} value={merchant} onChange={setMerchant} />
      </search>
      {merchant !== null && totals.data !== undefined && (
        <ListSum total={sumOf(totals.data, merchant.merchantId)} counted={words.counted} />
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
