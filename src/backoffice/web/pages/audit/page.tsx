import { useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { usePageMerchant } from '../../lib/session.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { ListSum } from '../../ui/list-sum.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { PagedRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { AuditFilters } from './filters.tsx';
import { AuditList } from './list.tsx';
import { useEntries, useEntryCount } from './source.ts';
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
      <ListSum total={useEntryCount(filters)} counted={words.counted} />
      <Loaded
        query={query}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={10} height={44} />}
      >
        {(data) => (
          <PagedRows data={data} query={query} rowKey={(line) => line.id}>
            {(rows) => <AuditList rows={rows} />}
          </PagedRows>
        )}
      </Loaded>
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
