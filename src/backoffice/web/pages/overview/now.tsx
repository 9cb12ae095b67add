import { Anchor } from '@mantine/core';
import { Link } from 'wouter';
import type { Overview } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { Card } from '../../ui/card.tsx';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

const METHOD_NAMES = { MBWAY: 'MB WAY', REFERENCE: 'Multibanco' } as const;

/** The conversion rate of each method. */
export function Conversion({ conversion }: { readonly conversion: Overview['conversion'] }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  return (
    <Card title={words.conversion}>
      <ul className={css.conversion}>
        {conversion.map(({ method, begun, paid, share }) => (
          <li key={method}>
            <div className={css.share}>
              <span className={css.method}>{METHOD_NAMES[method]}</span>
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
    <Card title={words.pending}>
      <p className={css.amount}>{format.euro(pending.cents)}</p>
      <p className={css.payments}>
        {pending.count === 0
          ? words.pendingNone
          : words.pendingCount(format.count(pending.count), pending.count === 1)}
      </p>
      {pending.count > 0 && (
        <Anchor
          component={Link}
          href={`/m/${merchantId}/transactions?state=pending`}
          mt="sm"
          display="inline-block"
        >
          {words.showPending}
        </Anchor>
      )}
    </Card>
  );
}
