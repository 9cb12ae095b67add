import { afterAll, beforeEach, expect, test } from 'vitest';
import { MINUTE_MS, systemClock } from '../../src/kernel/clock.ts';
import { startService } from '../support/harness.ts';
import { selectRow, updateRows } from '../support/rows.ts';
import { addPasskey, type SoftPasskey, softPasskey } from './authenticator.ts';
import {
  auditLog,
  type CallResult,
  PASSWORD,
  resetToken,
  shopWithOwner,
  signedIn,
  turnTotpOn,
  type Visitor,
  visitor,
} from './support.ts';

let now = Date.UTC(2026, 5, 1, 12);
const service = await startService({
  whenOver: afterAll,
  env: { SERVICE_TRUST_PROXY: '1' },
  clock: { ...systemClock, now: () => now },
});
const { deps } = service.app;
const WRONG = { status: 400, error: { reason: 'passkey_wrong' } };

type Person = Awaited<ReturnType<typeof signedIn>>;
type Forged = Parameters<SoftPasskey['get']>[1];

let addresses = 0;
/** Uses a separate address, so that failures of other tests do not count. */
const stranger = () => visitor(service.url, `198.51.100.${++addresses}`);

async function signInWith(passkey: SoftPasskey, forged?: Forged, browser = stranger()): Promise<CallResult> {
  const { value: options } = await browser.mutate('session.passkeyBegin');
  return await browser.mutate('session.passkeySignIn', { response: passkey.get(options, forged) });
}

async function confirmWith(person: Visitor, passkey: SoftPasskey): Promise<CallResult> {
  const { value: options } = await person.mutate('session.confirmBegin');
  return await person.mutate('session.confirm', { response: passkey.get(options) });
}

const user = async (person: Visitor) => (await person.query('session.current')).value.user;

let ana: Person;
let passkey: SoftPasskey;
beforeEach(async () => {
  now += 60 * MINUTE_MS;
  ana = await signedIn(service, { role: 'operator' });
  passkey = await addPasskey(ana, softPasskey(service.url));
});

test('a passkey signs in without e-mail and password, and the account and the audit log name it', async () => {
  const browser = stranger();
  const { value: options } = await browser.mutate('session.passkeyBegin');
  expect(options).toMatchObject({ rpId: 'localhost', userVerification: 'required', allowCredentials: [] });
  now += MINUTE_MS;
  const response = passkey.get(options);
  expect((await browser.mutate('session.passkeySignIn', { response })).status).toBe(200);
  expect(await user(browser)).toMatchObject({ email: ana.email, passkeys: 'optional', factorDue: false });
  expect((await browser.query('account.passkeys')).value).toEqual({
    max: 10,
    rows: [
      { id: expect.stringMatching(/^pky_/), name: 'My laptop', createdAt: now - MINUTE_MS, usedAt: now },
    ],
  });
  const { value: log } = await browser.query('audit.list', { merchantId: null });
  expect(log.rows.slice(0, 2)).toMatchObject([
    { action: 'user.signed_in', actor: ana.email, details: { passkey: 'My laptop' } },
    { action: 'user.passkey_added', actor: ana.email, details: { email: ana.email, passkey: 'My laptop' } },
  ]);
  expect(await signInWith(softPasskey(service.url))).toMatchObject(WRONG);
});

test.each<[string, (other: Person) => Forged]>([
  ['a challenge that the service did not make', () => ({ challenge: 'A'.repeat(43) })],
  ['another origin', () => ({ origin: 'https://localhost.evil.example' })],
  ['another host', () => ({ rpId: 'evil.example' })],
  ['an authenticator that did not verify its person', () => ({ verified: false })],
  ['the name of another person', ({ userId }) => ({ userHandle: Buffer.from(userId).toString('base64url') })],
  ['no name of a person', () => ({ userHandle: '' })],
])('a passkey is refused with %s', async (_name, forge) => {
  const other = await signedIn(service, { role: 'operator' });
  const browser = stranger();
  expect(await signInWith(passkey, forge(other), browser)).toMatchObject(WRONG);
  expect(browser.cookie()).toBeNull();
  expect((await signInWith(passkey, {}, browser)).status).toBe(200);
});

