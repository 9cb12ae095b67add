import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { useTRPC } from '../../lib/trpc.ts';
import type { Filters } from './filters.ts';
import { TEXTS } from './texts.ts';
import css from './transactions.module.css';

const FRESH_MS = 15_000;

/** The count and the sum of what the filters show; without a sum when there are too many to count. */
export function Sum({ filters }: { readonly filters: Filters }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const trpc = useTRPC();
  const { merchantId } = useMerchant();
  const query = useQuery(
    trpc.transactions.sum.queryOptions(
      { merchantId, ...filters },
      { refetchInterval: FRESH_MS, placeholderData: keepPreviousData },
    ),
  );
  if (query.data === undefined || query.data.count === 0) return <p className={css.sum}>&nbsp;</p>;
  const { count, cents, more } = query.data;
  if (filters.by === 'paid' && !more) {
    return (
      <p className={css.sum}>
        <strong>{words.received(format.euro(cents), format.count(count), count === 1)}</strong>{' '}
        {words.receivedRule}
      </p>
    );
  }
  if (more) return <p className={css.sum}>{words.sumAtLeast(format.count(count), count === 1)}</p>;
  return (
    <p className={css.sum}>
      {words.sumCount(format.count(count), count === 1)} · <strong>{format.euro(cents)}</strong>
    </p>
  );
}
