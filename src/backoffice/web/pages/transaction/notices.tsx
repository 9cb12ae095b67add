import { Button } from '@mantine/core';
import { IconAlertTriangle, IconBellOff } from '@tabler/icons-react';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { EVENT_KINDS } from '../../lib/event-kinds.ts';
import { useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { type Delivery, type Detail, missedDeliveries, openFlags, type Receipt } from './data.ts';
import css from './page.module.css';
import { TEXTS } from './texts.ts';
import { errorIn } from './webhook-texts.ts';

type Flag = Receipt['flags'][number];

/** Notices about payments to resolve and undelivered events. */
export function Notices({ detail, operator }: { readonly detail: Detail; readonly operator: boolean }) {
  const flagged = detail.receipts.flatMap((receipt) => openFlags(receipt).map((flag) => ({ receipt, flag })));
  return (
    <>
      {flagged.map(({ receipt, flag }) => (
        <FlagNotice key={`${receipt.receiptId} ${flag}`} {...{ detail, receipt, flag, operator }} />
      ))}
      {missedDeliveries(detail).map((delivery) => (
        <MissedNotice key={delivery.deliveryId} delivery={delivery} />
      ))}
    </>
  );
}

interface FlagProps {
  readonly detail: Detail;
  readonly receipt: Receipt;
  readonly flag: Flag;
  readonly operator: boolean;
}

function FlagNotice({ detail, receipt, flag, operator }: FlagProps) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  const { title, text, todo } = words.flags[flag];
  const apart = Math.abs(receipt.amountCents - detail.amountCents);
  const href = operator ? '/operator/exceptions' : `/m/${detail.merchantId}/exceptions`;
  return (
    <Notice icon={<IconAlertTriangle size={22} aria-hidden />} title={title}>
      <p>{text(format.euro(receipt.amountCents), format.euro(apart))}</p>
      <p className={css.todo}>{todo}</p>
      <div className={css.noticeActions}>
        <Button component={Link} href={href} variant="default">
          {words.exceptions}
        </Button>
      </div>
    </Notice>
  );
}

function MissedNotice({ delivery }: { readonly delivery: Delivery }) {
  const words = useTexts(TEXTS).missed;
  const kinds = useTexts(EVENT_KINDS);
  const { language } = useLanguage();
  const error = delivery.attempts.at(-1)?.error ?? null;
  const skipped = delivery.state === 'skipped';
  return (
    <Notice icon={<IconBellOff size={22} aria-hidden />} title={words.title}>
      <p>{skipped ? words.skipped : words.text(kinds[delivery.kind])}</p>
      {error !== null && <p>{words.why(errorIn(language, error))}</p>}
      <p className={css.todo}>{skipped ? words.skippedTodo : words.todo}</p>
      <div className={css.noticeActions}>
        <Button component="a" href="#webhooks" variant="default">
          {words.toWebhooks}
        </Button>
      </div>
    </Notice>
  );
}

interface NoticeProps {
  readonly icon: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function Notice({ icon, title, children }: NoticeProps) {
  return (
    <section className={css.notice} aria-label={title}>
      <span className={css.noticeIcon}>{icon}</span>
      <div>
        <h2>{title}</h2>
        {children}
      </div>
    </section>
  );
}
