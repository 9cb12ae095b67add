import { Box, Button, Skeleton, Stack, Text } from '@mantine/core';
import { type ReactNode, useRef, useTransition } from 'react';
import { faultOf, isFault } from '../lib/faults.ts';
import { texts } from '../lib/i18n.ts';
import css from './loaded.module.css';

const TEXTS = texts({
  stale: [
    'Could not update this: what you see may be out of date',
    'Não foi possível atualizar: os dados apresentados podem estar desatualizados',
  ],
});

/** The part of a TanStack query that `Loaded` needs. */
export interface QueryView<T> {
  readonly data: T | undefined;
  readonly error: unknown;
  readonly errorUpdatedAt: number;
  /** Of an infinite query: only the next rows could not be loaded. */
  readonly isFetchNextPageError?: boolean;
  refetch(): Promise<unknown>;
}

interface Props<T> {
  readonly query: QueryView<T>;
  /** Shown instead of the children when there are no rows; a function returns null when the data is not empty. */
  readonly empty?: ReactNode | ((data: T) => ReactNode);
  /** Has the size of the content, to avoid layout shifts. */
  readonly skeleton?: ReactNode;
  children(data: T): ReactNode;
}

/**
 * Renders a query: a skeleton while loading, an error panel on failure, otherwise the content, below a panel
 * when it could not be loaded again.
 */
export function Loaded<T>({ query, empty, skeleton, children }: Props<T>) {
  const failure = useFailure(query);
  if (query.data === undefined) {
    if (failure !== null) return <Failed error={failure} onAgain={query.refetch} />;
    return (
      <div role="status" aria-label={TEXTS.loading}>
        {skeleton ?? <LinesSkeleton />}
      </div>
    );
  }
  const instead = typeof empty === 'function' ? empty(query.data) : hasNoRows(query.data) ? empty : undefined;
  return (
    <>
      <Stale query={query} />
      {instead ?? children(query.data)}
    </>
  );
}

/** Returns the error of a query until its next result; without data, the query forgets it while it loads again. */
export function useFailure({ data, error, errorUpdatedAt }: QueryView<unknown>): unknown {
  const last = useRef({ error, errorUpdatedAt });
  if (error !== null) last.current = { error, errorUpdatedAt };
  const isForgotten = data === undefined && last.current.errorUpdatedAt === errorUpdatedAt;
  return isForgotten ? last.current.error : error;
}

/** Says that the data shown could not be loaded again; without a connection, the frame says so. */
export function Stale({ query }: { readonly query: QueryView<unknown> }) {
  const isOffline = isFault(useFailure(query), 'OFFLINE');
  if (query.isFetchNextPageError === true || isOffline) return null;
  return <FailedOnly query={query} title={TEXTS.stale} />;
}

/** Renders nothing unless the query fails, for a section that is often empty. */
export function FailedOnly({
  query,
  title,
}: {
  readonly query: QueryView<unknown>;
  readonly title?: string;
}) {
  const failure = useFailure(query);
  return failure === null ? null : <Failed error={failure} title={title} onAgain={query.refetch} />;
}

interface FailedProps {
  readonly error: unknown;
  readonly title?: string | undefined;
  /** Ends when there is an answer. */
  readonly onAgain: () => Promise<unknown>;
}

/** An error panel with a retry button and the request ID; a low one when it has a title, because content follows. */
export function Failed({ error, title, onAgain }: FailedProps) {
  const fault = faultOf(error);
  const [isTrying, startTrying] = useTransition();
  const isLow = title !== undefined;
  return (
    <div role="alert" className={`${css.notice} ${css.bad} ${isLow ? css.low : ''}`}>
      <div>
        <h2>{title ?? TEXTS.failed}</h2>
        <p>{fault.message}</p>
        {fault.requestId !== null && <Text fz="0.8rem">{TEXTS.requestId(fault.requestId)}</Text>}
      </div>
      <Button
        mt={isLow ? 0 : 12}
        variant="default"
        loading={isTrying}
        onClick={() => startTrying(async () => void (await onAgain()))}
      >
        {TEXTS.again}
      </Button>
    </div>
  );
}

interface LinesSkeletonProps {
  readonly lines?: number;
  /** In pixels. */
  readonly height?: number;
  /** Inside a card without padding. */
  readonly inset?: boolean;
}

/** A skeleton of bars. */
export function LinesSkeleton({ lines = 6, height = 44, inset = false }: LinesSkeletonProps) {
  return (
    <Stack gap={10} {...(inset && { px: { base: 16, sm: 24 }, pt: 14, pb: 22 })}>
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

interface EmptyProps {
  readonly title: string;
  /** Explains what would appear here, and how. */
  readonly children?: ReactNode;
  readonly action?: ReactNode;
  /** Omits the frame, for use inside a card. */
  readonly bare?: boolean;
}

/** The empty state of a list. */
export function Empty({ title, children, action, bare = false }: EmptyProps) {
  return (
    <div className={bare ? `${css.notice} ${css.bare}` : css.notice}>
      <h2>{title}</h2>
      {children !== undefined && <p>{children}</p>}
      {action !== undefined && <Box mt={12}>{action}</Box>}
    </div>
  );
}
