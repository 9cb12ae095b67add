import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { Empty } from '../../ui/empty.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { MoreRows, rowsOf } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { AuditFilters } from './filters.tsx';
import { AuditList } from './list.tsx';
import { TEXTS } from './texts.ts';
import { FILTERS, filterOf } from './types.ts';

export default function AuditPage() {
  const words = useTexts(TEXTS);
  const { language } = useLanguage();
  const trpc = useTRPC();
  const [filters, setFilters] = useAddressState(FILTERS);
  const filter = filterOf(filters);
  const query = useInfiniteQuery(
    trpc.audit.list.infiniteQueryOptions(filter, {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
    }),
  );
  const asText = Object.entries(filter).map(([name, value]) => [name, String(value)]);
  const address = `/backoffice/export/audit.csv?${new URLSearchParams([...asText, ['language', language]])}`;
  return (
    <Page
      title={words.title}
      description={words.description}
      actions={<DownloadButton href={address}>{words.csv}</DownloadButton>}
    >
      <AuditFilters filters={filters} onChange={setFilters} />
      <Loaded
        query={query}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={10} height={44} />}
      >
        {(data) => (
          <>
            <AuditList rows={rowsOf(data)} />
            <MoreRows query={query} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
