import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useAddressDrawer } from '../../lib/address.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { ListSum, PagedRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Branding } from './branding.tsx';
import { CreateLink } from './create.tsx';
import { LinkList } from './list.tsx';
import { TEXTS } from './texts.ts';

/** Loaded after the list. */
const LinkDrawer = lazy(() => import('./drawer.tsx'));

const FRESH_EVERY_MS = 5000;

/** The payment links of a merchant. */
export default function PaymentLinksPage() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const { merchantId, role } = useMerchant();
  const drawer = useAddressDrawer('link');
  const query = useInfiniteQuery(
    trpc.paymentLinks.list.infiniteQueryOptions(
      { merchantId },
      { getNextPageParam: (page) => page.nextCursor, refetchInterval: FRESH_EVERY_MS },
    ),
  );
  const total = useQuery(
    trpc.paymentLinks.total.queryOptions({ merchantId }, { refetchInterval: FRESH_EVERY_MS }),
  );
  const create = role === 'owner' ? <CreateLink onCreated={drawer.open} /> : undefined;
  return (
    <Page title={words.pages.paymentLinks} description={words.description} actions={create}>
      <ListSum total={total.data} counted={words.counted} />
      <Loaded
        query={query}
        skeleton={<LinesSkeleton lines={6} height={44} />}
        empty={({ pages }) =>
          pages[0]?.rows.length === 0 ? <Empty title={words.none}>{words.noneWhy}</Empty> : null
        }
      >
        {(data) => (
          <PagedRows data={data} query={query} rowKey={({ linkId }) => linkId}>
            {(rows) => <LinkList rows={rows} onOpen={drawer.open} />}
          </PagedRows>
        )}
      </Loaded>
      <Branding owner={role === 'owner'} />
      <Suspense>
        <LinkDrawer linkId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}