test('a signature of another key is refused', async () => {
  const browser = stranger();
  const { value: options } = await browser.mutate('session.passkeyBegin');
  const handle = Buffer.from(ana.userId).toString('base64url');
  const forged = softPasskey(service.url).get(options, { userHandle: handle });
  const response = { ...forged, id: passkey.id, rawId: passkey.id };
  expect(await browser.mutate('session.passkeySignIn', { response })).toMatchObject(WRONG);
  expect(browser.cookie()).toBeNull();
});

test('an answer is accepted once, within five minutes, and only for what its challenge was made', async () => {
  const browser = stranger();
  const begin = async (name = 'session.passkeyBegin') => (await browser.mutate(name)).value;
  const signIn = (response: unknown) => browser.mutate('session.passkeySignIn', { response });
  const response = passkey.get(await begin());
  expect((await signIn(response)).status).toBe(200);
  expect(await signIn(response)).toMatchObject(WRONG);

  const failed = await begin();
  expect(await signIn(passkey.get(failed, { verified: false }))).toMatchObject(WRONG);
  expect(await signIn(passkey.get(failed))).toMatchObject(WRONG);

  expect(await signIn(passkey.get(await begin('session.confirmBegin')))).toMatchObject(WRONG);
  const late = await begin();
  now += 5 * MINUTE_MS;
  expect(await signIn(passkey.get(late))).toMatchObject(WRONG);
});

test('challenges that have ended are deleted with new ones, and a signed-in person has one', async () => {
  const rows = async () => await deps.db.read.selectFrom('passkey_challenges').select('user_id').execute();
  for (let i = 0; i < 6; i++) await stranger().mutate('session.passkeyBegin');
  now += 5 * MINUTE_MS;
  for (let i = 0; i < 12; i++) await ana.mutate('session.confirmBegin');
  expect(await rows()).toEqual([{ user_id: ana.userId }]);
});

test('a counter that goes back is refused and audited; authenticators without a counter are accepted', async () => {
  expect((await signInWith(passkey, { counter: 7 })).status).toBe(200);
  expect(await signInWith(passkey, { counter: 7 })).toMatchObject(WRONG);
  expect(await signInWith(passkey, { counter: 0 })).toMatchObject(WRONG);
  expect(await auditLog(service, { action: 'user.passkey_refused', target: ana.userId })).toMatchObject([
    { actor: ana.email, details: JSON.stringify({ email: ana.email, passkey: 'My laptop' }) },
    { actor: ana.email, details: expect.any(String) },
  ]);
  expect((await signInWith(passkey, { counter: 8 })).status).toBe(200);

  const synced = await addPasskey(ana, softPasskey(service.url, { counts: false }));
  expect((await signInWith(synced)).status).toBe(200);
  expect((await signInWith(synced)).status).toBe(200);
});

test('failures with a passkey make the next attempt wait, and do not slow the password down', async () => {
  const browser = stranger();
  for (let i = 0; i < 5; i++) {
    expect(await signInWith(passkey, { verified: false }, browser)).toMatchObject(WRONG);
  }
  expect(await signInWith(passkey, {}, browser)).toMatchObject({ status: 429 });
  expect((await browser.signIn(ana.email)).value).toEqual({ outcome: 'signed_in' });
});

