import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import css from '../../ui/list-sum.module.css';
import { ListSum } from '../../ui/list-sum.tsx';
import type { Filters } from './filters.ts';
import { useSum } from './source.ts';
import { TEXTS } from './texts.ts';

/** The count and the sum of the filtered list; with a filter by day of payment, also the rule of the sum. */
export function Sum({ filters }: { readonly filters: Filters }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const total = useSum(filters);
  if (total === undefined || total.more || total.count === 0 || filters.by !== 'paid')
    return <ListSum total={total} counted={words.counted} />;
  const { count, cents } = total;
  return (
    <p className={css.sum}>
      <strong>{words.received(format.euro(cents), format.count(count), count === 1)}</strong>{' '}
      {words.receivedRule}
    </p>
  );
}
