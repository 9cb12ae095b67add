import { afterAll, expect, test, vi } from 'vitest';
import { createThrottle } from '../../src/backoffice/people/throttle.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { temporaryDatabase } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { addPasskey, softPasskey } from './authenticator.ts';
import { PASSWORD, resetToken, shopWithOwner, signedIn, totpCode, turnTotpOn, visitor } from './support.ts';

const service = await startService({ whenOver: afterAll });

/** Runs `change` once, between the checks of a sign-in or a change of access and its transaction. */
function interruptWith(change: () => Promise<unknown>): void {
  const { db } = service.app.deps;
  const unit = db.unit.bind(db);
  const spy = vi.spyOn(db, 'unit').mockImplementation(async (work, options) => {
    // The throttle and the passkey's challenge have transactions of earlier steps.
    const [, caller = ''] = /people\/([\w-]+)\.ts/.exec(new Error().stack ?? '') ?? [];
    if (['sign-in', 'links', 'passkeys', 'second-factor', 'users'].includes(caller)) {
      spy.mockRestore();
      await change();
    }
    return await unit(work, options);
  });
}

type Person = Awaited<ReturnType<typeof signedIn>>;

async function disable({ userId }: Person): Promise<void> {
  const operator = await signedIn(service, { role: 'operator' });
  expect((await operator.mutate('users.setActive', { userId, active: false })).status).toBe(200);
}

const CHANGES: Record<string, (person: Person) => Promise<unknown>> = {
  'a reset by link': async ({ email }) => {
    const input = { token: await resetToken(service, email), password: 'four new bicycles' };
    expect((await visitor(service.url).mutate('link.accept', input)).status).toBe(200);
  },
  'turning the second factor on': (person) => turnTotpOn(person),
  'disabling the person': disable,
};

test.each(Object.entries(CHANGES))('%s refuses a sign-in that began before it', async (_name, change) => {
  const person = await signedIn(service, { role: 'operator' });
  const late = visitor(service.url);
  interruptWith(() => change(person));
  expect(await late.signIn(person.email, PASSWORD)).toMatchObject({
    status: 400,
    error: { reason: 'sign_in_wrong' },
  });
  expect(late.cookie()).toBeNull();
});

const PASSKEY_CHANGES: typeof CHANGES = {
  ...CHANGES,
  'removing the passkey': async (person) => {
    const [row] = (await person.query('account.passkeys')).value.rows;
    expect((await person.mutate('account.passkeyRemove', { id: row.id })).status).toBe(200);
  },
};

test.each(Object.entries(PASSKEY_CHANGES))(
  '%s refuses a sign-in with a passkey that began before it',
  async (_name, change) => {
    const person = await signedIn(service, { role: 'operator' });
    const passkey = await addPasskey(person, softPasskey(service.url));
    const late = visitor(service.url);
    const { value: options } = await late.mutate('session.passkeyBegin');
    interruptWith(() => change(person));
    const refused = await late.mutate('session.passkeySignIn', { response: passkey.get(options) });
    expect(refused).toMatchObject({ status: 400, error: { code: 'BAD_REQUEST' } });
    expect(late.cookie()).toBeNull();
  },
);

const ENDINGS: typeof CHANGES = {
  'a reset of password and second factor': async ({ email }) => {
    const input = { token: await resetToken(service, email, true), password: 'four new bicycles' };
    expect((await visitor(service.url).mutate('link.accept', input)).status).toBe(200);
  },
  'disabling the person': disable,
  'signing out elsewhere': async ({ email }) => {
    const other = visitor(service.url);
    await other.signIn(email, PASSWORD);
    expect((await other.mutate('account.revokeOthers')).value).toEqual({ revoked: 1 });
  },
};

test.each(Object.entries(ENDINGS))(
  '%s refuses a second factor that its session is adding',
  async (_name, end) => {
    const thief = await signedIn(service, { role: 'operator' });
    const { value: options } = await thief.mutate('account.passkeyBegin');
    interruptWith(() => end(thief));
    const response = softPasskey(service.url).create(options);
    expect(await thief.mutate('account.passkeyAdd', { name: 'Theirs', response })).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED' },
    });
    expect(await selectRows(service.app.deps.db, 'passkeys', { user_id: thief.userId })).toEqual([]);

    const other = await signedIn(service, { role: 'operator' });
    const { secret } = (await other.mutate('account.totpBegin')).value;
    interruptWith(() => end(other));
    expect(await other.mutate('account.totpEnable', { code: totpCode(secret) })).toMatchObject({
      status: 401,
      error: { code: 'UNAUTHORIZED' },
    });
    const rows = await selectRows(service.app.deps.db, 'users', { id: other.userId });
    expect(rows).toMatchObject([{ totp_secret: null }]);
  },
);

test('turning the second factor on while a reset link is used keeps it on', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const input = { token: await resetToken(service, person.email), password: 'four new bicycles' };
  interruptWith(() => turnTotpOn(person));
  const late = visitor(service.url);
  expect((await late.mutate('link.accept', input)).value).toEqual({ outcome: 'sign_in' });
  expect(late.cookie()).toBeNull();
  expect((await late.signIn(person.email, input.password)).value).toEqual({ outcome: 'code_needed' });
});

