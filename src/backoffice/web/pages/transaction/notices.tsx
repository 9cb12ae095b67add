import { Button } from '@mantine/core';
import { TbBellOff } from 'react-icons/tb';
import { Link } from 'wouter';
import { EVENT_NAMES } from '../../lib/event-names.ts';
import { format } from '../../lib/format.ts';
import { usePageBase } from '../../lib/session.ts';
import { Alarm } from '../../ui/alarm.tsx';
import { attemptError, DELIVERY_TEXTS } from '../../ui/delivery-texts.ts';
import { type Delivery, type Detail, missedDeliveries, openFlags, type Receipt } from './data.ts';
import { TEXTS } from './texts.ts';

type Flag = Receipt['flags'][number];

/** Notices about payments to resolve and undelivered events. */
export function Notices({ detail }: { readonly detail: Detail }) {
  // The money of a sale on hold waits for its release, as the summary says.
  const receipts = detail.held ? [] : detail.receipts;
  const parts = receipts.filter((receipt) => openFlags(receipt).includes('under'));
  const flagged = receipts
    .filter((receipt) => !parts.includes(receipt))
    .flatMap((receipt) => shownFlags(receipt).map((flag) => ({ receipt, flag })));
  return (
    <>
      {parts.length > 0 && <PartsNotice detail={detail} parts={parts} />}
      {flagged.map(({ receipt, flag }) => (
        <FlagNotice key={`${receipt.receiptId} ${flag}`} detail={detail} receipt={receipt} flag={flag} />
      ))}
      {missedDeliveries(detail).map((delivery) => (
        <MissedNotice key={delivery.deliveryId} delivery={delivery} />
      ))}
    </>
  );
}

/** A late duplicate paid a second transaction of its order, and is returned whole. */
function shownFlags(receipt: Receipt): readonly Flag[] {
  const flags = openFlags(receipt);
  return flags.includes('late') && flags.includes('duplicate') ? ['duplicate'] : flags;
}

interface PartsProps {
  readonly detail: Detail;
  readonly parts: readonly Receipt[];
}

/** All part payments together. */
function PartsNotice({ detail, parts }: PartsProps) {
  const { under, duplicate } = TEXTS.flags;
  const sum = parts.reduce((total, { amountCents }) => total + amountCents, 0);
  const missing = detail.amountCents - sum;
  const [text, todo] =
    detail.status === 'paid'
      ? [under.paidOtherwise(format.euro(sum)), duplicate.todo]
      : missing > 0
        ? [under.text(format.euro(sum), format.euro(missing)), under.todo]
        : [under.covered(format.euro(sum)), under.coveredTodo];
  return <CaseNotice title={under.title} text={text} todo={todo} />;
}

interface FlagProps {
  readonly detail: Detail;
  readonly receipt: Receipt;
  readonly flag: Flag;
}

function FlagNotice({ detail, receipt, flag }: FlagProps) {
  const { title, text, todo } = TEXTS.flags[flag];
  const { paidTwice } = TEXTS.flags.duplicate;
  const isSecond = flag === 'duplicate' && receipt.flags.includes('late');
  const apart = Math.abs(receipt.amountCents - detail.amountCents);
  const sum = format.euro(receipt.amountCents);
  const said = isSecond ? paidTwice(sum) : text(sum, format.euro(apart));
  return <CaseNotice title={title} text={said} todo={todo} />;
}

interface CaseProps {
  readonly title: string;
  readonly text: string;
  readonly todo: string;
}

function CaseNotice({ title, text, todo }: CaseProps) {
  const href = `${usePageBase()}/exceptions`;
  return (
    <Alarm
      tone="warn"
      title={title}
      action={
        <Button component={Link} href={href} variant="default">
          {TEXTS.exceptions}
        </Button>
      }
    >
      <p>{text}</p>
      <p>
        <strong>{todo}</strong>
      </p>
    </Alarm>
  );
}

function MissedNotice({ delivery }: { readonly delivery: Delivery }) {
  const words = TEXTS.missed;
  const skipped =
    delivery.origin === 'recovery'
      ? { text: DELIVERY_TEXTS.recoverySkipped, todo: words.recoverySkippedTodo }
      : { text: words.skipped, todo: words.skippedTodo };
  const undelivered = { text: words.text(EVENT_NAMES[delivery.kind]), todo: words.todo };
  const { text, todo } = delivery.state === 'skipped' ? skipped : undelivered;
  return (
    <Alarm
      tone="warn"
      Icon={TbBellOff}
      title={words.title}
      action={
        <Button component="a" href="#webhooks" variant="default">
          {words.toWebhooks}
        </Button>
      }
    >
      <p>{text}</p>
      {delivery.error !== null && <p>{words.why(attemptError(delivery.error))}</p>}
      <p>
        <strong>{todo}</strong>
      </p>
    </Alarm>
  );
}
