import {
  IconArrowBackUp,
  IconBuildingBank,
  IconCheck,
  IconClockX,
  IconCoinEuro,
  IconDeviceMobile,
  IconDeviceMobileCheck,
  IconHandStop,
  IconLock,
  IconMessage,
  IconQuestionMark,
  IconReceiptRefund,
  IconSend,
  IconSendOff,
  IconShoppingBag,
  IconUser,
  IconX,
} from '@tabler/icons-react';
import { Fragment } from 'react';
import { useFormat } from '../../lib/format.ts';
import { useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { StateBadge } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import type { Detail, Entry } from './data.ts';
import { useStory } from './story.ts';
import { TEXTS } from './texts.ts';
import css from './timeline.module.css';

/** The timeline of a transaction. */
export function Timeline({ detail }: { readonly detail: Detail }) {
  const words = useTexts(TEXTS);
  const format = useFormat();
  let day = '';
  return (
    <Card title={words.timeline}>
      <ol>
        {detail.timeline.map((entry) => {
          const date = format.date(entry.at);
          const heading = date === day ? null : date;
          day = date;
          return (
            <Fragment key={entry.key}>
              {heading !== null && (
                <li className={css.day}>
                  <span>{heading}</span>
                </li>
              )}
              <Row entry={entry} />
            </Fragment>
          );
        })}
      </ol>
    </Card>
  );
}

function Row({ entry }: { readonly entry: Entry }) {
  const { title, detail } = useStory(entry);
  const { Icon, tone } = lookOf(entry);
  return (
    <li className={css.row}>
      <span className={`${css.mark} ${css[tone]}`}>
        <Icon size={15} stroke={2} aria-hidden />
      </span>
      <div className={css.what}>
        <span className={css.title}>{title}</span>
        {entry.kind === 'receipt' && entry.flags.map((flag) => <StateBadge key={flag} state={flag} />)}
        {detail !== null && <span className={css.detail}>{detail}</span>}
      </div>
      <span className={css.time}>
        <Time at={entry.at} as="clock" />
      </span>
    </li>
  );
}

type Tone = 'good' | 'bad' | 'warn' | 'wait' | 'quiet';
type Icon = typeof IconX;

interface Look {
  Icon: Icon;
  tone: Tone;
}

const REFUND_TONES = { requested: 'wait', done: 'quiet', failed: 'bad' } as const;

/** The icon and colour of each timeline entry. */
function lookOf(entry: Entry): Look {
  switch (entry.kind) {
    case 'created':
      return { Icon: IconShoppingBag, tone: 'quiet' };
    case 'attempt-begun':
      return { Icon: entry.method === 'MBWAY' ? IconDeviceMobile : IconBuildingBank, tone: 'quiet' };
    case 'attempt-accepted':
      return { Icon: entry.method === 'MBWAY' ? IconDeviceMobileCheck : IconBuildingBank, tone: 'wait' };
    case 'attempt-unknown':
      return { Icon: IconQuestionMark, tone: 'warn' };
    case 'attempt-ended':
      return entry.ending === 'lapsed' || entry.ending === 'expired'
        ? { Icon: IconClockX, tone: 'quiet' }
        : { Icon: IconHandStop, tone: 'bad' };
    case 'receipt':
      return { Icon: IconCoinEuro, tone: entry.flags.length === 0 ? 'good' : 'warn' };
    case 'held':
      return { Icon: IconLock, tone: 'warn' };
    case 'refund':
      return { Icon: IconReceiptRefund, tone: REFUND_TONES[entry.stage] };
    case 'action':
      return { Icon: entry.action === 'delivery.resent' ? IconArrowBackUp : IconUser, tone: 'quiet' };
    case 'event':
      return entry.event === 'payment.success'
        ? { Icon: IconCheck, tone: 'good' }
        : { Icon: IconX, tone: entry.event === 'payment.failed' ? 'bad' : 'quiet' };
    case 'delivery':
      return deliveryLook(entry.state);
    case 'note':
      return { Icon: entry.note === 'note' ? IconMessage : IconUser, tone: 'quiet' };
  }
}

function deliveryLook(state: Extract<Entry, { kind: 'delivery' }>['state']): Look {
  switch (state) {
    case 'delivered':
      return { Icon: IconSend, tone: 'good' };
    case 'undelivered':
      return { Icon: IconSendOff, tone: 'bad' };
    case 'skipped':
      return { Icon: IconSendOff, tone: 'quiet' };
    case 'due':
      return { Icon: IconSend, tone: 'wait' };
  }
}