test('a person has at most ten passkeys, and a credential belongs to one person', async () => {
  const other = await signedIn(service, { role: 'operator' });
  const { value: theirs } = await other.mutate('account.passkeyBegin');
  const response = passkey.create(theirs);
  expect(await other.mutate('account.passkeyAdd', { name: 'Taken', response })).toMatchObject({
    status: 400,
    error: { reason: 'passkey_known' },
  });
  const { value: options } = await ana.mutate('account.passkeyBegin');
  expect(options).toMatchObject({
    attestation: 'none',
    user: { id: Buffer.from(ana.userId).toString('base64url'), name: ana.email },
    excludeCredentials: [{ id: passkey.id }],
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  });
  const foreign = softPasskey(service.url).create(options, { origin: 'https://evil.example' });
  expect(await ana.mutate('account.passkeyAdd', { name: 'Forged', response: foreign })).toMatchObject(WRONG);
  const { value: again } = await ana.mutate('account.passkeyBegin');
  const unverified = softPasskey(service.url).create(again, { verified: false });
  expect(await ana.mutate('account.passkeyAdd', { name: 'Weak', response: unverified })).toMatchObject(WRONG);

  for (let i = 2; i <= 10; i++) await addPasskey(ana, softPasskey(service.url), `Passkey ${i}`);
  expect(await ana.mutate('account.passkeyBegin')).toMatchObject({
    status: 400,
    error: { reason: 'passkeys_full', values: { max: 10 } },
  });
});

test('a passkey confirms its own person for procedures that need a recent password', async () => {
  const other = await signedIn(service, { role: 'operator' });
  const theirs = await addPasskey(other, softPasskey(service.url));
  now += 11 * MINUTE_MS;
  expect(await ana.mutate('account.passkeyBegin')).toMatchObject({ error: { code: 'REAUTHENTICATE' } });
  expect(await confirmWith(ana, theirs)).toMatchObject(WRONG);
  const nameless = theirs.get((await ana.mutate('session.confirmBegin')).value);
  delete nameless.response.userHandle;
  expect(await ana.mutate('session.confirm', { response: nameless })).toMatchObject(WRONG);
  expect(await ana.mutate('account.passkeyBegin')).toMatchObject({ error: { code: 'REAUTHENTICATE' } });
  const { value: forOther } = await other.mutate('session.confirmBegin');
  expect(await ana.mutate('session.confirm', { response: passkey.get(forOther) })).toMatchObject(WRONG);
  expect((await confirmWith(ana, passkey)).status).toBe(200);
  const { value: forAdding } = await ana.mutate('account.passkeyBegin');
  const response = passkey.get({ challenge: forAdding.challenge, rpId: forAdding.rp.id });
  expect(await ana.mutate('session.confirm', { response })).toMatchObject(WRONG);
});

test('a removed passkey no longer signs in, and the sessions that it started end', async () => {
  const thief = stranger();
  expect((await signInWith(passkey, {}, thief)).status).toBe(200);
  const other = await signedIn(service, { role: 'operator' });
  const [row] = (await ana.query('account.passkeys')).value.rows;
  expect(await other.mutate('account.passkeyRemove', { id: row.id })).toMatchObject({ status: 404 });
  expect((await ana.mutate('account.passkeyRemove', { id: row.id })).status).toBe(200);
  expect(await user(thief)).toBeNull();
  expect(await user(ana)).toMatchObject({ passkeys: 'none' });
  expect(await signInWith(passkey)).toMatchObject(WRONG);
  expect(await auditLog(service, { action: 'user.passkey_removed', target: ana.userId })).toMatchObject([
    { actor: ana.email, details: JSON.stringify({ email: ana.email, passkey: 'My laptop' }) },
  ]);
});

test('a disabled person cannot sign in with a passkey', async () => {
  const other = await signedIn(service, { role: 'operator' });
  expect((await other.mutate('users.setActive', { userId: ana.userId, active: false })).status).toBe(200);
  expect(await signInWith(passkey)).toMatchObject(WRONG);
  expect(await user(ana)).toBeNull();
});

test('a passkey signs a person with an authenticator in without its code', async () => {
  await turnTotpOn(ana, now);
  const browser = stranger();
  expect((await browser.signIn(ana.email)).value).toEqual({ outcome: 'code_needed' });
  expect((await signInWith(passkey, {}, browser)).status).toBe(200);
  expect(await user(browser)).toMatchObject({ totp: true, passkeys: 'optional' });
});

