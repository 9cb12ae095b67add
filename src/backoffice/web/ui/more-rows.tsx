import { Button, Group, VisuallyHidden } from '@mantine/core';
import { keepPreviousData } from '@tanstack/react-query';
import { type ReactNode, useLayoutEffect, useRef, useState } from 'react';
import { format } from '../lib/format.ts';
import { texts } from '../lib/i18n.ts';
import { useIsGone } from '../lib/is-gone.ts';
import css from './list-sum.module.css';
import { Loaded, type QueryView } from './loaded.tsx';
import { notifyFault } from './notify.ts';
import { Rows, type RowsProps } from './rows.tsx';

const TEXTS = texts({
  more: ['Show more', 'Mostrar mais'],
  earlier: ['Show previous rows', 'Mostrar as linhas anteriores'],
  uncounted: [
    'The total could not be loaded. Reload the page to try again.',
    'Não foi possível carregar o total. Recarregue a página para tentar novamente.',
  ],
  atLeast: [(counted: string) => `At least ${counted}`, (counted) => `Pelo menos ${counted}`],
});

/** A list shows at most this many rows at once, however many are loaded. */
const SHOWN_MAX = 200;
/** Rows by which the shown part of a longer list moves. */
const STEP = 50;

interface Pages<T> {
  readonly pages: readonly { readonly rows: readonly T[] }[];
}

/** The part of an infinite query that a list needs. */
export interface MorePages<T> {
  readonly hasNextPage: boolean;
  readonly isFetchingNextPage: boolean;
  fetchNextPage(): Promise<{ readonly data: Pages<T> | undefined; readonly error: unknown }>;
}

/** The position at which the shown part of a list begins. */
interface Place {
  readonly key: string;
  /** Used when the row no longer exists. */
  readonly index: number;
}

/** The part of a list that is shown. */
interface Shown<T> {
  readonly rows: readonly T[];
  /** Whether rows after it are loaded or can be. */
  readonly more: boolean;
  /** Whether rows after it are loaded. */
  readonly cut: boolean;
  readonly loading: boolean;
  /** Moves back; null at the start of the list. */
  readonly earlier: (() => void) | null;
  readonly later: () => Promise<void>;
  readonly toStart: () => void;
}

/** Shows a part of the loaded rows. Its position is kept in the history entry, so that Back restores it. */
export function useShown<T>(rows: readonly T[], rowKey: (row: T) => string, query: MorePages<T>): Shown<T> {
  const [place, setPlace] = useState<Place | null>(() => history.state?.firstRow ?? null);
  const start = startOf(rows, rowKey, place);
  const end = start + SHOWN_MAX;
  const holdStill = useHoldStill(place);
  const isGone = useIsGone();
  const move = (all: readonly T[], to: number) => {
    const index = Math.max(0, Math.min(to, all.length - SHOWN_MAX));
    const row = all[index];
    const next = index === 0 || row === undefined ? null : { key: rowKey(row), index };
    if (next?.key === place?.key) return;
    holdStill();
    setPlace(next);
    history.replaceState({ ...history.state, firstRow: next }, '');
  };
  const cut = end < rows.length;
  return {
    rows: rows.slice(start, end),
    more: cut || query.hasNextPage,
    cut,
    loading: query.isFetchingNextPage,
    earlier: start === 0 ? null : () => move(rows, start - STEP),
    async later() {
      if (cut) return move(rows, start + STEP);
      const { data, error } = await query.fetchNextPage();
      // The history entry is another page's by now.
      if (isGone()) return;
      if (error !== null) notifyFault(error);
      if (data !== undefined) move(rowsOf(data), start + STEP);
    },
    toStart: () => move(rows, 0),
  };
}

/**
 * Keeps the row in the middle of the window in place while the shown part moves: browsers do not anchor scrolling inside a table
 * that scrolls sideways.
 */
function useHoldStill(place: Place | null): () => void {
  const held = useRef<{ row: Element; top: number } | null>(null);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the shown part moves with the place
  useLayoutEffect(() => {
    if (held.current?.row.isConnected === true)
      window.scrollBy(0, held.current.row.getBoundingClientRect().top - held.current.top);
    held.current = null;
    document.documentElement.style.overflowAnchor = '';
  }, [place]);
  return () => {
    const row = document.elementFromPoint(window.innerWidth / 2, window.innerHeight / 2)?.closest('tr, li');
    if (row == null) return;
    held.current = { row, top: row.getBoundingClientRect().top };
    document.documentElement.style.overflowAnchor = 'none';
  };
}

function startOf<T>(rows: readonly T[], rowKey: (row: T) => string, place: Place | null): number {
  if (place === null) return 0;
  const index = rows.findIndex((row) => rowKey(row) === place.key);
  return index === -1 ? Math.max(0, Math.min(place.index, rows.length - SHOWN_MAX)) : index;
}

