import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { SEARCH, useAddressState } from '../../lib/address.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useTRPC } from '../../lib/trpc.ts';
import { Empty } from '../../ui/empty.tsx';
import { LinesSkeleton, Loaded } from '../../ui/loaded.tsx';
import { MoreRows, rowsOf } from '../../ui/more-rows.tsx';
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
  return (
    <Page title={words.title} description={words.description}>
      <search>
        <SearchField alone label={words.search} hint={words.searchHint} value={text} onChange={setText} />
      </search>
      <Loaded
        query={query}
        empty={<Empty title={words.none}>{words.noneText}</Empty>}
        skeleton={<LinesSkeleton lines={8} height={72} />}
      >
        {(data) => (
          <>
            <PeopleList rows={rowsOf(data)} />
            <MoreRows query={query} />
          </>
        )}
      </Loaded>
    </Page>
  );
}
