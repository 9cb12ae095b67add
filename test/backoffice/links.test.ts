import { afterAll, expect, test } from 'vitest';
import { DAY_MS, systemClock } from '../../src/kernel/clock.ts';
import { startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { auditLog, PASSWORD, resetToken, signedIn, turnTotpOn, type Visitor, visitor } from './support.ts';

let now = Date.UTC(2026, 5, 1, 12);
const service = await startService({ whenOver: afterAll, clock: { ...systemClock, now: () => now } });
const shop = await service.merchant({ name: 'Shop of links' });

const ownerOf = (merchant = shop) => signedIn(service, { role: 'owner', merchantId: merchant.merchantId });
const tokenOf = (link: string) => {
  expect(link).toMatch(/^\/backoffice\/link#[\w-]{43}$/);
  return link.split('#')[1] ?? '';
};
const invite = async (by: Visitor, email: string, role = 'viewer', merchant = shop) => {
  const { value } = await by.mutate('team.invite', { merchantId: merchant.merchantId, email, role });
  expect(value, 'nothing tells whether the e-mail has an account').toEqual({ link: expect.any(String) });
  return tokenOf(value.link);
};
const accept = (browser: Visitor, token: string, password?: string) =>
  browser.mutate('link.accept', { token, ...(password !== undefined && { password }) });
/** What the page does with an invitation: sets the password, signs in with it and joins. */
const join = async (browser: Visitor, token: string, email: string) => {
  expect((await accept(browser, token, PASSWORD)).value).toEqual({ outcome: 'sign_in' });
  expect((await browser.signIn(email)).value).toEqual({ outcome: 'signed_in' });
  expect((await accept(browser, token)).value).toEqual({ outcome: 'signed_in' });
};

test('an invited person becomes a member after choosing a password, not before', async () => {
  const owner = await ownerOf();
  const token = await invite(owner, 'Rita@Example.pt');
  const team = async () => (await owner.query('team.list', { merchantId: shop.merchantId })).value;
  expect((await team()).invites).toMatchObject([{ email: 'rita@example.pt', role: 'viewer' }]);
  expect((await team()).members.map(({ email }: { email: string }) => email)).toEqual([owner.email]);

  const rita = visitor(service.url);
  expect((await rita.mutate('link.show', { token })).value).toEqual({
    kind: 'invite',
    email: 'rita@example.pt',
    merchantName: 'Shop of links',
    role: 'viewer',
    signedIn: false,
    removesFactor: false,
    expiresAt: now + DAY_MS,
  });
  expect((await accept(rita, token, 'short')).error.reason).toBe('password_short');
  await join(rita, token, 'rita@example.pt');
  expect((await rita.query('session.current')).value.memberships).toMatchObject([
    { merchantId: shop.merchantId, name: 'Shop of links', role: 'viewer' },
  ]);
  expect((await team()).invites).toEqual([]);
  expect((await team()).members).toHaveLength(2);
  const entries = await auditLog(service);
  const marked = entries.filter(({ details }) => details?.includes('rita@example.pt') === true);
  expect(marked.map(({ action, details }) => [action, JSON.parse(details ?? '').unverified])).toEqual([
    ['member.invited', undefined],
    ['user.password_changed', true],
    ['member.joined', true],
  ]);
});

test('a link works once, also when used concurrently', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const token = await resetToken(service, person.email);
  const outcomes = await Promise.all(
    Array.from({ length: 5 }, () => accept(visitor(service.url), token, PASSWORD)),
  );
  expect(outcomes.filter(({ status }) => status === 200)).toHaveLength(1);
  const again = await accept(visitor(service.url), token, PASSWORD);
  expect(again).toMatchObject({ status: 404, error: { code: 'NOT_FOUND', reason: 'link_gone' } });
  expect((await visitor(service.url).mutate('link.show', { token })).error.reason).toBe('link_gone');
});

test('a link that sets passwords repeatedly is throttled, and other people can still sign in', async () => {
  const owner = await ownerOf();
  const token = await invite(owner, 'again@example.pt');
  for (let times = 0; times < 5; times++) {
    expect((await accept(visitor(service.url), token, PASSWORD)).value).toEqual({ outcome: 'sign_in' });
  }
  for (const browser of [visitor(service.url), owner]) {
    expect(await accept(browser, token, PASSWORD)).toMatchObject({
      status: 429,
      error: { reason: 'sign_in_throttled' },
    });
  }
  const invited = visitor(service.url);
  expect((await invited.signIn('again@example.pt')).value).toEqual({ outcome: 'signed_in' });
  expect((await accept(invited, token)).value).toEqual({ outcome: 'signed_in' });
});

test('a link ends after 24 hours or when a newer one is made', async () => {
  const owner = await ownerOf();
  const first = await invite(owner, 'late@example.pt');
  const second = await invite(owner, 'late@example.pt');
  const show = async (token: string) => (await visitor(service.url).mutate('link.show', { token })).status;
  expect([await show(first), await show(second)]).toEqual([404, 200]);
  now += DAY_MS;
  expect(await show(second)).toBe(404);
  const { db } = service.app.deps;
  const ended = async () => (await selectRows(db, 'user_links')).filter((link) => link.expires_at <= now);
  const before = await ended();
  await invite(await ownerOf(), 'late@example.pt');
  expect(await ended(), 'a new link deletes two that have ended').toHaveLength(
    Math.max(0, before.length - 2),
  );
});

test('an invitation of a person with a password needs their session', async () => {
  const owner = await ownerOf();
  const known = await signedIn(service, { role: 'operator' });
  const token = await invite(owner, known.email, 'owner');
  expect((await known.mutate('link.show', { token })).value).toMatchObject({ signedIn: true });
  for (const browser of [visitor(service.url), owner]) {
    expect((await accept(browser, token, 'another password')).value).toEqual({ outcome: 'sign_in' });
  }
  const guessed = await visitor(service.url).signIn(known.email, 'another password');
  expect(guessed.error.reason).toBe('sign_in_wrong');
  expect((await visitor(service.url).signIn(known.email)).status).toBe(200);
  expect((await accept(known, token)).value).toEqual({ outcome: 'signed_in' });
});

test('an invitation does not reveal whether its e-mail has an account', async () => {
  const owner = await ownerOf();
  const known = await signedIn(service, { role: 'operator' });
  const disabled = await signedIn(service, { role: 'operator' });
  await known.mutate('users.setActive', { userId: disabled.userId, active: false });
  const said = async (email: string) => {
    const token = await invite(owner, email);
    const stranger = visitor(service.url);
    const shown = await stranger.mutate('link.show', { token });
    const refused = [
      await accept(stranger, token),
      await accept(stranger, token, 'short'),
      await accept(owner, token, 'password1234'),
      await accept(stranger, token, 'quite a valid password'),
      await accept(owner, token, 'another valid password'),
      await stranger.mutate('link.show', { token }),
    ];
    return {
      shown: { ...shown.value, email: '' },
      refused: refused.map(({ status, error, value }) => ({
        status,
        reason: error?.reason,
        ...value,
        email: '',
      })),
    };
  };
  const unknown = await said('unknown-to-all@example.pt');
  expect(unknown.refused).toMatchObject([
    { status: 400, reason: 'password_short' },
    { status: 400, reason: 'password_short' },
    { status: 400, reason: 'password_common' },
    { status: 200, outcome: 'sign_in' },
    { status: 200, outcome: 'sign_in' },
    { status: 200, kind: 'invite' },
  ]);
  expect(await said(known.email)).toEqual(unknown);
  expect(await said(disabled.email)).toEqual(unknown);
});

test('after one of two invitations is used, the other sets no password', async () => {
  const other = await service.merchant({ name: 'Other shop' });
  const one = await invite(await ownerOf(), 'two@example.pt');
  const two = await invite(await ownerOf(other), 'two@example.pt', 'owner', other);
  await join(visitor(service.url), one, 'two@example.pt');
  expect((await accept(visitor(service.url), two, 'stolen password')).value).toEqual({ outcome: 'sign_in' });
  expect((await visitor(service.url).signIn('two@example.pt', 'stolen password')).status).toBe(400);
});

test('a reset link sets the password, ends all sessions and keeps the second factor', async () => {
  const person = await signedIn(service, { role: 'operator' });
  await turnTotpOn(person, now);
  const earlier = await resetToken(service, person.email);
  const token = await resetToken(service, person.email);
  expect((await visitor(service.url).mutate('link.show', { token: earlier })).status).toBe(404);

  const browser = visitor(service.url);
  expect((await accept(browser, token, 'a wholly new one')).value).toEqual({ outcome: 'sign_in' });
  expect(browser.cookie()).toBeNull();
  expect((await person.query('session.current')).value.user).toBeNull();
  expect((await browser.signIn(person.email, 'a wholly new one')).value).toEqual({ outcome: 'code_needed' });

  const both = await resetToken(service, person.email, true);
  expect((await browser.mutate('link.show', { token: both })).value.removesFactor).toBe(true);
  expect((await accept(browser, both, PASSWORD)).value).toEqual({ outcome: 'signed_in' });
  expect((await browser.query('session.current')).value.user.totp).toBe(false);
});

test('a new password invalidates unused reset links', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const token = await resetToken(service, person.email, true);
  await person.mutate('account.changePassword', { current: PASSWORD, password: 'six slow bicycles' });
  expect((await accept(visitor(service.url), token, 'seven bicycles here')).status).toBe(404);

  const invitation = await invite(await ownerOf(), 'first@example.pt');
  const reset = await resetToken(service, 'first@example.pt');
  expect((await accept(visitor(service.url), invitation, PASSWORD)).value).toEqual({ outcome: 'sign_in' });
  expect((await accept(visitor(service.url), reset, 'seven bicycles here')).status).toBe(404);
});

