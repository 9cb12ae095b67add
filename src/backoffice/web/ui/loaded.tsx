import { Button, Skeleton, Stack } from '@mantine/core';
import type { ReactNode } from 'react';
import { faultOf } from '../lib/faults.ts';
import { texts, useLanguage, useTexts } from '../lib/i18n.ts';
import css from './loaded.module.css';

const TEXTS = texts({
  en: {
    loading: 'Loading…',
    failed: 'Could not load this',
    again: 'Try again',
    request: (id: string) => `Request ID ${id}`,
  },
  pt: {
    loading: 'A carregar…',
    failed: 'Não foi possível carregar',
    again: 'Tentar novamente',
    request: (id) => `ID do pedido ${id}`,
  },
});

/** What `Loaded` needs to know of a query; every query of TanStack has it. */
export interface QueryView<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly isFetching: boolean;
  refetch(): unknown;
}

interface Props<T> {
  readonly query: QueryView<T>;
  /** Shown in place of the children when there are no rows; a function decides for itself (null: not empty). */
  readonly empty?: ReactNode | ((data: T) => ReactNode);
  /** Of the size of what comes, so that nothing jumps. */
  readonly skeleton?: ReactNode;
  children(data: T): ReactNode;
}

/** A query's answer; a skeleton until it is there, and a panel with the way out when it cannot be had. */
export function Loaded<T>({ query, empty, skeleton, children }: Props<T>) {
  const words = useTexts(TEXTS);
  if (query.data === undefined) {
    if (query.error !== null && !query.isFetching)
      return <Failed error={query.error} onAgain={() => void query.refetch()} />;
    return (
      <div role="status" aria-label={words.loading}>
        {skeleton ?? <LinesSkeleton />}
      </div>
    );
  }
  const instead = typeof empty === 'function' ? empty(query.data) : hasNoRows(query.data) ? empty : undefined;
  return <>{instead ?? children(query.data)}</>;
}

/** The panel of a thing that could not be read: what happened, the way out, the number to quote. */
export function Failed({ error, onAgain }: { readonly error: unknown; readonly onAgain?: () => void }) {
  const words = useTexts(TEXTS);
  const { language } = useLanguage();
  const fault = faultOf(error, language);
  return (
    <div role="alert" className={`${css.notice} ${css.bad}`}>
      <h2>{words.failed}</h2>
      <p>{fault.message}</p>
      {fault.requestId !== null && <p className={css.request}>{words.request(fault.requestId)}</p>}
      {onAgain !== undefined && (
        <Button className={css.action} variant="default" onClick={onAgain}>
          {words.again}
        </Button>
      )}
    </div>
  );
}

/** Grey bars, `lines` of them, each `height` pixels high. */
export function LinesSkeleton({
  lines = 6,
  height = 44,
}: {
  readonly lines?: number;
  readonly height?: number;
}) {
  return (
    <Stack gap={10}>
      {Array.from({ length: lines }, (_, line) => `line-${line}`).map((line) => (
        <Skeleton key={line} height={height} radius="md" />
      ))}
    </Stack>
  );
}

function hasNoRows(data: unknown): boolean {
  if (Array.isArray(data)) return data.length === 0;
  if (typeof data !== 'object' || data === null) return false;
  if ('rows' in data) return Array.isArray(data.rows) && data.rows.length === 0;
  if ('pages' in data) return Array.isArray(data.pages) && data.pages.every(hasNoRows);
  return false;
}
