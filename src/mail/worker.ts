import { domainToASCII } from 'node:url';
import type { SendMailOptions } from 'nodemailer';
import type { MailKind } from '../db/tables/mails.ts';
import type { Deps } from '../deps.ts';
import { createDueWorker } from '../kernel/due-worker.ts';
import { errorText } from '../kernel/errors.ts';
import type { Id } from '../kernel/ids.ts';
import type { Language } from '../kernel/language.ts';
import type { PeriodicJob } from '../kernel/periodic.ts';
import { retryWrite } from '../kernel/retry-write.ts';
import { withoutInvisible } from '../kernel/visible.ts';
import { type MailContent, renderMail } from './content.ts';
import {
  changeMail,
  dueMails,
  insertMail,
  type MailChanges,
  type MailRow,
  nextMailAt,
  releaseMails,
} from './store.ts';
import { EXCHANGE_MS_MAX, MailRefused, type SendMail } from './transport.ts';

export interface ComposedMail {
  to: string;
  language: Language;
  content: MailContent;
  /** The sender's name, instead of the service's. */
  from?: string;
}

/** The recipients of an alert: the owners of a merchant, or the operators. */
export type Audience = { merchantId: Id<'mer'> } | 'operators';

/** Composes a mail to one person from the database when it is due; null when its reason no longer exists. */
export type MailSource = (mail: DueMail) => Promise<ComposedMail | null>;

/** Composes an alert to every reader of an audience; null when its reason no longer exists. */
export interface AlertSource {
  audience(mail: DueMail): Promise<Audience | null>;
  compose(mail: DueMail, language: Language): Promise<MailContent | null>;
}

export type DueMail = Pick<MailRow, 'kind' | 'entity' | 'planned_at'> & { link: string | null };

/** The source of every kind of mail, and the readers of the alerts. */
export interface MailSources {
  kinds: Readonly<Record<MailKind, MailSource | AlertSource>>;
  /** The active users of an audience, at most 100. */
  readers(audience: Audience): Promise<Id<'usr'>[]>;
  /** A user's address and language; null when the user may not sign in. */
  reader(id: Id<'usr'>): Promise<{ to: string; language: Language } | null>;
}

type WorkerDeps = Pick<Deps, 'db' | 'clock' | 'ids' | 'box' | 'log' | 'settings' | 'metrics'>;