test('removing or disabling a person invalidates their links', async () => {
  const owner = await ownerOf();
  const operator = await signedIn(service, { role: 'operator' });
  const token = await invite(owner, 'gone@example.pt');
  const { invites } = (await owner.query('team.list', { merchantId: shop.merchantId })).value;
  const { userId } = invites.find(({ email }: { email: string }) => email === 'gone@example.pt');
  await owner.mutate('team.remove', { merchantId: shop.merchantId, userId });
  expect((await accept(visitor(service.url), token, PASSWORD)).status).toBe(404);
  const again = await invite(owner, 'gone@example.pt');
  await operator.mutate('users.setActive', { userId, active: false });
  expect((await accept(visitor(service.url), again, PASSWORD)).status).toBe(404);
  // A later invitation sets no password of a disabled person.
  await accept(visitor(service.url), await invite(owner, 'gone@example.pt'), PASSWORD);
  await operator.mutate('users.setActive', { userId, active: true });
  expect((await visitor(service.url).signIn('gone@example.pt')).error.reason).toBe('sign_in_wrong');
});

test('the token of a link is stored only as a hash', async () => {
  const token = await invite(await ownerOf(), 'hash@example.pt');
  const rows = await service.app.deps.db.read.selectFrom('user_links').selectAll().execute();
  expect(JSON.stringify([rows, await auditLog(service)]) + service.logged()).not.toContain(token);
});
