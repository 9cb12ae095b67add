import { afterAll, expect, test } from 'vitest';
import { createUser } from '../../src/backoffice/people/create-user.ts';
import { setBankAccount } from '../../src/banks/set-account.ts';
import { systemClock } from '../../src/kernel/clock.ts';
import { CREDENTIALS } from '../banks/support.ts';
import { REAL_BANK, startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { auditLog, PASSWORD, signedIn, totpCode, turnTotpOn, type Visitor, visitor } from './support.ts';

/** Stands still: a code's half minute does not end within a test. */
const now = Date.UTC(2026, 5, 1, 12, 0, 10);
const service = await startService({
  whenOver: afterAll,
  env: { SERVICE_TRUST_PROXY: '1' },
  clock: { ...systemClock, now: () => now },
});

const someone = async (email: string, options: { password?: string } = { password: PASSWORD }) =>
  await createUser(service.app.deps, { email, role: 'operator', merchantId: null, ...options });

test('the e-mail is case-insensitive, and a wrong password and an unknown e-mail get the same answer', async () => {
  await someone('ana@example.pt');
  const browser = visitor(service.url, '192.0.2.1');
  const unknown = await browser.signIn('nobody@example.pt');
  const wrong = await browser.signIn('ana@example.pt', 'another password');
  expect(unknown.error).toEqual({ ...wrong.error, requestId: unknown.error.requestId });
  expect(wrong).toMatchObject({
    status: 400,
    error: { code: 'BAD_REQUEST', reason: 'sign_in_wrong', requestId: expect.stringMatching(/^req_/) },
  });
  expect(browser.cookie()).toBeNull();
  expect(await browser.signIn(' ANA@example.PT')).toMatchObject({ value: { outcome: 'signed_in' } });
  expect((await browser.query('session.current')).value).toMatchObject({
    user: { email: 'ana@example.pt', operator: true, passwordChange: false, totp: false },
    memberships: [],
    sandbox: true,
    version: expect.stringMatching(/^\d/),
  });
});

test('concurrent attempts all count', async () => {
  await someone('burst@example.pt');
  const tries = Array.from({ length: 20 }, (_, i) =>
    visitor(service.url, `198.51.100.${i}`).signIn('burst@example.pt', 'a wrong password'),
  );
  const reasons = (await Promise.all(tries)).map(({ error }) => error.reason);
  expect(reasons.filter((reason) => reason === 'sign_in_wrong').length).toBeLessThanOrEqual(5);
});

test('an address that tries many e-mails must wait', async () => {
  const browser = visitor(service.url, '203.0.113.7');
  const tries = await Promise.all(
    Array.from({ length: 40 }, (_, i) => browser.signIn(`many-${i}@example.pt`, 'a wrong password')),
  );
  expect(tries.filter(({ status }) => status === 429).length).toBeGreaterThanOrEqual(10);
});

test('a generated password only permits changing it', async () => {
  const { password } = await someone('new@example.pt', {});
  const browser = visitor(service.url);
  await browser.signIn('new@example.pt', password);
  expect((await browser.query('session.current')).value.user.passwordChange).toBe(true);
  expect(await browser.query('users.list', {})).toMatchObject({
    status: 403,
    error: { code: 'PASSWORD_CHANGE' },
  });
  const change = (next: string) =>
    browser.mutate('account.changePassword', { current: password, password: next });
  expect((await change('short')).error).toMatchObject({ reason: 'password_short', values: { min: 12 } });
  expect((await change(password)).error.reason).toBe('password_same');
  expect((await change('new@example.pt!!')).error.reason).toBe('password_address');
  expect((await change('Password1234!')).error.reason).toBe('password_common');
  expect((await change('x'.repeat(201))).error.reason).toBe('password_long');
  expect(await change(PASSWORD)).toMatchObject({ status: 200 });
  expect(await browser.query('users.list', {})).toMatchObject({ status: 200 });
  expect((await visitor(service.url).signIn('new@example.pt', password)).error.reason).toBe('sign_in_wrong');
});

test('a changed password ends the other sessions, not this one', async () => {
  const one = await signedIn(service, { role: 'operator' });
  const two = visitor(service.url);
  await two.signIn(one.email);
  await one.mutate('account.changePassword', { current: PASSWORD, password: 'four blue bicycles' });
  expect((await one.query('session.current')).value.user).not.toBeNull();
  expect((await two.query('session.current')).value.user).toBeNull();
});

test('the second factor: confirmed by a code, then asked for, and each code opens once', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const begun = await person.mutate('account.totpBegin');
  const { secret, uri } = begun.value;
  expect(uri).toContain('otpauth://totp/');
  const code = (at: number) => totpCode(secret, at);
  expect((await person.mutate('account.totpEnable', { code: '000000' })).error.reason).toBe('code_wrong');
  const first = code(now - 30_000);
  const earlier = visitor(service.url);
  await earlier.signIn(person.email);
  expect(await person.mutate('account.totpEnable', { code: first })).toMatchObject({ status: 200 });
  expect((await earlier.query('session.current')).value.user, 'other sessions end').toBeNull();
  expect((await person.mutate('account.totpBegin')).error.reason).toBe('totp_on');

  const other = visitor(service.url);
  expect((await other.signIn(person.email)).value).toEqual({ outcome: 'code_needed' });
  expect(other.cookie()).toBeNull();
  expect((await other.signIn(person.email, PASSWORD, first)).error.reason).toBe('code_used');
  const second = code(now);
  expect((await other.signIn(person.email, PASSWORD, second)).value).toEqual({ outcome: 'signed_in' });
  const third = { password: PASSWORD, code: code(now + 30_000) };
  const refusal = async (password: string, entered: string) =>
    (await visitor(service.url).signIn(person.email, password, entered)).error.reason;
  expect(await refusal(PASSWORD, second)).toBe('code_used');
  expect(await refusal(PASSWORD, first)).toBe('code_used');
  expect(await refusal('a wrong password', third.code)).toBe('sign_in_wrong');
  const codeless = await other.mutate('session.reauthenticate', { password: PASSWORD });
  expect(codeless.error.reason).toBe('code_missing');
  expect(await other.mutate('session.reauthenticate', third)).toMatchObject({ status: 200 });
  expect((await other.mutate('session.reauthenticate', third)).error.reason).toBe('code_used');
  expect(await other.mutate('account.totpDisable')).toMatchObject({ status: 200 });
  expect((await visitor(service.url).signIn(person.email)).value).toEqual({ outcome: 'signed_in' });
});

