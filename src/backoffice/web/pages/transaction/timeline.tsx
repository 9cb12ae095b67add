import { Group, Text } from '@mantine/core';
import { Fragment } from 'react';
import {
  TbArrowBackUp,
  TbBuildingBank,
  TbCheck,
  TbClockX,
  TbCoinEuro,
  TbDeviceMobile,
  TbDeviceMobileCheck,
  TbHandStop,
  TbLock,
  TbMessage,
  TbQuestionMark,
  TbReceiptRefund,
  TbSend,
  TbSendOff,
  TbShoppingBag,
  TbUser,
  TbX,
} from 'react-icons/tb';
import { EVENT_NAMES } from '../../lib/event-names.ts';
import { format, inThrees } from '../../lib/format.ts';
import { Card } from '../../ui/card.tsx';
import { attemptError } from '../../ui/delivery-texts.ts';
import { StateBadge, type ToneName } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import tones from '../../ui/tones.module.css';
import type { Detail, Entry } from './data.ts';
import { TEXTS } from './texts.ts';
import css from './timeline.module.css';
import { TIMELINE_TEXTS } from './timeline-texts.ts';

export function Timeline({ detail }: { readonly detail: Detail }) {
  let day = '';
  return (
    <Card title={TEXTS.timeline}>
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
  const { Icon, tone, title, detail } = storyOf(entry);
  return (
    <li className={css.row}>
      <span className={`${css.mark} ${tones[tone]}`}>
        <Icon size={15} strokeWidth={2} aria-hidden />
      </span>
      <Group align="baseline" gap="2px 8px" pt={3} miw={0}>
        <span className={css.title}>{title}</span>
        {entry.kind === 'receipt' && entry.flags.map((flag) => <StateBadge key={flag} state={flag} />)}
        {detail && <span className={css.detail}>{detail}</span>}
      </Group>
      <Text span c="dimmed" fz="0.85rem" pt={5}>
        <Time at={entry.at} as="clock" />
      </Text>
    </li>
  );
}

/** How the timeline shows an entry. */
interface Story {
  readonly Icon: typeof TbX;
  readonly tone: ToneName;
  readonly title: string;
  readonly detail?: string | null;
}

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** A smaller difference between bank time and recording is not shown. */
const NOTEWORTHY_MS = 120_000;
const REFUND_TONES = { requested: 'wait', done: 'quiet', failed: 'bad' } as const;
const DELIVERY_LOOKS = {
  delivered: { Icon: TbSend, tone: 'good' },
  undelivered: { Icon: TbSendOff, tone: 'bad' },
  skipped: { Icon: TbSendOff, tone: 'quiet' },
  due: { Icon: TbSend, tone: 'wait' },
} as const;

/** Returns the text, the icon and the colour of a timeline entry. */
function storyOf(entry: Entry): Story {
  switch (entry.kind) {
    case 'created':
      return { Icon: TbShoppingBag, tone: 'quiet', title: TIMELINE_TEXTS.created };
    case 'attempt-begun':
      return entry.method === 'MBWAY'
        ? {
            Icon: TbDeviceMobile,
            tone: 'quiet',
            title: TIMELINE_TEXTS.pushBegun(inThrees(entry.phoneNumber ?? '')),
          }
        : { Icon: TbBuildingBank, tone: 'quiet', title: TIMELINE_TEXTS.referenceBegun };
    case 'attempt-accepted':
      return accepted(entry);
    case 'attempt-unknown':
      return {
        Icon: TbQuestionMark,
        tone: 'warn',
        title: TIMELINE_TEXTS.unknown,
        detail: TIMELINE_TEXTS.unknownDetail,
      };
    case 'attempt-ended':
      return ended(entry);
    case 'receipt':
      return receipt(entry);
    case 'held':
      return { Icon: TbLock, tone: 'warn', title: TIMELINE_TEXTS.held, detail: TIMELINE_TEXTS.heldDetail };
    case 'refund': {
      const title = TIMELINE_TEXTS.refund[entry.stage](format.euro(entry.amountCents));
      return { Icon: TbReceiptRefund, tone: REFUND_TONES[entry.stage], title };
    }
    case 'action':
      return action(entry);
    case 'event': {
      const detail = entry.number === null ? null : TIMELINE_TEXTS.eventNumber(format.count(entry.number));
      if (entry.event === 'payment.success')
        return { Icon: TbCheck, tone: 'good', title: TIMELINE_TEXTS.completed, detail };
      const tone = entry.event === 'payment.failed' ? 'bad' : 'quiet';
      return { Icon: TbX, tone, title: EVENT_NAMES[entry.event], detail };
    }
    case 'delivery': {
      const told = delivery(entry, EVENT_NAMES[entry.event]);
      const detail = entry.error === null ? told : `${told}. ${attemptError(entry.error)}`;
      return { ...DELIVERY_LOOKS[entry.state], title: TIMELINE_TEXTS.delivery[entry.state], detail };
    }
    case 'note': {
      const title = TIMELINE_TEXTS.notes[entry.note](entry.author ?? TIMELINE_TEXTS.platform);
      return {
        Icon: entry.note === 'note' ? TbMessage : TbUser,
        tone: 'quiet',
        title,
        detail: entry.text,
      };
    }
  }
}

function accepted(entry: Of<'attempt-accepted'>): Story {
  const { entity, reference, expiresAt } = entry;
  if (entry.method === 'MBWAY') {
    const detail = expiresAt === null ? null : TIMELINE_TEXTS.pushUntil(format.clock(expiresAt));
    return { Icon: TbDeviceMobileCheck, tone: 'wait', title: TIMELINE_TEXTS.pushAccepted, detail };
  }
  const title = TIMELINE_TEXTS.referenceAccepted(entity ?? '', inThrees(reference ?? ''));
  const detail = expiresAt === null ? null : TIMELINE_TEXTS.referenceUntil(format.time(expiresAt));
  return { Icon: TbBuildingBank, tone: 'wait', title, detail };
}

function ended({ ending, reason }: Of<'attempt-ended'>): Story {
  const title = TIMELINE_TEXTS.endings[ending];
  const detail = reason === null ? null : TIMELINE_TEXTS.reasons[reason];
  return ending === 'lapsed' || ending === 'expired'
    ? { Icon: TbClockX, tone: 'quiet', title, detail }
    : { Icon: TbHandStop, tone: 'bad', title, detail };
}

function receipt({ at, paidAt, amountCents, flags }: Of<'receipt'>): Story {
  const title = TIMELINE_TEXTS.receipt(format.euro(amountCents));
  const detail = at - paidAt < NOTEWORTHY_MS ? null : TIMELINE_TEXTS.receiptPaid(format.time(paidAt));
  return { Icon: TbCoinEuro, tone: flags.length === 0 ? 'good' : 'warn', title, detail };
}

function action({ action: what, author }: Of<'action'>): Story {
  const who = author ?? TIMELINE_TEXTS.platform;
  const { actions } = TIMELINE_TEXTS;
  switch (what) {
    case 'transaction.released':
      return { Icon: TbUser, tone: 'quiet', title: actions.released(who) };
    case 'transaction.credited':
      return { Icon: TbUser, tone: 'quiet', title: actions.credited(who), detail: actions.creditedDetail };
    case 'delivery.resent':
      return { Icon: TbArrowBackUp, tone: 'quiet', title: actions.resent(who) };
    default:
      return { Icon: TbUser, tone: 'quiet', title: actions.other(what, who) };
  }
}

function delivery({ attemptsCount, status, error }: Of<'delivery'>, event: string): string {
  const parts = [
    attemptsCount === 0 ? event : TIMELINE_TEXTS.tried(event, TIMELINE_TEXTS.attempts(attemptsCount)),
  ];
  if (status !== null && error === null) parts.push(TIMELINE_TEXTS.answered(status));
  return parts.join(', ');
}
