import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SEARCH, useAddressState } from '../../lib/address.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { ListSum, PagedRows } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { PeopleList } from './list.tsx';
import { TEXTS } from './texts.ts';

export default function PeoplePage() {
  const words = useTexts(TEXTS);
  const trpc = useTRPC();
  const [text, setText] = useAddressState(SEARCH);
  const query = useInfiniteQuery(
    trpc.users.list.infiniteQueryOptions(
      { email: text },
      { getNextPageParam: (page) => page.nextCursor, placeholderData: keepPreviousData },
    ),
  );
  const total = useQuery(
    trpc.users.count.queryOptions({ email: text }, { placeholderData: keepPreviousData }),
  );
  return (
    <Page title={words.pages.people} description={words.description}>
      <search>
        <SearchField alone label={words.search} hint={words.searchHint} value={text} onChange={setText} />
      </search>
      <ListSum total={total.data} counted={words.counted} />
      <Loaded
        query={query}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={8} height={72} />}
      >
        {(data) => (
          <PagedRows data={data} query={query} rowKey={(person) => person.userId}>
            {(rows) => <PeopleList rows={rows} />}
          </PagedRows>
        )}
      </Loaded>
    </Page>
  );
}