const CONCURRENCY_MAX = 4;
/** The server polls because the command line cannot wake the server of a SQLite database. */
const POLL_MS = 1000;
const CLUSTER_POLL_MS = 60_000;
/** How long a running attempt may take before it counts as lost. */
const LEASE_MS = 90_000;
/** More than the attempts of a day; reached when a mail cannot be composed, or each attempt ends the process. */
const ATTEMPTS_MAX = 50;
const RETRY_SECONDS = [10, 30, 60, 300, 900];
/** The retries within a day: five after the waits above, then 23 at hourly intervals. */
const RETRIES_MAX = RETRY_SECONDS.length + 23;
const ERROR_LENGTH_MAX = 500;
/** Tried at the start of a word only, so that a long answer takes linear time. */
const ADDRESS = /(?<![^\s<>()",;:])[^\s<>()",;:@]+@[^\s<>()",;:]+/g;
const SYNTAX = /[\\^$.*+?()[\]{}|/]/g;
const SERVICE_NAMES = { pt: 'Serviço de pagamentos', en: 'Payment service' } as const;
const TEST_NOTES = {
  pt: 'TEST MONEY: ambiente de testes, sem dinheiro real.',
  en: 'TEST MONEY: sandbox, no real money.',
} as const;

/**
 * Creates the worker that sends due mails. An attempt is counted before it is made, so after a crash a mail may be sent again,
 * with the same Message-ID.
 */
export function createMailWorker(deps: WorkerDeps, send: SendMail, sources: MailSources): PeriodicJob {
  const { db, clock, log } = deps;
  let isRecovered = false;

  /** On SQLite no other process sends mail, so after a restart an interrupted first attempt does not wait for its lease. */
  async function due(limit: number): Promise<MailRow[]> {
    if (!isRecovered && db.cluster === null) await db.unit((tx) => releaseMails(tx, clock.now()));
    isRecovered = true;
    return await dueMails(db.read, clock.now(), limit);
  }

  async function run(mail: MailRow, isStopping: () => boolean): Promise<void> {
    const attempts = mail.attempts_count + 1;
    if (attempts > ATTEMPTS_MAX)
      return finish(mail, givenUp(deps, mail, 'no attempt had an outcome'), isStopping);
    const claimedAt = clock.now();
    const claim = { attempts_count: attempts, due_at: claimedAt + LEASE_MS };
    const claimed = { ...mail, ...claim };
    if (!(await db.unit((tx) => changeMail(tx, mail, claim)))) return;
    const source = sources.kinds[mail.kind];
    if (typeof source === 'object' && mail.reader === '') return spread(claimed, source);
    const changes = await attempt(claimed, await composed(deps, sources, mail), claimedAt);
    if (changes !== null) await finish(claimed, changes, isStopping);
  }

  /** Replaces an alert by one mail for each of its readers. */
  async function spread(mail: MailRow, alert: AlertSource): Promise<void> {
    const audience = await alert.audience(opened(deps, mail));
    const readers = audience === null ? [] : await sources.readers(audience);
    const now = clock.now();
    await db.unit(async (tx) => {
      if (!(await changeMail(tx, mail, finished('sent', now)))) return;
      for (const reader of readers)
        await insertMail(tx, { ...mail, id: deps.ids('mail'), reader, attempts_count: 0, due_at: now });
    });
    job.wake();
  }

  /** Returns how the attempt ended; null when nothing is left to record. */
  async function attempt(
    mail: MailRow,
    made: ComposedMail | null,
    claimedAt: number,
  ): Promise<MailChanges | null> {
    if (made === null) {
      // This write is not retried: after a failure, the mail is composed again, because it may be needed by then.
      await db.unit((tx) => changeMail(tx, mail, finished('dropped', clock.now())));
      return null;
    }
    const stalledMs = clock.now() - claimedAt;
    // After a stall, another process may have sent it; otherwise it is sent again once its lease ends.
    if (stalledMs >= LEASE_MS - EXCHANGE_MS_MAX) return null;
    // The clock was set back, which would extend the lease by as much.
    if (-stalledMs >= LEASE_MS - EXCHANGE_MS_MAX) return { due_at: clock.now() + LEASE_MS };
    try {
      await send(message(deps, mail, made));
    } catch (error) {
      return failed(deps, mail, made.to, error);
    }
    deps.metrics.mail('sent');
    return finished('sent', clock.now());
  }

  async function finish(mail: MailRow, changes: MailChanges, isStopping: () => boolean): Promise<void> {
    const write = () => db.unit((tx) => changeMail(tx, mail, changes));
    await retryWrite(clock, isStopping, write, (error) =>
      log.error(
        { mailId: mail.id, detail: errorText(error) },
        'the outcome of a mail could not be written; retrying',
      ),
    );
  }

  const job = createDueWorker({
    name: 'mail',
    clock,
    log,
    concurrencyMax: CONCURRENCY_MAX,
    due,
    run,
    async nextAt() {
      const poll = clock.now() + (db.cluster === null ? POLL_MS : CLUSTER_POLL_MS);
      return Math.min(poll, (await nextMailAt(db.read)) ?? poll);
    },
  });
  return job;
}

function opened({ box }: WorkerDeps, mail: MailRow): DueMail {
  return { ...mail, link: mail.link === null ? null : box.decrypt(mail.link, `mails.link:${mail.id}`) };
}

/** Composes the mail to one person from current data; null when its reason no longer exists. */
async function composed(deps: WorkerDeps, sources: MailSources, mail: MailRow): Promise<ComposedMail | null> {
  const due = opened(deps, mail);
  const source = sources.kinds[mail.kind];
  // A kind that a later version queued has no source.
  if (typeof source !== 'object') return (await source?.(due)) ?? null;
  const readerId = mail.reader as Id<'usr'>;
  const reader = await sources.reader(readerId);
  const audience = await source.audience(due);
  if (reader === null || audience === null) return null;
  // The user may have left the audience since the alert was queued.
  if (!(await sources.readers(audience)).includes(readerId)) return null;
  const content = await source.compose(due, reader.language);
  return content === null ? null : { ...reader, content };
}

function message(
  { clock, settings }: WorkerDeps,
  mail: MailRow,
  { to, language, content, from }: ComposedMail,
): SendMailOptions {
  const { mailFrom, mailFromName, bank } = settings;
  const name = from ?? mailFromName ?? SERVICE_NAMES[language];
  const notes = bank === 'sandbox' ? [...(content.notes ?? []), TEST_NOTES[language]] : content.notes;
  return {
    ...renderMail({ ...content, ...(notes !== undefined && { notes }) }, language, name),
    from: { name: withoutInvisible(name), address: mailFrom },
    to: { name: '', address: to },
    messageId: `<${mail.id}@${asciiDomain(mailFrom)}>`,
    date: new Date(clock.now()),
    headers: { 'X-Service-Mail-Kind': mail.kind, 'Auto-Submitted': 'auto-generated' },
  };
}

/** The domain of an address. Servers may refuse a header that is not ASCII. */
function asciiDomain(address: string): string {
  const domain = address.slice(address.lastIndexOf('@') + 1);
  return domainToASCII(domain) || domain;
}

/** Logs a failed attempt. Returns the changes of the mail: another attempt, or its final state. */
function failed(deps: WorkerDeps, mail: MailRow, to: string, error: unknown): MailChanges {
  // Servers repeat the address, also its user alone or in lower case, which must not remain in the database after an erasure.
  const user = to.replace(/@[^@]*$/, '').replace(SYNTAX, '\\$&');
  const detail = errorText(error)
    .replace(ADDRESS, '[address]')
    .replace(new RegExp(`(?<![\\p{L}\\d])${user}(?![\\p{L}\\d])`, 'giu'), '[user]')
    .slice(0, ERROR_LENGTH_MAX);
  if (error instanceof MailRefused || mail.attempts_count > RETRIES_MAX) return givenUp(deps, mail, detail);
  deps.log.warn({ mailId: mail.id, kind: mail.kind, detail }, 'mail not sent yet; retrying');
  const retrySeconds = RETRY_SECONDS[mail.attempts_count - 1] ?? 3600;
  return { due_at: deps.clock.now() + retrySeconds * 1000, error: detail };
}

/** Counts and logs a mail that is not tried again. Returns its final state. */
function givenUp({ clock, log, metrics }: WorkerDeps, mail: MailRow, detail: string): MailChanges {
  metrics.mail('failed');
  log.error({ mailId: mail.id, kind: mail.kind, detail }, 'mail not sent: no further attempt');
  return { ...finished('failed', clock.now()), error: detail };
}

function finished(state: 'sent' | 'dropped' | 'failed', now: number): MailChanges {
  return { state, due_at: null, finished_at: now, link: null };
}
