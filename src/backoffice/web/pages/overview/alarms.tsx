import { Button } from '@mantine/core';
import { IconCoinEuro } from '@tabler/icons-react';
import { Link } from 'wouter';
import type { Overview } from '../../../overview/show.ts';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { useMerchant } from '../../lib/session.ts';
import { Alarm } from '../../ui/alarm.tsx';
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
          title={
            missed.more
              ? words.undeliveredMany(format.count(missed.events))
              : words.undelivered(format.count(missed.events), missed.events === 1)
          }
          action={
            <Button component={Link} href={`/m/${merchantId}/webhook?state=missed`} variant="default">
              {words.undeliveredDo}
            </Button>
          }
        >
          <p>{words.undeliveredWhy(format.time(missed.since), missed.events === 1)}</p>
        </Alarm>
      )}
      {exceptions > 0 && (
        <Alarm
          tone="warn"
          Icon={IconCoinEuro}
          title={
            exceptions >= COUNTED_MAX
              ? words.exceptionsMany
              : words.exceptions(format.count(exceptions), exceptions === 1)
          }
          action={
            <Button component={Link} href={`/m/${merchantId}/exceptions`} variant="default">
              {words.exceptionsDo}
            </Button>
          }
        >
          <p>{words.exceptionsWhy}</p>
        </Alarm>
      )}
    </>
  );
}
