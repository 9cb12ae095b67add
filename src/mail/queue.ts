import { afterCommit } from '../db/database.ts';
import type { Deps } from '../deps.ts';
import type { QueueMail } from './mail.ts';
import { insertMail, removeMail } from './store.ts';

/** Queues no mail; for tools that send none. */
export const noMail: QueueMail = async () => {};

type QueueDeps = Pick<Deps, 'clock' | 'ids' | 'box' | 'settings'>;

/** Creates the function that queues mail; `wake` is called after the commit. */
export function createMailQueue(deps: QueueDeps, wake: () => void): QueueMail {
  return async (tx, { kind, entity, plannedAt = deps.clock.now(), again, link }) => {
    if (!deps.settings.mail) return;
    const id = deps.ids('mail');
    if (again === true) await removeMail(tx, kind, entity);
    await insertMail(tx, {
      id,
      kind,
      entity,
      reader: '',
      link: link === undefined ? null : deps.box.encrypt(link, `mails.link:${id}`),
      state: 'queued',
      attempts_count: 0,
      due_at: plannedAt,
      planned_at: plannedAt,
      finished_at: null,
      error: null,
    });
    afterCommit(tx, wake);
  };
}