async function withFactor() {
  const person = await signedIn(service, { role: 'operator' });
  const { secret } = (await person.mutate('account.totpBegin')).value;
  const codes = [-1, 0, 1].map((step) => totpCode(secret, now + step * 30_000));
  const wrong = codes.includes('000000') ? '999999' : '000000';
  return { person, codes, wrong };
}

test('each recovery code replaces one code of the authenticator, until new ones are made', async () => {
  const { person, codes } = await withFactor();
  const { recoveryCodes } = (await person.mutate('account.totpEnable', { code: codes[0] })).value;
  expect(new Set(recoveryCodes).size).toBe(10);
  for (const code of recoveryCodes) expect(code).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){2}$/);
  const [first, second, third] = recoveryCodes;
  const enter = (code: string) => visitor(service.url).signIn(person.email, PASSWORD, code);
  const together = await Promise.all([enter(first), enter(first)]);
  expect(together.map(({ status }) => status).toSorted()).toEqual([200, 400]);
  expect((await enter(first)).error.reason).toBe('recovery_wrong');
  const typed = ` ${second.toUpperCase().replaceAll('-', ' ')} `;
  const again = { password: PASSWORD, code: typed };
  expect(await person.mutate('session.reauthenticate', again)).toMatchObject({ status: 200 });
  expect((await person.query('account.recoveryCodes')).value).toEqual({ left: 8 });
  expect((await person.mutate('account.recoveryRenew')).value.recoveryCodes).toHaveLength(10);
  expect((await enter(third)).error.reason).toBe('recovery_wrong');
  const rows = await selectRows(service.app.deps.db, 'recovery_codes');
  const stored = JSON.stringify([rows, await auditLog(service)]);
  for (const code of recoveryCodes) expect(stored + service.logged()).not.toContain(code);
  const used = await auditLog(service, { action: 'user.recovery_used' });
  expect(used.map(({ actor, details }) => [actor, JSON.parse(details ?? '').left])).toEqual([
    [person.email, 9],
    [person.email, 8],
  ]);
  await person.mutate('account.totpDisable');
  expect((await person.query('account.recoveryCodes')).value).toEqual({ left: 0 });
});

