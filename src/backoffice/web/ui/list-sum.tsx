import { useFormat } from '../lib/format.ts';
import { texts, useTexts } from '../lib/i18n.ts';
import css from './list-sum.module.css';

const TEXTS = texts({
  en: { atLeast: (counted: string) => `At least ${counted}` },
  pt: { atLeast: (counted) => `Pelo menos ${counted}` },
});

interface Props {
  /** Undefined while loading. With `more` there are rows that were not counted. */
  readonly total: { readonly count: number; readonly cents?: number; readonly more: boolean } | undefined;
  /** Returns the count with its noun: `12 leads`. */
  readonly counted: (count: string, one: boolean) => string;
  /** Inside a card without padding. */
  readonly inset?: boolean;
}

/**
 * The bar over a list: the count of the filtered rows and, if the list has one, their sum. Omits the sum when there are too many
 * rows to count.
 */
export function ListSum({ total, counted, inset = false }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const look = inset ? `${css.sum} ${css.inset}` : css.sum;
  if (total === undefined || total.count === 0) return <p className={look}>&nbsp;</p>;
  const { count, cents, more } = total;
  const text = counted(format.count(count), count === 1);
  if (more) return <p className={look}>{words.atLeast(text)}</p>;
  return (
    <p className={look}>
      {text}
      {cents !== undefined && (
        <>
          {' '}
          · <strong>{format.euro(cents)}</strong>
        </>
      )}
    </p>
  );
}
