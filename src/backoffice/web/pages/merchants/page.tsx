import { Button } from '@mantine/core';
import { IconPlus } from '@tabler/icons-react';
import { useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { lazy, Suspense } from 'react';
import { SEARCH, useAddressDrawer, useAddressState } from '../../lib/address.ts';
import { trpc } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PAGED, PagedList } from '../../ui/more-rows.tsx';
import { Opener } from '../../ui/opener.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { BANK_TEXTS } from './bank-texts.ts';
import { MerchantList } from './list.tsx';
import { TEXTS } from './texts.ts';

/** Loaded after the list. */
const MerchantDrawer = lazy(() => import('./merchant-drawer.tsx'));
const DefaultAccount = lazy(() => import('./default-account.tsx'));
const CreateMerchant = lazy(() => import('./create.tsx'));

export default function MerchantsPage() {
  const [text, setText] = useAddressState(SEARCH);
  const drawer = useAddressDrawer('merchant');
  const query = useInfiniteQuery(trpc.merchants.list.infiniteQueryOptions({ text }, PAGED));
  const total = useQuery(trpc.merchants.count.queryOptions({ text }));
  const none =
    text === '' ? (
      <Empty title={TEXTS.empty}>{TEXTS.emptyText}</Empty>
    ) : (
      <Empty title={TEXTS.none}>{TEXTS.noneText}</Empty>
    );
  return (
    <Page
      title={TEXTS.pages.merchants}
      description={TEXTS.description}
      actions={
        <>
          <Opener trigger={<Button variant="default">{BANK_TEXTS.defaultTitle}</Button>}>
            {(close) => <DefaultAccount onClose={close} />}
          </Opener>
          <Opener trigger={<Button leftSection={<IconPlus size={16} aria-hidden />}>{TEXTS.create}</Button>}>
            {(close) => <CreateMerchant onClose={close} />}
          </Opener>
        </>
      }
    >
      <search>
        <SearchField alone label={TEXTS.search} hint={TEXTS.searchHint} value={text} onChange={setText} />
      </search>
      <PagedList
        query={query}
        total={total.data}
        counted={TEXTS.counted}
        rowKey={(merchant) => merchant.merchantId}
        empty={none}
        skeleton={<LinesSkeleton lines={8} height={44} />}
      >
        {(rows) => <MerchantList rows={rows} onShow={drawer.open} />}
      </PagedList>
      <Suspense>
        <MerchantDrawer merchantId={drawer.shown} onClose={drawer.close} />
      </Suspense>
    </Page>
  );
}
