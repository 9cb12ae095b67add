import { Group, Text } from '@mantine/core';
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
import { EVENT_NAMES } from '../../lib/event-names.ts';
import { type Format, inThrees, useFormat } from '../../lib/format.ts';
import { useLanguage, useTexts } from '../../lib/i18n.ts';
import { Card } from '../../ui/card.tsx';
import { errorIn } from '../../ui/delivery-texts.ts';
import { StateBadge, type ToneName } from '../../ui/state-badge.tsx';
import { Time } from '../../ui/time.tsx';
import tones from '../../ui/tones.module.css';
import type { Detail, Entry } from './data.ts';
import { TEXTS } from './texts.ts';
import css from './timeline.module.css';
import { TIMELINE_TEXTS } from './timeline-texts.ts';

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
  const { Icon, tone, title, detail } = useStory(entry);
  return (
    <li className={css.row}>
      <span className={`${css.mark} ${tones[tone]}`}>
        <Icon size={15} stroke={2} aria-hidden />
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
  readonly Icon: typeof IconX;
  readonly tone: ToneName;
  readonly title: string;
  readonly detail?: string | null;
}

type Words = typeof TIMELINE_TEXTS.en;
type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

/** A smaller difference between bank time and recording is not shown. */
const NOTEWORTHY_MS = 120_000;
const REFUND_TONES = { requested: 'wait', done: 'quiet', failed: 'bad' } as const;
const DELIVERY_LOOKS = {
  delivered: { Icon: IconSend, tone: 'good' },
  undelivered: { Icon: IconSendOff, tone: 'bad' },
  skipped: { Icon: IconSendOff, tone: 'quiet' },
  due: { Icon: IconSend, tone: 'wait' },
} as const;

/** Returns the text, the icon and the colour of a timeline entry. */
function useStory(entry: Entry): Story {
  const words = useTexts(TIMELINE_TEXTS);
  const kinds = useTexts(EVENT_NAMES);
  const format = useFormat();
  const { language } = useLanguage();
  switch (entry.kind) {
    case 'created':
      return { Icon: IconShoppingBag, tone: 'quiet', title: words.created };
    case 'attempt-begun':
      return entry.method === 'MBWAY'
        ? { Icon: IconDeviceMobile, tone: 'quiet', title: words.pushBegun(inThrees(entry.phoneNumber ?? '')) }
        : { Icon: IconBuildingBank, tone: 'quiet', title: words.referenceBegun };
    case 'attempt-accepted':
      return accepted(entry, words, format);
    case 'attempt-unknown':
      return { Icon: IconQuestionMark, tone: 'warn', title: words.unknown, detail: words.unknownDetail };
    case 'attempt-ended':
      return ended(entry, words);
    case 'receipt':
      return receipt(entry, words, format);
    case 'held':
      return { Icon: IconLock, tone: 'warn', title: words.held, detail: words.heldDetail };
    case 'refund': {
      const title = words.refund[entry.stage](format.euro(entry.amountCents));
      return { Icon: IconReceiptRefund, tone: REFUND_TONES[entry.stage], title };
    }
    case 'action':
      return action(entry, words);
    case 'event': {
      const detail = entry.number === null ? null : words.eventNumber(format.count(entry.number));
      if (entry.event === 'payment.success')
        return { Icon: IconCheck, tone: 'good', title: words.completed, detail };
      const tone = entry.event === 'payment.failed' ? 'bad' : 'quiet';
      return { Icon: IconX, tone, title: kinds[entry.event], detail };
    }
    case 'delivery': {
      const told = delivery(entry, words, kinds[entry.event]);
      const detail = entry.error === null ? told : `${told}. ${errorIn(language, entry.error)}`;
      return { ...DELIVERY_LOOKS[entry.state], title: words.delivery[entry.state], detail };
    }
    case 'note': {
      const title = words.notes[entry.note](entry.author ?? words.platform);
      return {
        Icon: entry.note === 'note' ? IconMessage : IconUser,
        tone: 'quiet',
        title,
        detail: entry.text,
      };
    }
  }
}

function accepted(entry: Of<'attempt-accepted'>, words: Words, format: Format): Story {
  const { entity, reference, expiresAt } = entry;
  if (entry.method === 'MBWAY') {
    const detail = expiresAt === null ? null : words.pushUntil(format.clock(expiresAt));
    return { Icon: IconDeviceMobileCheck, tone: 'wait', title: words.pushAccepted, detail };
  }
  const title = words.referenceAccepted(entity ?? '', inThrees(reference ?? ''));
  const detail = expiresAt === null ? null : words.referenceUntil(format.time(expiresAt));
  return { Icon: IconBuildingBank, tone: 'wait', title, detail };
}

function ended({ ending, reason }: Of<'attempt-ended'>, words: Words): Story {
  const title = words.endings[ending];
  const detail = reason === null ? null : words.reasons[reason];
  return ending === 'lapsed' || ending === 'expired'
    ? { Icon: IconClockX, tone: 'quiet', title, detail }
    : { Icon: IconHandStop, tone: 'bad', title, detail };
}

function receipt({ at, paidAt, amountCents, flags }: Of<'receipt'>, words: Words, format: Format): Story {
  const title = words.receipt(format.euro(amountCents));
  const detail = at - paidAt < NOTEWORTHY_MS ? null : words.receiptPaid(format.time(paidAt));
  return { Icon: IconCoinEuro, tone: flags.length === 0 ? 'good' : 'warn', title, detail };
}

function action({ action: what, author }: Of<'action'>, words: Words): Story {
  const who = author ?? words.platform;
  const { actions } = words;
  switch (what) {
    case 'transaction.released':
      return { Icon: IconUser, tone: 'quiet', title: actions.released(who) };
    case 'transaction.credited':
      return { Icon: IconUser, tone: 'quiet', title: actions.credited(who), detail: actions.creditedDetail };
    case 'delivery.resent':
      return { Icon: IconArrowBackUp, tone: 'quiet', title: actions.resent(who) };
    default:
      return { Icon: IconUser, tone: 'quiet', title: actions.other(what, who) };
  }
}

function delivery({ attemptsCount, status, error }: Of<'delivery'>, words: Words, event: string): string {
  const parts = [attemptsCount === 0 ? event : words.tried(event, words.attempts(attemptsCount))];
  if (status !== null && error === null) parts.push(words.answered(status));
  return parts.join(', ');
}
