import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { useAddressDrawer, useAddressState } from '../../lib/address.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { ListSum } from '../../ui/list-sum.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { Page } from '../../ui/page.tsx';
import { LeadFilters } from './filters.tsx';
import { LeadDrawer } from './lead-drawer.tsx';
import { LeadList } from './list.tsx';
import { TEXTS } from './texts.ts';
import { FILTERS, searchOf } from './types.ts';

export default function LeadsPage() {
  const words = useTexts(TEXTS);
  const { language } = useLanguage();
  const trpc = useTRPC();
  const [filters, setFilters] = useAddressState(FILTERS);
  const drawer = useAddressDrawer('lead');
  const query = useInfiniteQuery(
    trpc.leads.list.infiniteQueryOptions(searchOf(filters), {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
    }),
  );
  const total = useQuery(
    trpc.leads.count.queryOptions(searchOf(filters), { placeholderData: keepPreviousData }),
  );
  const address = `/backoffice/export/leads.csv?${new URLSearchParams({ ...searchOf(filters), language })}`;
  return (
    <Page
      title={words.pages.leads}
      description={words.description}
      actions={<DownloadButton href={address}>{words.csv}</DownloadButton>}
    >
      <LeadFilters filters={filters} onChange={setFilters} />
      <ListSum total={total.data} counted={words.counted} />
      <Loaded query={query} skeleton={<LinesSkeleton lines={8} height={44} />}>
        {(data) => (
          <LeadList
            data={data}
            query={query}
            narrowed={Object.keys(searchOf(filters)).length > 0}
            onShow={drawer.open}
          />
        )}
      </Loaded>
      <LeadDrawer leadId={drawer.shown} onClose={drawer.close} />
    </Page>
  );
}
