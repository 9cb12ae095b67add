import { IconArrowDownRight, IconArrowUpRight } from '@tabler/icons-react';
import { useId } from 'react';
import { Link } from 'wouter';
import { dayAfter } from '../../../../kernel/lisbon.ts';
import type { Overview } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import card from '../../ui/card.module.css';
import hiding from '../../ui/unseen.module.css';
import { paidSince } from './lists.ts';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

type Span = Overview['taken'][number];

/** Sales of a period and of the period before it. */
export function TakenCard({ taken, today }: { readonly taken: Span; readonly today: string }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchantId } = useMerchant();
  const id = useId();
  const { days, now, before } = taken;
  const amountBefore = format.euro(before.cents);
  return (
    <section className={css.money} aria-labelledby={id}>
      <h2 id={id}>
        <Link href={paidSince(merchantId, dayAfter(today, 1 - days))} className={card.over}>
          {words.days[days]}
        </Link>
      </h2>
      <p className={css.amount}>{format.euro(now.cents)}</p>
      <p className={css.payments}>{words.payments(format.count(now.count), now.count === 1)}</p>
      <p className={css.before}>
        <span>{days === 1 ? words.yesterday(amountBefore) : words.before(days, amountBefore)}</span>
        {/* Today is incomplete, so it is not compared. */}
        {days !== 1 && <Change now={now.cents} before={before.cents} />}
      </p>
    </section>
  );
}

function Change({ now, before }: { readonly now: number; readonly before: number }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  if (before === 0) return null;
  const share = format.percent(Math.abs(Math.round((now / before - 1) * 100)) / 100);
  const more = now >= before;
  const said = now === before ? words.same : more ? words.more(share) : words.less(share);
  return (
    <span className={more ? css.up : css.down} title={said}>
      {more ? <IconArrowUpRight size={16} aria-hidden /> : <IconArrowDownRight size={16} aria-hidden />}
      <span aria-hidden>{share}</span>
      <span className={hiding.unseen}>{said}</span>
    </span>
  );
}
