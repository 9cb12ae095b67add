import { afterCommit, type Tx } from '../db/database.ts';
import type { MailKind } from '../db/tables/mails.ts';
import type { Deps } from '../deps.ts';
import { insertMail } from './store.ts';

/** A mail to be sent. Its address and text are read from the database when it is due. */
export interface NewMail {
  kind: MailKind;
  /** What it is about; with the same kind and entity nothing is queued again. */
  entity: string;
  /** When it is due, UTC milliseconds; now without it. */
  plannedAt?: number;
  /** The path of a one-time link. */
  link?: string;
}

/** Queues a mail in the caller's database transaction. Does nothing when no mail server is set. */
export type QueueMail = (tx: Tx, mail: NewMail) => Promise<void>;

/** Queues nothing, for tools without mail. */
export const noMail: QueueMail = async () => {};

type QueueDeps = Pick<Deps, 'clock' | 'ids' | 'box' | 'settings'>;

/** Creates the function that queues mail; `wake` is called after the commit. */
export function createMailQueue(deps: QueueDeps, wake: () => void): QueueMail {
  return async (tx, { kind, entity, plannedAt = deps.clock.now(), link }) => {
    if (!deps.settings.mail) return;
    const id = deps.ids('mail');
    await insertMail(tx, {
      ...{ id, kind, entity, reader: '' },
      link: link === undefined ? null : deps.box.seal(link, linkPlace(id)),
      ...{ state: 'queued', attempts_count: 0, due_at: plannedAt, planned_at: plannedAt },
      ...{ finished_at: null, error: null },
    });
    afterCommit(tx, wake);
  };
}

/** The place that an encrypted link is bound to. */
export function linkPlace(id: string): string {
  return `mails.link:${id}`;
}