test('with the second factor on, a new password takes an unused code, and wrong codes are counted', async () => {
  const { person, codes, wrong } = await withFactor();
  const [first, second, third] = codes;
  await person.mutate('account.totpEnable', { code: first });
  const chosen = { current: PASSWORD, password: 'nine new bicycles' };
  const change = (input: object) => person.mutate('account.changePassword', { ...chosen, ...input });
  expect((await change({})).error).toMatchObject({ reason: 'code_missing', fields: ['code'] });
  expect((await change({ code: first })).error.reason).toBe('code_used');
  expect((await change({ code: wrong })).error.reason).toBe('code_wrong');
  // A refusal of the new password costs no attempt and uses up no code.
  for (let i = 0; i < 5; i++)
    expect((await change({ code: second, password: 'short' })).error.reason).toBe('password_short');
  expect(await change({ code: second })).toMatchObject({ status: 200 });
  expect((await visitor(service.url).signIn(person.email)).error.reason).toBe('sign_in_wrong');

  const again = { current: 'nine new bicycles', password: 'ten newer bicycles' };
  for (let i = 0; i < 5; i++)
    expect((await change({ ...again, code: wrong })).error.reason).toBe('code_wrong');
  expect((await change({ ...again, code: third })).status).toBe(429);
});

test('confirming an authenticator clears no failed passwords', async () => {
  const { person, codes } = await withFactor();
  const guess = async () =>
    (await person.mutate('session.reauthenticate', { password: 'a wrong password', code: '' })).error.reason;
  for (let i = 0; i < 4; i++) expect(await guess()).toBe('password_wrong');
  expect(await person.mutate('account.totpEnable', { code: codes[0] })).toMatchObject({ status: 200 });
  expect(await guess()).toBe('password_wrong');
  expect(await guess()).toBe('sign_in_throttled');
});

test('failed sign-ins by strangers do not lock a known browser out, whose own failures count', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const other = await signedIn(service, { role: 'operator' });
  const failOf = (browser: Visitor) => browser.signIn(person.email, 'a wrong password');
  for (let i = 0; i < 6; i++) await failOf(visitor(service.url, '192.0.2.210'));
  // This browser is known to another person only.
  expect((await other.signIn(person.email)).status).toBe(429);
  expect((await person.signIn(person.email)).value).toEqual({ outcome: 'signed_in' });
  for (let i = 0; i < 5; i++) expect((await failOf(person)).error.reason).toBe('sign_in_wrong');
  expect((await person.signIn(person.email)).status).toBe(429);
});

test('a person cannot collect known browsers to guess a code that is required later', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const collected = Array.from({ length: 6 }, () => visitor(service.url, '192.0.2.220'));
  for (const browser of collected) await browser.signIn(person.email);
  await turnTotpOn(person, now);
  const reasons: string[] = [];
  for (const browser of collected)
    for (let i = 0; i < 5; i++)
      reasons.push((await browser.signIn(person.email, PASSWORD, 'wrong')).error.reason);
  expect(reasons.slice(0, 25)).toEqual(Array.from({ length: 25 }, () => 'code_wrong'));
  expect(reasons.slice(25)).toEqual(Array.from({ length: 5 }, () => 'sign_in_throttled'));
});