test('withdrawing an invitation refuses the password that its link is setting', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const invitation = { merchantId, email: 'withdrawn@example.pt', role: 'viewer' };
  const { link } = (await owner.mutate('team.invite', invitation)).value;
  const [{ userId }] = (await owner.query('team.list', { merchantId })).value.invites;
  interruptWith(() => owner.mutate('team.remove', { merchantId, userId }));
  const input = { token: link.split('#')[1], password: PASSWORD };
  expect((await visitor(service.url).mutate('link.accept', input)).status).toBe(404);
  const rows = await selectRows(service.app.deps.db, 'users', { id: userId });
  expect(rows).toMatchObject([{ password_hash: null }]);
});

test('of two operators who disable each other at once one stays', async () => {
  const [one, two] = [
    await signedIn(service, { role: 'operator' }),
    await signedIn(service, { role: 'operator' }),
  ];
  await service.app.deps.db.unit((tx) =>
    tx.updateTable('users').set({ active: 0 }).where('id', 'not in', [one.userId, two.userId]).execute(),
  );
  // A merchant's user is no operator.
  await shopWithOwner(service);
  interruptWith(() => two.mutate('users.setActive', { userId: one.userId, active: false }));
  const late = await one.mutate('users.setActive', { userId: two.userId, active: false });
  expect(late.error.reason).toBe('last_operator');
});

test('of two reset links made at once one works', async () => {
  const { userId, email } = await signedIn(service, { role: 'operator' });
  await Promise.all([1, 2, 3, 4].map(() => resetToken(service, email)));
  const links = service.app.deps.db.read.selectFrom('user_links').select('user_id');
  expect(await links.where('user_id', '=', userId as never).execute()).toHaveLength(1);
});

test('of two confirmations of an authenticator one gets the recovery codes', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const { secret } = (await person.mutate('account.totpBegin')).value;
  const confirm = () => person.mutate('account.totpEnable', { code: totpCode(secret, Date.now()) });
  const answers = await Promise.all([confirm(), confirm()]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  const [code] = answers.flatMap(({ value }) => value?.recoveryCodes ?? []);
  const credentials = { email: person.email, password: PASSWORD, code };
  expect((await visitor(service.url).mutate('session.signIn', credentials)).status).toBe(200);
});

test('recovery codes that are renewed several times at once are ten, and none outlive the second factor', async () => {
  const person = await signedIn(service, { role: 'operator' });
  await turnTotpOn(person);
  const codes = async () =>
    (await selectRows(service.app.deps.db, 'recovery_codes', { user_id: person.userId })).length;
  await Promise.all([1, 2, 3, 4].map(() => person.mutate('account.recoveryRenew')));
  expect(await codes()).toBe(10);
  await Promise.all(
    ['totpDisable', 'recoveryRenew', 'recoveryRenew'].map((name) => person.mutate(`account.${name}`)),
  );
  expect(await codes()).toBe(0);
});

test('the wait doubles with each failure in any process, and success clears it', async () => {
  const db = await temporaryDatabase();
  let now = Date.UTC(2026, 5, 1);
  const clock = { ...systemClock, now: () => now };
  const processes = [createThrottle({ db, clock }), createThrottle({ db, clock })];
  const begin = async (email: string, address = '192.0.2.1', device: string | null = null) => {
    const throttle = processes.reverse()[0];
    if (throttle === undefined) throw new Error('there are two');
    return await throttle.begin(email, address, device);
  };
  const fail = async (...attempt: Parameters<typeof begin>) => {
    try {
      await begin(...attempt);
      return 0;
    } catch (error) {
      return (error as { values: { seconds: number } }).values.seconds;
    }
  };
  for (let i = 0; i < 4; i++) expect(await fail('a@example.pt')).toBe(0);
  const fifth = await begin('a@example.pt');
  expect(await fail('a@example.pt')).toBe(2);
  expect(await fail('b@example.pt')).toBe(0);
  expect(await fail('a@example.pt', '192.0.2.1', 'known')).toBe(0);
  await fifth.succeed();
  expect(await fail('a@example.pt')).toBe(0);
  for (let i = 0; i < 4; i++) expect(await fail('a@example.pt', '192.0.2.9')).toBe(0);
  now += 2_000;
  expect([await fail('a@example.pt'), await fail('a@example.pt')]).toEqual([0, 4]);
  now += 3_600_000;
  expect([await fail('a@example.pt'), await fail('a@example.pt')]).toEqual([0, 0]);
  for (let i = 0; i < 3; i++) expect(await fail('a@example.pt')).toBe(0);
  expect(await fail('a@example.pt')).toBe(2);
  // A wait from before the clock was set back has ended.
  now -= 6 * 3_600_000;
  expect(await fail('a@example.pt')).toBe(0);

  for (let i = 0; i < 4; i++) await begin('c@example.pt', '192.0.2.2');
  await (await begin('c@example.pt', '192.0.2.2')).discount();
  // A correct password without its code does not clear an earlier wrong code.
  await begin('c@example.pt', '192.0.2.2');
  expect(await fail('c@example.pt', '192.0.2.2')).toBe(2);

  // New failures delete those that are forgotten.
  now += 24 * 3_600_000;
  for (let i = 0; i < 10; i++) await begin(`new-${i}@example.pt`, '192.0.2.3');
  expect(await selectRows(db, 'post_counts')).toHaveLength(11);
});
