import { Button, Group } from '@mantine/core';
import { texts, useTexts } from '../lib/i18n.ts';
import { notifyFault } from './notify.ts';

const TEXTS = texts({
  en: { more: 'Show more', loading: 'Loading…' },
  pt: { more: 'Mostrar mais', loading: 'A carregar…' },
});

/** The part of an infinite query that `MoreRows` needs. */
export interface MorePages {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<{ readonly error: unknown }>;
}

/** A button that loads the next page; renders nothing on the last page. */
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

/** Returns the rows of all pages loaded so far. */
export function rowsOf<T>(data: { readonly pages: readonly { readonly rows: readonly T[] }[] }): T[] {
  return data.pages.flatMap((page) => page.rows);
}
