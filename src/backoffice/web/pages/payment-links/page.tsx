import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { useAddressDrawer } from '../../lib/address.ts';
import { useMayChange, useMerchant } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { Branding } from './branding.tsx';
import { CreateLink } from './create.tsx';
import { LinkList } from './list.tsx';
import { TEXTS } from './texts.ts';

/** Loaded after the list. */
const LinkDrawer = lazy(() => import('./drawer.tsx'));

const FRESH_EVERY_MS = 5000;

export default function PaymentLinksPage() {
  const { merchantId } = useMerchant();
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
  const create = useMayChange() ? <CreateLink onCreated={drawer.open} /> : undefined;
  return (
    <Page title={TEXTS.pages.paymentLinks} description={TEXTS.description} actions={create}>
      <PagedList
        query={query}
        total={total.data}
        counted={TEXTS.counted}
        rowKey={({ linkId }) => linkId}
        empty={<Empty title={TEXTS.none}>{TEXTS.noneWhy}</Empty>}
        skeleton={<LinesSkeleton lines={6} height={44} />}
      >
        {(rows) => <LinkList rows={rows} onOpen={drawer.open} />}
      </PagedList>
      <Branding />
      <Suspense>
        <LinkDrawer linkId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}
