import { keepPreviousData, useInfiniteQuery, useQuery } from '@tanstack/react-query';
import { SEARCH, useAddressState } from '../../lib/address.ts';
import { useTexts } from '../../lib/i18n.ts';
import { trpc } from '../../lib/trpc.ts';
import { Empty, LinesSkeleton } from '../../ui/loaded.tsx';
import { PAGED, PagedList } from '../../ui/more-rows.tsx';
import { Page } from '../../ui/page.tsx';
import { SearchField } from '../../ui/search-field.tsx';
import { PeopleList } from './list.tsx';
import { TEXTS } from './texts.ts';

export default function PeoplePage() {
  const words = useTexts(TEXTS);
  const [text, setText] = useAddressState(SEARCH);
  const query = useInfiniteQuery(trpc.users.list.infiniteQueryOptions({ email: text }, PAGED));
  const total = useQuery(
    trpc.users.count.queryOptions({ email: text }, { placeholderData: keepPreviousData }),
  );
  return (
    <Page title={words.pages.people} description={words.description}>
      <search>
        <SearchField alone label={words.search} hint={words.searchHint} value={text} onChange={setText} />
      </search>
      <PagedList
        query={query}
        total={total.data}
        counted={words.counted}
        rowKey={(person) => person.userId}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={8} height={72} />}
      >
        {(rows) => <PeopleList rows={rows} />}
      </PagedList>
    </Page>
  );
}