test('after five failures any stranger must wait, and the signed-in person need not', async () => {
  const person = await signedIn(service, { role: 'operator' });
  for (let i = 0; i < 5; i++) await visitor(service.url, '192.0.2.200').signIn(person.email, `wrong ${i}`);
  const waiting = await visitor(service.url, '192.0.2.201').signIn(person.email);
  expect(waiting).toMatchObject({
    status: 429,
    error: { code: 'TOO_MANY_REQUESTS', reason: 'sign_in_throttled' },
  });
  expect(waiting.error.values.seconds).toEqual(expect.any(Number));
  expect(waiting.error.message).toContain(`Wait ${waiting.error.values.seconds} s`);
  expect(await person.mutate('session.reauthenticate', { password: PASSWORD })).toMatchObject({
    status: 200,
  });
  const change = { current: PASSWORD, password: 'eight old bicycles' };
  expect(await person.mutate('account.changePassword', change)).toMatchObject({ status: 200 });
});

test('passwords, tokens and secrets are in no log and no table', async () => {
  const { password } = await someone('quiet@example.pt', {});
  const browser = visitor(service.url);
  await browser.signIn('quiet@example.pt', password);
  await browser.mutate('account.changePassword', { current: password, password: 'five loud bicycles' });
  const { secret } = (await browser.mutate('account.totpBegin')).value;
  const { db } = service.app.deps;
  const stored = [await selectRows(db, 'users'), await selectRows(db, 'sessions')];
  const token = browser.cookie()?.split('=')[1] ?? 'none';
  const written = JSON.stringify([await auditLog(service), stored]) + service.logged();
  for (const hidden of [password, 'five loud bicycles', secret, token]) expect(written).not.toContain(hidden);
});

test('with a real bank an operator sets up the second factor first, and every operator learns of a new bank account', async () => {
  const real = await startService({ clock: { ...systemClock, now: () => now }, env: REAL_BANK });
  const operator = async () => {
    const person = await signedIn(real, { role: 'operator' });
    expect((await person.query('session.current')).value.user).toMatchObject({ factorDue: true });
    for (const name of ['users.list', 'system.show', 'account.sessions']) {
      expect((await person.query(name, {})).error.code).toBe('SECOND_FACTOR');
    }
    expect((await person.mutate('review.release', { transactionIds: ['tx_1'] })).error.code).toBe(
      'SECOND_FACTOR',
    );
    await turnTotpOn(person, now);
    expect(await person.query('users.list', {})).toMatchObject({ status: 200 });
    return person;
  };
  const [one, two] = [await operator(), await operator()];
  const owner = await signedIn(real, { role: 'owner', merchantId: (await real.merchant()).merchantId });
  expect((await owner.query('session.current')).value.user).toMatchObject({ factorDue: false });

  const account = { merchantId: null, credentials: CREDENTIALS };
  await one.mutate('merchants.setBank', account);
  await setBankAccount(real.app.deps, account);
  const notices = async (person: typeof one) => (await person.query('system.bankNotices')).value;
  const [newest, oldest] = await notices(two);
  expect([newest, oldest]).toMatchObject([
    { actor: 'service', merchantName: null },
    { actor: one.email, merchantName: null },
  ]);
  const dismiss = (through: string) => two.mutate('system.dismissBankNotices', { through });
  expect((await dismiss('aud_zzzz')).status).toBe(404);
  expect(await dismiss(oldest.id)).toMatchObject({ status: 200 });
  expect(await notices(two)).toHaveLength(1);
  await dismiss(newest.id);
  expect(await notices(two)).toEqual([]);
  expect(await notices(one)).toHaveLength(2);
});
