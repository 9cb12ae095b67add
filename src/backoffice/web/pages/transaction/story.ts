import { EVENT_KINDS } from '../../lib/event-kinds.ts';
import { type Format, useFormat } from '../../lib/format.ts';
import { type Language, useLanguage, useTexts } from '../../lib/i18n.ts';
import { errorIn } from '../../ui/delivery-texts.ts';
import { type Entry, inThrees } from './data.ts';
import { TIMELINE_TEXTS } from './timeline-texts.ts';

export interface Story {
  title: string;
  detail: string | null;
}

type Words = typeof TIMELINE_TEXTS.en | typeof TIMELINE_TEXTS.pt;

/** A smaller difference between bank time and recording is not shown. */
const NOTEWORTHY_MS = 120_000;

/** Returns the text of a timeline entry. */
export function useStory(entry: Entry): Story {
  const words = useTexts(TIMELINE_TEXTS);
  const kinds = useTexts(EVENT_KINDS);
  const format = useFormat();
  const { language } = useLanguage();
  if (entry.kind === 'delivery') return delivery(entry, words, kinds[entry.event], language);
  return storyOf(entry, words, kinds, format);
}

function storyOf(
  entry: Exclude<Entry, { kind: 'delivery' }>,
  words: Words,
  kinds: typeof EVENT_KINDS.en,
  format: Format,
): Story {
  switch (entry.kind) {
    case 'created':
      return { title: words.created, detail: null };
    case 'attempt-begun':
      return entry.method === 'MBWAY'
        ? { title: words.pushBegun(inThrees(entry.phoneNumber ?? '')), detail: null }
        : { title: words.referenceBegun, detail: null };
    case 'attempt-accepted':
      return accepted(entry, words, format);
    case 'attempt-unknown':
      return { title: words.unknown, detail: words.unknownDetail };
    case 'attempt-ended':
      return {
        title: words.endings[entry.ending],
        detail: entry.reason === null ? null : words.reasons[entry.reason],
      };
    case 'receipt':
      return {
        title: words.receipt(format.euro(entry.amountCents)),
        detail: entry.at - entry.paidAt < NOTEWORTHY_MS ? null : words.receiptPaid(format.time(entry.paidAt)),
      };
    case 'held':
      return { title: words.held, detail: words.heldDetail };
    case 'refund':
      return { title: words.refund[entry.stage](format.euro(entry.amountCents)), detail: null };
    case 'action':
      return action(entry, words);
    case 'event':
      return {
        title: entry.event === 'payment.success' ? words.completed : kinds[entry.event],
        detail: entry.number === null ? null : words.eventNumber(format.count(entry.number)),
      };
    case 'note':
      return { title: words.notes[entry.note](entry.author ?? words.platform), detail: entry.text || null };
  }
}

type Of<K extends Entry['kind']> = Extract<Entry, { kind: K }>;

function accepted(entry: Of<'attempt-accepted'>, words: Words, format: Format): Story {
  const { entity, reference, expiresAt } = entry;
  if (entry.method === 'MBWAY') {
    const detail = expiresAt === null ? null : words.pushUntil(format.clock(expiresAt));
    return { title: words.pushAccepted, detail };
  }
  return {
    title: words.referenceAccepted(entity ?? '', inThrees(reference ?? '')),
    detail: expiresAt === null ? null : words.referenceUntil(format.time(expiresAt)),
  };
}

function action({ action: what, author }: Of<'action'>, words: Words): Story {
  const who = author ?? words.platform;
  switch (what) {
    case 'transaction.released':
      return { title: words.actions.released(who), detail: null };
    case 'transaction.credited':
      return { title: words.actions.credited(who), detail: words.actions.creditedDetail };
    case 'delivery.resent':
      return { title: words.actions.resent(who), detail: null };
    default:
      return { title: words.actions.other(what, who), detail: null };
  }
}

function delivery(
  { state, attemptsCount, status, error }: Of<'delivery'>,
  words: Words,
  event: string,
  language: Language,
): Story {
  const parts = [attemptsCount === 0 ? event : words.tried(event, words.attempts(attemptsCount))];
  if (status !== null && error === null) parts.push(words.answered(status));
  const said = parts.join(', ');
  return {
    title: words.delivery[state],
    detail: error === null ? said : `${said}. ${errorIn(language, error)}`,
  };
}
