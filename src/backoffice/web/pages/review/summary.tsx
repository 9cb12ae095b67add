import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Time } from '../../ui/time.tsx';
import css from './review.module.css';
import { TEXTS } from './texts.ts';
import type { Totals } from './types.ts';

const SHOWN_MAX = 6;

interface Props {
  readonly totals: Totals;
  readonly onMerchant: (merchant: { merchantId: string; name: string }) => void;
}

/** The total on hold, its age and its merchants. */
export function Summary({ totals, onMerchant }: Props) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchants } = totals;
  const instants = merchants.map((one) => one.oldestPaidAt).filter((at) => at !== null);
  const sure = (text: string) => (totals.complete ? text : words.atLeast(text));
  return (
    <section className={css.summary}>
      <dl className={css.figures}>
        <div>
          <dt>{words.count}</dt>
          <dd>{sure(format.count(totals.count))}</dd>
        </div>
        <div>
          <dt>{words.sum}</dt>
          <dd>{sure(format.euro(totals.amountCents))}</dd>
        </div>
        <div>
          <dt>{words.oldest}</dt>
          <dd>{instants.length === 0 ? '–' : <Time at={Math.min(...instants)} as="ago" />}</dd>
        </div>
      </dl>
      {merchants.length > 1 && (
        <ul className={css.merchants} aria-label={words.byMerchant}>
          {merchants.slice(0, SHOWN_MAX).map(({ merchantId, name, count, amountCents }) => (
            <li key={merchantId}>
              <button type="button" onClick={() => onMerchant({ merchantId, name })}>
                {words.ofMerchant(name, format.count(count), format.euro(amountCents))}
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
