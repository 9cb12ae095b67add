import { Link } from 'wouter';
import { dayAfter } from '../../../../kernel/lisbon.ts';
import type { Overview } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import card from '../../ui/card.module.css';
import { Card } from '../../ui/card.tsx';
import { paidSince } from './lists.ts';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

const CONVERSION_DAYS = 30;
const METHOD_NAMES = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const;

/** The conversion rate of each method. */
export function Conversion({ conversion, today }: Pick<Overview, 'conversion' | 'today'>) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchantId } = useMerchant();
  return (
    <Card title={words.conversion}>
      <ul className={css.conversion}>
        {conversion.map(({ method, begun, paid, share }) => (
          <li key={method}>
            <div className={css.share}>
              <Link
                href={paidSince(merchantId, dayAfter(today, 1 - CONVERSION_DAYS), method)}
                className={`${css.method} ${card.over}`}
              >
                {METHOD_NAMES[method]}
              </Link>
              <span className={css.percent}>{share === null ? '–' : format.percent(share)}</span>
            </div>
            <div className={css.track} aria-hidden>
              <div
                className={method === 'MBWAY' ? css.mbway : css.reference}
                style={{ width: `${(share ?? 0) * 100}%` }}
              />
            </div>
            <p className={css.small}>
              {begun === 0
                ? words.noneBegun
                : `${words.conversionOf(format.count(paid), format.count(begun))}, ${
                    method === 'MBWAY' ? words.mbwayBegun : words.referenceBegun
                  }`}
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** Pending payments. */
export function Pending({ pending }: { readonly pending: Overview['pending'] }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchantId } = useMerchant();
  return (
    <Card title={words.pending} href={`/m/${merchantId}/transactions?state=pending`}>
      <p className={css.amount}>{format.euro(pending.cents)}</p>
      <p className={css.payments}>
        {pending.count === 0
          ? words.pendingNone
          : words.pendingCount(format.count(pending.count), pending.count === 1)}
      </p>
    </Card>
  );
}
