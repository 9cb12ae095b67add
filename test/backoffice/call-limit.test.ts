import { afterAll, expect, test } from 'vitest';
import { deleteSessions } from '../../src/backoffice/people/session-store.ts';
import { dial } from '../http/support.ts';
import { startService } from '../support/harness.ts';
import { until } from '../support/until.ts';
import { signedIn, visitor } from './support.ts';

const service = await startService({ whenOver: afterAll });

test('a fifth call of one person waits for one of the first four, and other people do not', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const other = await signedIn(service, { role: 'operator' });
  const { value } = await person.query('session.current');
  await visitor(service.url).signIn(value.user.email);
  const { promise: opened, resolve: open } = Promise.withResolvers<void>();
  const { promise: held, resolve: hold } = Promise.withResolvers<void>();
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
      await deleteSessions(tx, value.user.id, sessions[0] && { except: sessions[0].id });
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
  // The four calls may take a while to arrive, so the fifth is the first to stay unanswered.
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

const { host, port } = new URL(service.url);
const callOf = (name: string, cookie: string | null) =>
  `GET /backoffice/trpc/${name} HTTP/1.1\r\nHost: ${host}\r\nCookie: ${cookie}\r\n\r\n`;

test('another person is answered between the calls that a person has waiting', async () => {
  const { merchantId } = await service.merchant();
  const person = await signedIn(service, { role: 'viewer', merchantId });
  const other = await signedIn(service, { role: 'operator' });
  const [calls, call] = [await dial(Number(port)), await dial(Number(port))];
  for (const { socket, answers } of [calls, call]) {
    socket.write(callOf('session.current', other.cookie()));
    await until(() => answers().length === 1);
  }
  const input = encodeURIComponent(JSON.stringify({ merchantId, days: 90 }));
  calls.socket.write(callOf(`overview.series?input=${input}`, person.cookie()).repeat(100));
  let served = 0;
  for (; statusesOf(calls.raw()).length < 101; served++) {
    const answered = new Promise((resolve) => call.socket.once('data', resolve));
    call.socket.write(callOf('session.current', other.cookie()));
    await answered;
  }
  expect(served).toBeGreaterThan(10);
});

/** The statuses of the answers that have begun to arrive; the last one may be incomplete. */
function statusesOf(raw: string): number[] {
  return [...raw.matchAll(/HTTP\/1\.1 (\d{3}) /g)].map(([, status]) => Number(status));
}

test('a person has at most 250 calls waiting', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const clients = await Promise.all(Array.from({ length: 5 }, () => dial(Number(port))));
  for (const { socket } of clients) socket.write(callOf('account.sessions', person.cookie()).repeat(80));
  const answered = () => clients.flatMap(({ raw }) => statusesOf(raw()));
  await until(() => answered().length === 400);
  const statuses = answered();
  expect(statuses.filter((status) => status === 429).length).toBeGreaterThan(0);
  expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(254);
  expect((await person.query('account.sessions')).status).toBe(200);
});
