import type { SendMailOptions } from 'nodemailer';
import { DAY_MS, HOUR_MS } from '../../../src/kernel/clock.ts';
import { emailOf, readerOf } from '../calls.ts';
import type { Service } from '../service.ts';
import {
  attemptsOf,
  type DeliveryView,
  isOfLink,
  isSold,
  type MailView,
  othersOfSession,
  type Snapshot,
  type TransactionView,
} from '../snapshot.ts';
import type { World } from '../world.ts';
import { type ChangeChecks, moves } from './change.ts';
import type { EndChecks } from './end.ts';

const LAST_WAIT_MS = HOUR_MS;

export const MAIL_CHECKS: ChangeChecks = {
  *'a mail is queued in the unit that causes it'({ before, after, now, world }) {
    const queued = new Set([...after.mails.values()].map(({ kind, entity }) => `${kind} ${entity}`));
    const due: string[] = [];
    for (const row of after.transactions.values()) {
      const isNew = row.status === 'paid' && before.transactions.get(row.id)?.status !== 'paid';
      if (isNew && wantsMail(after, row)) due.push(`payment-receipt ${row.id}`);
    }
    for (const { id, transaction_id, method, state, expires_at } of after.attempts.values()) {
      const row = after.transactions.get(transaction_id);
      const isFresh = method === 'REFERENCE' && state === 'open' && before.attempts.get(id)?.state !== 'open';
      if (!isFresh || row === undefined || !wantsMail(after, row)) continue;
      due.push(`multibanco-instructions ${row.id}`);
      if ((expires_at ?? 0) - world.scenario.settings.mailReminderMs > now)
        due.push(`multibanco-reminder ${row.id}`);
    }
    for (const row of after.receipts.values()) {
      const isFlagged = row.unmatched + row.duplicate + row.under + row.over > 0;
      const wasHeld = before.transactions.get(row.transaction_id ?? '')?.held === 1;
      // The alert about the money of a held sale waits for the release.
      const isHeld = after.transactions.get(row.transaction_id ?? '')?.held === 1;
      if (isFlagged && !isHeld && (wasHeld || !before.receipts.has(row.id)))
        due.push(`alert-money ${row.id}`);
    }
    for (const mail of due) if (!queued.has(mail)) yield `${mail} is missing`;
    for (const { id, state, kind: event, merchant_id } of after.deliveries.values()) {
      const isLost = state === 'undelivered' && before.deliveries.get(id)?.state === 'due';
      if (!isLost || event === 'webhook.test') continue;
      const alerts = [...after.mails.values()].filter(
        ({ kind, entity, reader }) =>
          kind === 'alert-undelivered' && reader === '' && entity.startsWith(merchant_id),
      );
      const times = alerts.map((alert) => alert.planned_at).sort((a, b) => a - b);
      if ((times.at(-1) ?? 0) < now) yield `no alert follows ${id}`;
      const { mailAlertMs } = world.scenario.settings;
      // A later alert can be from before the clock was set back, and was then perhaps sent.
      const isEarlier = (at: number) =>
        world.backwardJumps.some(({ from, to }) => at > to && at <= from + mailAlertMs);
      const isApart = (at: number, index: number) =>
        index === 0 || at - (times[index - 1] ?? 0) >= mailAlertMs || isEarlier(at);
      if (!times.every(isApart)) yield `the alerts of ${merchant_id} are too close`;
    }
  },

  *'at most one mail of a kind about one thing to one reader'({ before, after }) {
    if (before.mails.size === after.mails.size) return;
    const seen = new Set<string>();
    for (const { kind, entity, reader } of after.mails.values()) {
      const name = `${kind} ${entity} ${reader}`;
      if (seen.has(name)) yield name;
      seen.add(name);
    }
  },

  *'a mail is dropped only when its reason is gone'({ before, after, now, world }) {
    for (const { id, was, is: mail } of moves(before.mails, after.mails)) {
      if (was !== undefined && was.state !== 'queued') yield `${id} was ${was.state} and is ${mail.state}`;
      world.count(`${mail.kind} ${mail.state}`);
      // The alert about an assigned receipt is for the owners, who get their own.
      const isOthers =
        mail.reader === world.mails.operatorId && after.receipts.get(mail.entity)?.unmatched === 0;
      const isDropped = isOfAll(mail) ? !hasReader(after, mail) : mail.state === 'dropped';
      if (!isDropped || mail.state === 'queued' || isOthers) continue;
      const why = whyUnfounded(after, mail, now, sentBefore(after, mail));
      if (why === null) yield `${mail.kind} ${mail.entity} was dropped`;
    }
  },
};

export const MAIL_END_CHECKS: EndChecks = {
  *'every mail ends sent, refused or without a reason'(world) {
    for (const { id, kind, entity, reader, state, planned_at } of world.monitor.state.mails.values()) {
      const isRight = {
        queued: false,
        dropped: true,
        sent: isOfAll({ kind, reader }) || world.mails.taken.has(id),
        failed: world.mails.refused.has(id) || world.serviceNow() > planned_at + DAY_MS - LAST_WAIT_MS,
      }[state];
      if (!isRight) yield `${kind} ${entity} ended ${state}`;
    }
  },
};

