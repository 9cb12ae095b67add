import { useDebouncedValue } from '@mantine/hooks';
import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { DownloadButton } from '../../ui/download-button.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { rowsOf } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { LeadFilters } from './filters.tsx';
import { LeadDrawer } from './lead-drawer.tsx';
import { LeadList } from './list.tsx';
import { TEXTS } from './texts.ts';
import { NO_FILTERS, searchOf } from './types.ts';

const TYPING_MS = 250;

export default function LeadsPage() {
  const words = useTexts(TEXTS);
  const { language } = useLanguage();
  const trpc = useTRPC();
  const [filters, setFilters] = useState(NO_FILTERS);
  const [shown, setShown] = useState<string | null>(null);
  const [asked] = useDebouncedValue(filters, TYPING_MS);
  const query = useInfiniteQuery(
    trpc.leads.list.infiniteQueryOptions(searchOf(asked), {
      getNextPageParam: (page) => page.nextCursor,
      placeholderData: keepPreviousData,
    }),
  );
  const address = `/backoffice/export/leads.csv?${new URLSearchParams({ ...searchOf(filters), language })}`;
  return (
    <Page
      title={words.title}
      description={words.description}
      actions={<DownloadButton href={address}>{words.csv}</DownloadButton>}
    >
      <LeadFilters filters={filters} onChange={setFilters} />
      <Loaded query={query} skeleton={<LinesSkeleton lines={8} height={56} />}>
        {(data) => (
          <LeadList
            rows={rowsOf(data)}
            query={query}
            narrowed={Object.keys(searchOf(asked)).length > 0}
            onShow={setShown}
          />
        )}
      </Loaded>
      <LeadDrawer leadId={shown} onClose={() => setShown(null)} />
    </Page>
  );
}
