import { Button } from '@mantine/core';
import { IconAlertTriangle, IconCoinEuro } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Overview } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import css from './overview.module.css';
import { TEXTS } from './texts.ts';

/** The server stops counting at this limit. */
const COUNTED_MAX = 1_000;

/** Open issues; renders nothing when there are none. */
export function Alarms({ overview }: { readonly overview: Overview }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { merchantId } = useMerchant();
  const { missed, exceptions } = overview;
  return (
    <>
      {missed !== null && (
        <Alarm
          tone={missed.many ? 'bad' : 'warn'}
          icon={<IconAlertTriangle size={22} aria-hidden />}
          title={
            missed.more
              ? words.undeliveredMany(format.count(missed.events))
              : words.undelivered(format.count(missed.events), missed.events === 1)
          }
          why={words.undeliveredWhy(format.time(missed.since), missed.events === 1)}
          href={`/m/${merchantId}/webhook?state=missed`}
          action={words.undeliveredDo}
        />
      )}
      {exceptions > 0 && (
        <Alarm
          tone="warn"
          icon={<IconCoinEuro size={22} aria-hidden />}
          title={
            exceptions >= COUNTED_MAX
              ? words.exceptionsMany
              : words.exceptions(format.count(exceptions), exceptions === 1)
          }
          why={words.exceptionsWhy}
          href={`/m/${merchantId}/exceptions`}
          action={words.exceptionsDo}
        />
      )}
    </>
  );
}

interface Props {
  readonly tone: 'bad' | 'warn';
  readonly icon: ReactNode;
  readonly title: string;
  readonly why: string;
  readonly href: string;
  readonly action: string;
}

function Alarm({ tone, icon, title, why, href, action }: Props) {
  return (
    <section className={`${css.alarm} ${css[tone]}`} aria-label={title}>
      <span className={css.alarmIcon}>{icon}</span>
      <div className={css.alarmText}>
        <h2>{title}</h2>
        <p>{why}</p>
      </div>
      <Button component={Link} href={href} variant="default">
        {action}
      </Button>
    </section>
  );
}