/** Whether the mail is an alert that is replaced by one mail for each of its readers. */
function isOfAll({ kind, reader }: Pick<MailView, 'kind' | 'reader'>): boolean {
  return kind.startsWith('alert-') && reader === '';
}

function hasReader({ mails }: Snapshot, { kind, entity }: MailView): boolean {
  return [...mails.values()].some(
    (mail) => mail.kind === kind && mail.entity === entity && mail.reader !== '',
  );
}

function wantsMail(state: Snapshot, row: TransactionView): boolean {
  return !isOfLink(state, row) && state.merchants.get(row.merchant_id)?.customer_mails === 1;
}

/** Returns the planned time of the last alert sent to the owners of the same shop; without one, a day before this alert. */
function sentBefore({ mails }: Snapshot, { kind, entity, planned_at }: MailView): number {
  const shop = entity.slice(0, entity.indexOf('.') + 1);
  const earlier = [...mails.values()].filter(
    (mail) =>
      mail.kind === kind &&
      mail.reader !== '' &&
      mail.state === 'sent' &&
      mail.entity < entity &&
      mail.entity.startsWith(shop),
  );
  return Math.max(planned_at - DAY_MS, ...earlier.map((mail) => mail.planned_at));
}

/** Whether an event of the shop became undelivered after `since` and is neither delivered nor being delivered again. */
function isMissingEvents({ deliveries }: Snapshot, shop: string, since: number): boolean {
  const own = [...deliveries.values()].filter((row) => row.merchant_id === shop);
  const isHandled = ({ event_id }: DeliveryView) =>
    own.some((row) => row.event_id === event_id && ['delivered', 'due'].includes(row.state));
  return own.some(
    (row) =>
      row.state === 'undelivered' &&
      (row.finished_at ?? 0) > since &&
      row.kind !== 'webhook.test' &&
      !isHandled(row),
  );
}

/** Returns why there is no reason for a mail, or null. The reason for an alert about events is an event missed after `since`. */
function whyUnfounded(
  state: Snapshot,
  { kind, entity }: MailView,
  now: number,
  since = Number.NEGATIVE_INFINITY,
): string | null {
  if (kind === 'alert-undelivered') {
    const shop = entity.slice(0, entity.indexOf('.'));
    if (state.merchants.get(shop)?.alerts !== 1) return 'alerts are off';
    return isMissingEvents(state, shop, since) ? null : 'no event is missed';
  }
  if (kind === 'alert-money') {
    const receipt = state.receipts.get(entity);
    if (receipt?.settlement !== null) return 'the receipt is settled';
    if (receipt.unmatched === 1) return null;
    const isHeld = state.transactions.get(receipt.transaction_id ?? '')?.held === 1;
    if (isHeld && receipt.under === 0) return 'the sale is held';
    return state.merchants.get(receipt.merchant_id ?? '')?.alerts === 1 ? null : 'alerts are off';
  }
  const row = state.transactions.get(entity);
  if (row === undefined || !wantsMail(state, row)) return 'no mail is wanted';
  if (kind === 'payment-receipt') return row.status === 'paid' ? null : `it is ${row.status}`;
  if (row.status !== 'pending' || isSold(row)) return `it is ${row.status}`;
  if (othersOfSession(state, row).some(isSold)) return 'its order is paid';
  const isPayable = attemptsOf(state, entity).some(
    (one) => one.method === 'REFERENCE' && one.state === 'open' && (one.expires_at ?? 0) > now,
  );
  return isPayable ? null : 'no reference can be paid';
}

export function faultOfSent(world: World, service: Service, id: string, mail: SendMailOptions) {
  const state = world.monitor.stored;
  const now = world.serviceNow();
  const row = state.mails.get(id);
  const fault = (name: string, what: string) => ({ name, what: `${row?.kind} ${row?.entity}: ${what}` });
  if (row?.state !== 'queued' || row.attempts_count === 0)
    return fault('a mail is committed, with its attempt, before it is sent', `${id} is ${row?.state}`);
  if (world.mails.taken.get(id) === service) return fault('a mail is sent once without a crash', id);
  if (row.planned_at > now && world.scenario.jumps === 0)
    return fault('no mail before it is due', `planned for ${row.planned_at}`);
  const { to, language } = readerOfMail(state, row);
  const { address } = mail.to as { address: string };
  if (address !== to) return fault('a mail goes to the person it is for', `${address} instead of ${to}`);
  if (!String(mail.html).includes(`<html lang="${language}">`))
    return fault('a mail is in the language of its reader', `not in ${language}`);
  const why = whyUnfounded(state, row, now);
  return why === null ? null : fault('no mail without a reason', why);
}

function readerOfMail(state: Snapshot, { kind, entity, reader }: MailView) {
  if (kind === 'alert-undelivered' || kind === 'alert-money') {
    const receipt = state.receipts.get(entity);
    const shop = kind === 'alert-undelivered' ? entity.slice(0, entity.indexOf('.')) : receipt?.merchant_id;
    return { to: readerOf(receipt?.unmatched === 1 ? null : (shop ?? null)), language: 'pt' };
  }
  const row = state.transactions.get(entity);
  const session = state.checkout_sessions.get(row?.session_id ?? '');
  return { to: emailOf(row?.order_id ?? reader), language: session?.locale ?? 'pt' };
}