/** Focuses the first control after the old rows when there is a new last row. The button for more is disabled while it loads. */
function useFirstNew(last: unknown): (button: HTMLElement) => void {
  const place = useRef<HTMLElement>(undefined);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the new rows are there with the last one
  useLayoutEffect(() => {
    const controls = allControls();
    const first = place.current && controls[controls.indexOf(place.current) + 1];
    place.current = undefined;
    first?.focus({ preventScroll: true });
  }, [last]);
  return (button) => {
    const controls = allControls();
    place.current = controls[controls.indexOf(button) - 1];
  };
}

function allControls() {
  return [...document.querySelectorAll<HTMLElement>('a[href], button')];
}

interface ShownRowsProps<T> {
  readonly shown: Shown<T>;
  /** Shown after the last loaded row instead of the button for more. */
  readonly end?: ReactNode;
  readonly children: (rows: readonly T[]) => ReactNode;
}

/** The shown part of a list between a button for the rows before it and one for more. */
export function ShownRows<T>({ shown, end, children }: ShownRowsProps<T>) {
  const holdPlace = useFirstNew(shown.rows.at(-1));
  const showMore = ({ currentTarget }: { readonly currentTarget: HTMLElement }) => {
    holdPlace(currentTarget);
    void shown.later();
  };
  return (
    <>
      {shown.earlier !== null && (
        <Group justify="center">
          <Button variant="default" onClick={shown.earlier}>
            {TEXTS.earlier}
          </Button>
        </Group>
      )}
      {children(shown.rows)}
      {end !== undefined && !shown.cut
        ? end
        : shown.more && (
            <Group justify="center" py="md">
              <Button variant="default" loading={shown.loading} onClick={showMore}>
                {TEXTS.more}
              </Button>
            </Group>
          )}
    </>
  );
}

/** The options of an infinite query of rows, which keeps the old rows while it loads. */
export const PAGED = {
  getNextPageParam: (page: { readonly nextCursor: string | null }) => page.nextCursor,
  placeholderData: keepPreviousData,
};

interface PagedRowsProps<T> {
  readonly data: Pages<T>;
  readonly query: MorePages<T>;
  readonly rowKey: (row: T) => string;
  readonly children: (rows: readonly T[]) => ReactNode;
}

/** The rows of an infinite query, with the buttons that load and move. */
export function PagedRows<T>({ data, query, rowKey, children }: PagedRowsProps<T>) {
  const shown = useShown(rowsOf(data), rowKey, query);
  return <ShownRows shown={shown}>{children}</ShownRows>;
}

/** Returns the rows of all pages loaded so far. */
export function rowsOf<T>(data: Pages<T>): T[] {
  return data.pages.flatMap((page) => page.rows);
}

interface ListSumProps {
  /** The query of the total; without data while loading, so that no sum of other filters stands over the rows. */
  readonly total: {
    /** With `more` there are rows that were not counted. */
    readonly data: { readonly count: number; readonly cents?: number; readonly more: boolean } | undefined;
    readonly errorUpdateCount: number;
  };
  /** Returns the count with its noun: `12 leads`. */
  readonly counted: (count: string, one: boolean) => string;
  /** Inside a card without padding. */
  readonly inset?: boolean;
}

/**
 * The bar over a list: the count of the filtered rows and, if the list has one, their sum. Omits the sum when there are too many
 * rows to count. A screen reader announces each change.
 */
export function ListSum({ total: query, counted, inset = false }: ListSumProps) {
  const total = query.data;
  const look = inset ? `${css.sum} ${css.inset}` : css.sum;
  const text = total === undefined ? '' : counted(format.count(total.count), total.count === 1);
  // The count of errors also stands while the query runs again, so that the text does not flicker.
  if (total === undefined && query.errorUpdateCount > 0)
    return (
      <p className={look} role="status">
        {TEXTS.uncounted}
      </p>
    );
  if (total === undefined || total.count === 0)
    return (
      <p className={look} role="status">
        &nbsp;<VisuallyHidden>{text}</VisuallyHidden>
      </p>
    );
  const { cents, more } = total;
  return (
    <p className={look} role="status">
      {more ? TEXTS.atLeast(text) : text}
      {!more && cents !== undefined && (
        <>
          {' '}
          · <strong>{format.euro(cents)}</strong>
        </>
      )}
    </p>
  );
}

interface PagedListProps<T> extends Omit<PagedRowsProps<T>, 'data'>, ListSumProps {
  readonly query: QueryView<Pages<T>> & MorePages<T>;
  readonly empty: ReactNode;
  readonly skeleton: ReactNode;
}

/** A list with the bar over it. */
export function PagedList<T>(props: PagedListProps<T>) {
  const { query, empty, skeleton } = props;
  return (
    <>
      <ListSum {...props} />
      <Loaded query={query} empty={empty} skeleton={skeleton}>
        {(data) => <PagedRows {...props} data={data} />}
      </Loaded>
    </>
  );
}

type PagedTableProps<T> = Omit<PagedListProps<T>, 'children'> & Omit<RowsProps<T>, 'rows'>;

/** The same for rows in a table. */
export function PagedTable<T>(props: PagedTableProps<T>) {
  return <PagedList {...props}>{(rows) => <Rows {...props} rows={rows} />}</PagedList>;
}