test('a person who expects their own account back is not signed in as another', async () => {
  const other = await signedIn(service, { role: 'operator' });
  const browser = stranger();
  const { value: options } = await browser.mutate('session.passkeyBegin');
  const input = { response: passkey.get(options), email: other.email };
  expect(await browser.mutate('session.passkeySignIn', input)).toMatchObject(WRONG);
  expect(browser.cookie()).toBeNull();
});

/** A member of a team that requires a second factor. */
async function requiredMember(): Promise<Person> {
  const { merchantId, owner: member } = await shopWithOwner(service);
  const owner = await signedIn(service, { role: 'operator' });
  const required = await owner.mutate('team.setFactor', { merchantId, required: true });
  expect(required.status).toBe(200);
  return member;
}

test('a passkey is the required second factor: it sets a person up, and their password alone does nothing', async () => {
  const member = await requiredMember();
  expect(await user(member)).toMatchObject({ factorDue: true, passkeys: 'none' });
  const own = await addPasskey(member, softPasskey(service.url));
  expect(await user(member)).toMatchObject({ factorDue: false, passkeys: 'required' });

  const browser = stranger();
  expect((await browser.signIn(member.email)).value).toEqual({ outcome: 'signed_in' });
  expect(await user(browser)).toMatchObject({ factorDue: true, passkeys: 'required' });
  expect(await browser.query('account.sessions')).toMatchObject({ error: { code: 'SECOND_FACTOR' } });
  const MISSING = { status: 400, error: { reason: 'passkey_missing' } };
  expect(await browser.mutate('session.reauthenticate', { password: PASSWORD })).toMatchObject(MISSING);
  const change = { current: PASSWORD, password: 'four new bicycles' };
  expect(await browser.mutate('account.changePassword', change)).toMatchObject(MISSING);
  for (const begin of ['account.totpBegin', 'account.passkeyBegin']) {
    expect(await browser.mutate(begin)).toMatchObject({ error: { code: 'REAUTHENTICATE' } });
  }
  expect((await confirmWith(browser, own)).status).toBe(200);
  expect(await user(browser)).toMatchObject({ factorDue: false });

  const [row] = (await browser.query('account.passkeys')).value.rows;
  expect((await browser.mutate('account.passkeyRemove', { id: row.id })).status).toBe(200);
  expect(await user(browser)).toMatchObject({ factorDue: true, passkeys: 'none' });
});

test('where a passkey is the required second factor, changing the password confirms nothing', async () => {
  const member = await requiredMember();
  await addPasskey(member, softPasskey(service.url));
  now += 11 * MINUTE_MS;
  const change = { current: PASSWORD, password: 'four new bicycles' };
  expect((await member.mutate('account.changePassword', change)).status).toBe(200);
  expect(await member.mutate('account.passkeyBegin')).toMatchObject({ error: { code: 'REAUTHENTICATE' } });
});

async function useReset(totp: boolean): Promise<void> {
  const token = await resetToken(service, ana.email, totp);
  const browser = stranger();
  expect((await browser.mutate('link.show', { token })).value.removesFactor).toBe(totp);
  expect((await browser.mutate('link.accept', { token, password: 'four new bicycles' })).status).toBe(200);
}

test('a reset link keeps the passkeys, and removes them with the second factor', async () => {
  await useReset(false);
  expect((await signInWith(passkey)).status).toBe(200);
  await useReset(true);
  expect(await signInWith(passkey)).toMatchObject(WRONG);
});

test('a reset link removes the passkeys of an account with an unconfirmed e-mail address', async () => {
  await updateRows(deps.db, 'users', { unverified: 1 }, { id: ana.userId });
  await useReset(false);
  expect(await signInWith(passkey)).toMatchObject(WRONG);
  // The operator's link has confirmed the address.
  expect(await selectRow(deps.db, 'users', { id: ana.userId })).toMatchObject({ unverified: 0 });
});
