import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PAGED, PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { AuditFilters } from './filters.tsx';
import { AuditList } from './list.tsx';
import { TEXTS } from './texts.ts';
import { FILTERS, type Filters, filterOf, ownFilterOf } from './types.ts';

/** The audit log: of the merchant, for its owners, or of the platform, for operators. */
export default function AuditPage() {
  const words = useTexts(TEXTS);
  const merchant = usePageMerchant();
  if (merchant !== null && merchant.role !== 'owner') {
    return (
      <Page title={words.pages.audit}>
        <Empty title={words.ownersOnly}>{words.ownersOnlyText}</Empty>
      </Page>
    );
  }
  return <Entries />;
}

function Entries() {
  const words = useTexts(TEXTS);
  const merchant = usePageMerchant();
  const [filters, setFilters] = useAddressState(FILTERS);
  const query = useEntries(filters);
  const address = useExport(filters);
  return (
    <Page
      title={words.pages.audit}
      description={merchant === null ? words.description : words.ownDescription}
      actions={<DownloadButton href={address}>{words.csv}</DownloadButton>}
    >
      <AuditFilters filters={filters} onChange={setFilters} />
      <PagedList
        query={query}
        total={useEntryCount(filters)}
        counted={words.counted}
        rowKey={(line) => line.id}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={10} height={44} />}
      >
        {(rows) => <AuditList rows={rows} />}
      </PagedList>
    </Page>
  );
}

/** Returns the URL of the download. */
function useExport(filters: Filters): string {
  const { language } = useLanguage();
  const merchant = usePageMerchant();
  const filter =
    merchant === null ? filterOf(filters) : { ...ownFilterOf(filters), merchantId: merchant.merchantId };
  const file = merchant === null ? 'audit.csv' : 'merchant-audit.csv';
  const asText = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  return `/backoffice/export/${file}?${new URLSearchParams([...asText, ['language', language]])}`;
}

/** The pages of the log: one merchant's own entries, or all for the operator. */
function useEntries(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const { list, ofMerchant } = trpc.audit;
  return useInfiniteQuery(
    merchant === null
      ? list.infiniteQueryOptions(filterOf(filters), PAGED)
      : ofMerchant.infiniteQueryOptions({ merchantId: merchant.merchantId, ...ownFilterOf(filters) }, PAGED),
  );
}

/** The number of entries that the filters show. */
function useEntryCount(filters: Filters) {
  const trpc = useTRPC();
  const merchant = usePageMerchant();
  const options = { placeholderData: keepPreviousData };
  const { count, countOfMerchant } = trpc.audit;
  const query = useQuery(
    merchant === null
      ? count.queryOptions(filterOf(filters), options)
      : countOfMerchant.queryOptions({ merchantId: merchant.merchantId, ...ownFilterOf(filters) }, options),
  );
  return query.data;
}
