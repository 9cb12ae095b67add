import { afterAll, expect, test } from 'vitest';
import { deleteSessions } from '../../src/backoffice/people/session-store.ts';
import { startService } from '../support/harness.ts';
import { signedIn, visitor } from './support.ts';

const service = await startService({ whenOver: afterAll });

test('a fifth call of one person waits for one of the first four, and other people do not', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const other = await signedIn(service, { role: 'operator' });
  const { value } = await person.query('session.current');
  await visitor(service.url).signIn(value.user.email);
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  let hold = () => {};
  const held = new Promise<void>((resolve) => {
    hold = resolve;
  });
  const { db } = service.app.deps;
  const gate = db
    .unit(async (tx) => {
      // The second session, which the calls below delete from the first.
      const sessions = await tx
        .selectFrom('sessions')
        .selectAll()
        .where('user_id', '=', value.user.id)
        .orderBy('created_at')
        .execute();
      await deleteSessions(tx, value.user.id, sessions[0]?.id ?? null);
      hold();
      await opened;
      throw new Error('undone');
    })
    .catch(() => {});
  await held;
  const calls = Array.from({ length: 4 }, () => person.mutate('account.revokeOthers'));
  const readOther = async () => {
    for (let times = 0; times < 5; times++) await other.query('account.sessions');
  };
  // The four calls may take a while to arrive, so the fifth is the first one that stays unanswered.
  const answered: string[] = [];
  let waits: Promise<unknown> = Promise.resolve();
  for (let times = 0; times < 200 && !answered.includes('other'); times++) {
    let waiting = true;
    waits = person.query('account.sessions').then(() => {
      waiting = false;
      if (answered.includes('other')) answered.push('person');
    });
    await readOther();
    if (waiting) answered.push('other');
  }
  open();
  await Promise.all([...calls, waits, gate]);
  expect(answered).toEqual(['other', 'person']);
});
