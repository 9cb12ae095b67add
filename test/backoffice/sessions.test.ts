import { afterAll, expect, test } from 'vitest';
import { DAY_MS, HOUR_MS, systemClock } from '../../src/kernel/clock.ts';
import { startService } from '../support/harness.ts';
import { selectRow, selectRows, updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { PASSWORD, signedIn, visitor } from './support.ts';

let now = Date.UTC(2026, 5, 1, 12);
const service = await startService({ whenOver: afterAll, clock: { ...systemClock, now: () => now } });
const { db } = service.app.deps;

const isIn = async (browser: { query(name: string): Promise<{ value: { user: unknown } }> }) =>
  (await browser.query('session.current')).value.user !== null;

test('a session ends after 12 hours without use, also when its page goes on polling', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const idle = visitor(service.url);
  await idle.signIn(person.email);
  for (let i = 0; i < 3; i++) {
    now += 6 * HOUR_MS;
    expect([i, await isIn(person)]).toEqual([i, true]);
    await idle.get('/trpc/session.current', { 'x-backoffice-poll': '1' });
    // The use is recorded in the background.
    const used = () => selectRows(db, 'sessions', { user_id: person.userId, seen_at: now });
    await until(async () => (await used()).length > 0, 'the use to be noted');
  }
  expect(await isIn(idle)).toBe(false);
  now += 12 * HOUR_MS;
  expect(await isIn(person)).toBe(false);
  expect(await person.query('account.sessions')).toMatchObject({
    status: 401,
    error: { code: 'UNAUTHORIZED' },
  });
});

test('a session in use ends after 7 days', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const { created_at, expires_at } = await selectRow(db, 'sessions', { user_id: person.userId });
  expect(expires_at - created_at).toBe(7 * DAY_MS);
  now = expires_at - 1;
  await updateRows(db, 'sessions', { seen_at: now }, { user_id: person.userId });
  expect(await isIn(person)).toBe(true);
  now = expires_at;
  expect(await isIn(person)).toBe(false);
  // Each sign-in deletes two ended sessions; those of the test before are older.
  for (let i = 0; i < 2; i++) await signedIn(service, { role: 'operator' });
  expect(await selectRows(db, 'sessions', { user_id: person.userId })).toEqual([]);
});

test('sessions are listed with address and browser and can be revoked', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const others = [visitor(service.url), visitor(service.url), visitor(service.url)];
  // The second sign-in of a browser replaces its session.
  for (const other of [...others, ...others]) await other.signIn(person.email);
  const listed = (await person.query('account.sessions')).value;
  expect(listed).toHaveLength(4);
  expect(listed.filter(({ current }: { current: boolean }) => current)).toEqual([
    {
      id: expect.stringMatching(/^ses_/),
      current: true,
      createdAt: now,
      seenAt: now,
      expiresAt: now + 7 * DAY_MS,
      address: '127.0.0.1',
      userAgent: expect.any(String),
    },
  ]);
  // The newest is the last that signed in.
  expect(await person.mutate('account.revokeSession', { id: listed[0].id })).toMatchObject({ status: 200 });
  expect(await Promise.all(others.map(isIn))).toEqual([true, true, false]);
  expect((await person.mutate('account.revokeOthers')).value).toEqual({ revoked: 2 });
  expect(await Promise.all(others.map(isIn))).toEqual([false, false, false]);
  expect(await isIn(person)).toBe(true);
});

test('another person’s session cannot be revoked', async () => {
  const [one, two] = [
    await signedIn(service, { role: 'operator' }),
    await signedIn(service, { role: 'operator' }),
  ];
  const [session] = (await two.query('account.sessions')).value;
  expect(await one.mutate('account.revokeSession', { id: session.id })).toMatchObject({ status: 404 });
  expect(await isIn(two)).toBe(true);
});

test('signing out ends the session in the database', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const cookie = person.cookie();
  await person.mutate('session.signOut');
  expect(person.cookie()).toBeNull();
  const thief = visitor(service.url);
  thief.takeCookie(cookie);
  expect(await isIn(thief)).toBe(false);
});

test('fresh procedures need the password again after 10 minutes', async () => {
  const person = await signedIn(service, { role: 'operator' });
  now += 10 * 60_000 - 1;
  expect(await person.mutate('account.totpBegin')).toMatchObject({ status: 200 });
  now += 1;
  expect(await person.mutate('account.totpBegin')).toMatchObject({
    status: 403,
    error: { code: 'REAUTHENTICATE' },
  });
  expect((await person.mutate('session.reauthenticate', { password: 'not mine at all' })).error.reason).toBe(
    'password_wrong',
  );
  expect(await person.mutate('account.totpBegin')).toMatchObject({ status: 403 });
  await person.mutate('session.reauthenticate', { password: PASSWORD });
  expect(await person.mutate('account.totpBegin')).toMatchObject({ status: 200 });
});

test('a session ends when the clock is set back to before its last use', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const other = visitor(service.url);
  const realNow = now;
  now += 30 * DAY_MS;
  await other.signIn(person.email);
  now = realNow;
  expect(await isIn(person)).toBe(true);
  expect((await person.query('account.sessions')).value).toHaveLength(1);
  expect(await other.mutate('account.totpBegin')).toMatchObject({
    status: 401,
    error: { code: 'UNAUTHORIZED' },
  });
});

test('a session from before the clock was set back does not open again after its person signed in', async () => {
  const person = await signedIn(service, { role: 'operator' });
  now += 3 * HOUR_MS;
  const ahead = visitor(service.url);
  await ahead.signIn(person.email);
  now -= 3 * HOUR_MS;
  await visitor(service.url).signIn(person.email);
  now += 3 * HOUR_MS;
  expect([await isIn(ahead), await isIn(person)]).toEqual([false, true]);
});

test('a session stays open when another process has the clock a little behind', async () => {
  const person = await signedIn(service, { role: 'operator' });
  now -= 5000;
  expect(await isIn(person)).toBe(true);
  expect(await person.mutate('account.totpBegin')).toMatchObject({ status: 200 });
});
