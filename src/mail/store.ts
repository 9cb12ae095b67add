import type { Insertable, Selectable } from 'kysely';
import type { Queryable, Tx } from '../db/database.ts';
import type { MailKind, MailTable } from '../db/tables/mails.ts';

export type MailRow = Selectable<MailTable>;

/** Inserts a mail unless one with this kind, entity and reader exists. */
export async function insertMail(tx: Tx, row: Insertable<MailTable>): Promise<void> {
  await tx
    .insertInto('mails')
    .values(row)
    .onConflict((conflict) => conflict.columns(['kind', 'entity', 'reader']).doNothing())
    .execute();
}

/** Removes an alert, without the copies for its readers. */
export async function removeMail(tx: Tx, kind: MailKind, entity: string): Promise<void> {
  await tx
    .deleteFrom('mails')
    .where('kind', '=', kind)
    .where('entity', '=', entity)
    .where('reader', '=', '')
    .execute();
}

/** Mails that are due, the longest first. */
export async function dueMails(db: Queryable, now: number, limit: number): Promise<MailRow[]> {
  return await db
    .selectFrom('mails')
    .selectAll()
    .where('due_at', '<=', now)
    .orderBy('due_at')
    .limit(limit)
    .execute();
}

/** When the next mail is due; null when none is queued. */
export async function nextMailAt(db: Queryable): Promise<number | null> {
  const row = await db
    .selectFrom('mails')
    .select('due_at')
    .where('due_at', 'is not', null)
    .orderBy('due_at')
    .limit(1)
    .executeTakeFirst();
  return row?.due_at ?? null;
}

export type MailChanges = Partial<
  Pick<MailRow, 'link' | 'state' | 'attempts_count' | 'due_at' | 'finished_at' | 'error'>
>;

/** Changes a mail that is unchanged since it was read; false when another process has taken it. */
export async function changeMail(tx: Tx, mail: MailRow, changes: MailChanges): Promise<boolean> {
  const result = await tx
    .updateTable('mails')
    .set(changes)
    .where('id', '=', mail.id)
    .where('due_at', '=', mail.due_at)
    .where('attempts_count', '=', mail.attempts_count)
    .executeTakeFirst();
  return result.numUpdatedRows === 1n;
}

/**
 * Makes mails due whose first attempt runs, or was interrupted: unlike a failed attempt, it has no error. Later attempts keep
 * their lease, because a mail whose attempts end the process must not do so at each start.
 */
export async function releaseMails(tx: Tx, now: number): Promise<void> {
  await tx
    .updateTable('mails')
    .set({ due_at: now })
    .where('due_at', '>', now)
    .where('attempts_count', '=', 1)
    .where('error', 'is', null)
    .execute();
}

/** The newest mail of a kind whose entity begins with `prefix`, planned no later than `until`, without the copies for its readers. */
export async function lastPlanned(db: Queryable, kind: MailKind, prefix: string, until: number) {
  return await newestBetween(db, kind, prefix, `${prefix}\u{7f}`)
    .select('due_at')
    .where('reader', '=', '')
    .where('planned_at', '<=', until)
    .executeTakeFirst();
}

/** The planned time of the last sent mail of the same alert before this one; null without one. */
export async function sentBefore(
  db: Queryable,
  { kind, entity }: Pick<MailRow, 'kind' | 'entity'>,
  prefix: string,
): Promise<number | null> {
  const row = await newestBetween(db, kind, prefix, entity)
    .where('reader', '<>', '')
    .where('state', '=', 'sent')
    .executeTakeFirst();
  return row?.planned_at ?? null;
}

const newestBetween = (db: Queryable, kind: MailKind, after: string, before: string) =>
  db
    .selectFrom('mails')
    .select('planned_at')
    .where('kind', '=', kind)
    .where('entity', '>', after)
    .where('entity', '<', before)
    .orderBy('entity', 'desc')
    .limit(1);
