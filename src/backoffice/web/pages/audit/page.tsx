import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { queryOf, useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { usePageMerchant, useScope } from '../../lib/session.ts';
import { trpc } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PAGED, PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { AuditFilters } from './filters.tsx';
import { AuditList } from './list.tsx';
import { TEXTS } from './texts.ts';
import { askedOf, FILTERS } from './types.ts';

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
  const { language } = useLanguage();
  const merchantId = useScope();
  const [filters, setFilters] = useAddressState(FILTERS);
  const input = { merchantId, ...askedOf(filters) };
  const query = useInfiniteQuery(trpc.audit.list.infiniteQueryOptions(input, PAGED));
  const total = useQuery(trpc.audit.count.queryOptions(input, { placeholderData: keepPreviousData }));
  return (
    <Page
      title={words.pages.audit}
      description={merchantId === null ? words.description : words.ownDescription}
      actions={
        <DownloadButton href={`/backoffice/export/audit.csv?${queryOf({ ...input, language })}`}>
          {words.csv}
        </DownloadButton>
      }
    >
      <AuditFilters filters={filters} onChange={setFilters} />
      <PagedList
        query={query}
        total={total.data}
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
