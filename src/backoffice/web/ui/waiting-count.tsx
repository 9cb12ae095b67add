import { useQuery } from '@tanstack/react-query';
import { countText } from '../lib/format.ts';
import { texts } from '../lib/i18n.ts';
import { trpc } from '../lib/trpc.ts';
import css from './waiting-count.module.css';

const TEXTS = texts({
  cases: [(count: string) => `${count} to resolve`, (count) => `${count} por regularizar`],
  held: [(count: string) => `${count} on hold`, (count) => `${count} por libertar`],
  refunds: [(count: string) => `${count} to settle`, (count) => `${count} por concluir`],
});
const FRESH_EVERY_MS = 60_000;

/** The number of open cases of this merchant, or of all for the operator; renders nothing at zero. */
export function CasesCount({ merchantId }: { readonly merchantId: string | null }) {
  const options = { refetchInterval: FRESH_EVERY_MS };
  const query = useQuery(trpc.exceptions.counts.queryOptions({ merchantId }, options));
  return <Pill total={query.data} failed={query.errorUpdateCount > 0} what="cases" />;
}

export function HeldCount() {
  const query = useQuery(trpc.review.totals.queryOptions(undefined, { refetchInterval: FRESH_EVERY_MS }));
  const { data, errorUpdateCount } = query;
  const total = data && { count: data.count, more: !data.complete };
  return <Pill total={total} failed={errorUpdateCount > 0} what="held" />;
}

/** The number of refunds that wait for the operator. */
export function RefundsCount() {
  const options = { refetchInterval: FRESH_EVERY_MS };
  const query = useQuery(trpc.refunds.sum.queryOptions({ merchantId: null, queue: true }, options));
  return <Pill total={query.data} failed={query.errorUpdateCount > 0} what="refunds" />;
}

interface PillProps {
  readonly total: { readonly count: number; readonly more: boolean } | undefined;
  readonly failed: boolean;
  readonly what: 'cases' | 'held' | 'refunds';
}

/** Without a total because it could not be loaded, a question mark: no pill means that there is no work. */
function Pill({ total, failed, what }: PillProps) {
  if (total === undefined && failed) {
    return (
      <span className={css.pill} title={TEXTS.failed}>
        ?
      </span>
    );
  }
  if (total === undefined || total.count === 0) return null;
  const text = countText(total);
  return (
    <span className={css.pill} title={TEXTS[what](text)}>
      {text}
    </span>
  );
}
