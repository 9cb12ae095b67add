import { afterAll, expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { dial } from '../http/support.ts';
import { startService } from '../support/harness.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { PASSWORD, shopWithOwner, signedIn, visitor } from './support.ts';

let now = Date.UTC(2026, 5, 1, 12);
const service = await startService({
  whenOver: afterAll,
  env: { SERVICE_TRUST_PROXY: '1' },
  clock: { ...systemClock, now: () => now },
});
const port = Number(new URL(service.url).port);

/** The head of a mutation whose body of `bytes` bytes has not arrived. */
const headOf = (name: string, bytes: number | 'chunked', ...more: string[]) =>
  [
    `POST /backoffice/trpc/${name} HTTP/1.1`,
    `Host: ${new URL(service.url).host}`,
    `Origin: ${service.url}`,
    'X-Backoffice: 1',
    'Content-Type: application/json',
    bytes === 'chunked' ? 'Transfer-Encoding: chunked' : `Content-Length: ${bytes}`,
    ...more,
    '\r\n',
  ].join('\r\n');

async function answerTo(...parts: Parameters<typeof headOf>) {
  const { socket, raw, answers } = await dial(port);
  socket.write(headOf(...parts));
  await until(() => raw().includes('\r\n\r\n{'));
  return answers()[0];
}

test.each([
  ['a procedure of signed-in people', 'webhook.setUrl', 100, 401],
  ['an unknown procedure', 'session.nothing', 100, 404],
  ['a member of the router that is no procedure', 'createCaller', 100, 404],
  ['a body above the limit for strangers', 'session.signIn', 8 * 1024 + 1, 400],
])('without a session, %s is refused before its body arrives', async (_case, name, bytes, status) => {
  expect((await answerTo(name, bytes))?.status).toBe(status);
});

test('a procedure of operators is refused to others before its body arrives', async () => {
  const { owner } = await shopWithOwner(service);
  const answer = await answerTo('users.setActive', 100, `Cookie: ${owner.cookie()}`);
  expect(answer?.status).toBe(403);
});

test('an address gets 120 calls without a session per minute, counted before their bodies', async () => {
  const from = 'X-Forwarded-For: 198.51.100.7';
  const person = await signedIn(service, { role: 'operator' });
  const stranger = visitor(service.url, '198.51.100.7');
  for (let i = 0; i < 120; i++) {
    expect((await stranger.mutate('link.show', { token: 'none' })).error.reason).toBe('link_gone');
  }
  const refused = await answerTo('link.show', 100, from);
  expect(refused).toMatchObject({
    status: 429,
    body: { error: { data: { reason: 'sign_in_throttled', values: { seconds: expect.any(Number) } } } },
  });
  expect(Number(refused?.headers.get('retry-after'))).toBeGreaterThan(0);
  const other = visitor(service.url, '198.51.100.8');
  expect((await other.mutate('link.show', { token: 'none' })).status).toBe(404);
  stranger.takeCookie(person.cookie());
  expect((await stranger.mutate('link.show', { token: 'none' })).status).toBe(404);
  // It creates a challenge that belongs to no one.
  expect((await stranger.mutate('session.passkeyBegin')).status).toBe(429);
});

test('a session that ends while a body arrives slowly does not run the call', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const other = visitor(service.url);
  await other.signIn(person.email);
  const { db } = service.app.deps;
  const { id } = (await other.query('account.sessions')).value.find(
    ({ current }: { current: boolean }) => current,
  );
  now += 60_000;
  const body = JSON.stringify({ current: PASSWORD, password: 'nine slow bicycles' });
  const { socket, raw, answers } = await dial(port);
  socket.write(headOf('account.changePassword', body.length, `Cookie: ${other.cookie()}`) + body.slice(0, 9));
  // The use of the session is recorded once the head has been accepted.
  await until(async () => (await selectRow(db, 'sessions', { id })).seen_at === now);
  now += 2000;
  await person.mutate('account.revokeOthers');
  socket.write(body.slice(9));
  await until(() => raw().includes('\r\n\r\n{'));
  expect(answers()[0]?.status).toBe(401);
});

test('a person has four bodies read at a time, and keeps no other person waiting', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const other = await signedIn(service, { role: 'operator' });
  const body = JSON.stringify({ language: 'en' });
  const unfinished = [];
  for (let times = 0; times < 4; times++) {
    const connection = await dial(port);
    const head = headOf('account.setLanguage', body.length, `Cookie: ${person.cookie()}`);
    connection.socket.write(head + body.slice(0, 9));
    unfinished.push(connection);
  }
  // The heads have been read once a later connection is answered.
  await other.query('session.current');
  // In chunks of one byte, a body that waits could take hundreds of times its size.
  const unsized = await answerTo('account.setLanguage', 'chunked', `Cookie: ${person.cookie()}`);
  expect(unsized?.status).toBe(429);
  let isAnswered = false;
  const fifth = person.mutate('account.setLanguage', { language: 'pt' }).then(({ status }) => {
    isAnswered = true;
    return status;
  });
  for (let times = 0; times < 5; times++) {
    expect((await other.mutate('account.setLanguage', { language: 'pt' })).status).toBe(200);
  }
  expect(isAnswered).toBe(false);
  for (const { socket } of unfinished) socket.write(body.slice(9));
  expect(await fifth).toBe(200);
  for (const { raw, answers } of unfinished) {
    await until(() => raw().includes('\r\n\r\n{'));
    expect(answers()[0]?.status).toBe(200);
  }
});
