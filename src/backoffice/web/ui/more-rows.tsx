import { Button, Group } from '@mantine/core';
import { texts, useTexts } from '../lib/i18n.ts';
import { notifyFault } from './notify.ts';

const TEXTS = texts({
  en: { more: 'Show more', loading: 'Loading…' },
  pt: { more: 'Mostrar mais', loading: 'A carregar…' },
});

/** What `MoreRows` needs to know of an infinite query. */
export interface MorePages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<{ readonly error: unknown }>;
}

/** The button under a list that reads its next page; nothing when there is none. */
export function MoreRows({ query }: { readonly query: MorePages }) {
  const words = useTexts(TEXTS);
  if (!query.hasNextPage) return null;
  const read = async () => {
    const { error } = await query.fetchNextPage();
    if (error !== null) notifyFault(error);
  };
  return (
    <Group justify="center" py="md">
      <Button variant="default" loading={query.isFetchingNextPage} onClick={() => void read()}>
        {words.more}
      </Button>
    </Group>
  );
}

/** All rows of the pages that an infinite query has read so far. */
export function rowsOf<T>(data: { readonly pages: readonly { readonly rows: readonly T[] }[] }): T[] {
  return data.pages.flatMap((page) => page.rows);
}
