import { text } from 'node:stream/consumers';
import { expect, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { createMailTransport } from '../../src/mail/transport.ts';
import { handMadeBank } from '../banks/support.ts';
import { fakeClock } from '../support/fake-clock.ts';
import { updateRows } from '../support/rows.ts';
import { until } from '../support/until.ts';
import { COMPOSED, FROM, mailing, outboxTo, smtpServer } from './outbox.ts';

/** Makes the third transaction, which records the outcome, fail before or after its commit. Resolves when it has failed. */
function failRecording({ deps }: Awaited<ReturnType<typeof outboxTo>>, moment: 'before' | 'after') {
  const { db } = deps;
  let units = 0;
  const unit: typeof db.unit = async (work) => {
    const fails = ++units === 3;
    if (fails && moment === 'before') throw new Error('connection lost');
    const value = await db.unit(work);
    if (fails) throw new Error('connection lost');
    return value;
  };
  deps.db = Object.create(db, { unit: { value: unit } });
  return until(() => units === 3, 'the failure');
}

test('a mail has a stable Message-ID, its kind, and no header or invisible character of a customer’s making', async () => {
  const { server, outbox } = await mailing();
  outbox.start();
  const { id } = await outbox.attempts(1);
  const [mail = ''] = server.received;
  const headers = mail.slice(0, mail.indexOf('\r\n\r\n'));
  expect(headers).toContain(`Message-ID: <${id}@service.example>`);
  expect(headers).toContain('X-Service-Mail-Kind: payment-receipt');
  // Keeps absence notes from being sent (RFC 3834).
  expect(headers).toContain('Auto-Submitted: auto-generated');
  expect(outbox.outcomes).toEqual(['sent']);
  expect(headers).not.toMatch(/^Bcc:/im);
  expect(mail).not.toMatch(/=E2=80=AE|\u202e/i);
  await outbox.db.unit((tx) => outbox.queue(tx, { kind: 'payment-receipt', entity: 'tx_1' }));
  expect(await outbox.db.read.selectFrom('mails').selectAll().execute()).toHaveLength(1);
});

test.each([
  [`"Loja Azul" <${FROM}>`, 'Loja Azul'],
  [`Loja Azul <${FROM}>`, 'Loja Azul'],
  [`<${FROM}>`, 'Payment service'],
])('the sender %s names mails that are not sent for a merchant', async (sender, name) => {
  const { from, ...unnamed } = COMPOSED;
  const { server, outbox } = await mailing({}, () => unnamed, sender);
  outbox.start();
  await outbox.attempts(1);
  expect(server.received[0]).toContain(`From: ${name} <${FROM}>`);
});

test('the headers of a mail from a domain with accents are ASCII', async () => {
  const { server, outbox } = await mailing({}, () => COMPOSED, 'payments@pão.example');
  outbox.start();
  const { id } = await outbox.attempts(1);
  const [mail = ''] = server.received;
  expect(mail).toContain(`Message-ID: <${id}@xn--po-sia.example>`);
  expect(mail).toMatch(/^[\0-\x7f]+$/);
});

test.each(['before', 'after'] as const)(
  'a mail is sent once when the database fails %s the commit that records it',
  async (moment) => {
    const { server, outbox } = await mailing();
    const failed = failRecording(outbox, moment);
    outbox.start();
    await failed;
    for (let seconds = 0; seconds < 120; seconds++) await outbox.clock.advance(1000);
    expect(await outbox.row()).toMatchObject({ state: 'sent', attempts_count: 1 });
    expect(server.received).toHaveLength(1);
  },
);

test('a mail is sent once when nothing can be recorded for a minute after it', async () => {
  const { server, outbox } = await mailing();
  const { db, clock } = outbox.deps;
  const minuteEndsAt = clock.now() + 60_000;
  const unit: typeof db.unit = (work) =>
    server.received.length > 0 && clock.now() < minuteEndsAt
      ? Promise.reject(new Error('the disk is full'))
      : db.unit(work);
  outbox.deps.db = Object.create(db, { unit: { value: unit } });
  outbox.start();
  await until(() => outbox.lines.some(({ msg }) => msg.startsWith('the outcome of a mail')), 'a failure');
  for (let seconds = 0; seconds < 180; seconds++) await clock.advance(1000);
  expect(await outbox.row()).toMatchObject({ state: 'sent', attempts_count: 1 });
  expect(server.received).toHaveLength(1);
});

test('a refusal for now is repeated after 10 s, 30 s, 1, 5 and 15 minutes, then hourly for a day', async () => {
  const { outbox } = await mailing({
    onRcptTo: (_address, _session, done) =>
      done(Object.assign(new Error('try later, ana@shop.pt'), { responseCode: 451 })),
  });
  const startedAt = outbox.clock.now();
  outbox.start();
  const waits: number[] = [];
  for (let attempt = 1; ; attempt++) {
    const mail = await outbox.attempts(attempt);
    expect(mail.error).not.toContain('ana@shop.pt');
    if (mail.due_at === null) {
      expect(mail).toMatchObject({ state: 'failed', link: null });
      break;
    }
    waits.push(Math.round((mail.due_at - outbox.clock.now()) / 1000));
    await outbox.db.unit((tx) => tx.updateTable('mails').set({ error: null }).execute());
    await outbox.clock.jump(mail.due_at - outbox.clock.now() - 1000);
    await outbox.clock.advance(1000);
  }
  expect(waits.slice(0, 6)).toEqual([10, 30, 60, 300, 900, 3600]);
  expect(waits.slice(5).every((wait) => wait === 3600)).toBe(true);
  expect(outbox.clock.now() - startedAt).toBeGreaterThan(22 * 3_600_000);
  expect(outbox.clock.now() - startedAt).toBeLessThanOrEqual(24 * 3_600_000);
});

test('a mail that waited for days while the service was down is also retried', async () => {
  const answers = [451];
  const { outbox } = await mailing({
    onRcptTo(_address, _session, done) {
      const responseCode = answers.shift();
      done(responseCode === undefined ? null : Object.assign(new Error('starting'), { responseCode }));
    },
  });
  await outbox.clock.jump(3 * 24 * 3_600_000);
  outbox.start();
  expect(await outbox.attempts(1)).toMatchObject({ state: 'queued' });
  await outbox.clock.advance(10_000);
  await until(async () => (await outbox.row()).state === 'sent', 'the second attempt');
});

const refuse = (_what: unknown, _session: unknown, done: (error: Error) => void) =>
  done(
    Object.assign(new Error(`<Ana+1@SHOP.pt>: no ANA+1 here ${'x'.repeat(200_000)}`), { responseCode: 500 }),
  );

test.each([
  ['the sender', { onMailFrom: refuse }],
  ['the recipient', { onRcptTo: refuse }],
  ['the text', { onData: refuse }],
])('a refusal of %s for good ends a mail, and the address in it is not kept', async (_what, refusal) => {
  const { outbox } = await mailing(refusal, () => ({ ...COMPOSED, to: 'ana+1@shop.pt' }));
  outbox.start();
  const error = expect.stringMatching(/^[^@]+ 500 <\[address\]>: no \[user\] here x+$/);
  expect(await outbox.attempts(1)).toMatchObject({ state: 'failed', due_at: null, error });
});

test('a server that does not answer is given 30 s and receives nothing later', async () => {
  const { promise: asked, resolve: ask } = Promise.withResolvers<() => void>();
  const { promise: closed, resolve: close } = Promise.withResolvers<void>();
  const { server, outbox } = await mailing({
    onRcptTo: (_address, _session, done) => ask(done),
    onClose: () => close(),
  });
  outbox.start();
  const answer = await asked;
  await outbox.clock.advance(30_000);
  expect((await outbox.attempts(1)).error).toContain('30 s');
  answer();
  await closed;
  expect(server.received).toEqual([]);
});

test('a sandbox that does not name its mailbox is given 30 s as well', async () => {
  const { url, requests } = await handMadeBank(() => {});
  const clock = fakeClock();
  const sending = createMailTransport({ clock, smtpUrl: null, sandboxUrl: url })({ to: 'ana@shop.pt' });
  const failed = expect(sending).rejects.toThrow('did not finish within 30 s');
  await until(() => requests.length > 0, 'the request');
  await clock.advance(30_000);
  await failed;
});

test('a password is sent in clear text to loopback only; a refused one and an untrusted certificate end no mail', async () => {
  let passwords = 0;
  const server = await smtpServer({
    disabledCommands: ['STARTTLS'],
    allowInsecureAuth: true,
    onAuth({ username, password }, _session, done) {
      passwords += 1;
      done(username === 'u@x' && password === 'p/w' ? null : new Error('no'), { user: 'u' });
    },
  });
  const elsewhere = await outboxTo(`smtp://u%40x:p%2Fw@[::ffff:127.0.0.1]:${server.port}`);
  elsewhere.start();
  expect((await elsewhere.attempts(1)).due_at).not.toBeNull();
  expect(passwords).toBe(0);
  const local = await outboxTo(`smtp://u%40x:p%2Fw@127.0.0.1:${server.port}`);
  local.start();
  expect((await local.attempts(1)).state).toBe('sent');
  expect(passwords).toBe(1);
  const refused = await outboxTo(`smtp://other:p@127.0.0.1:${server.port}`);
  refused.start();
  // An operator can correct the password.
  expect(await refused.attempts(1)).toMatchObject({ state: 'queued', error: expect.stringContaining('535') });
  for (const [scheme, secure] of [
    ['smtp', false],
    ['smtps', true],
  ] as const) {
    const untrusted = await smtpServer({ disabledCommands: ['AUTH'], secure });
    const tls = await outboxTo(`${scheme}://127.0.0.1:${untrusted.port}`);
    tls.start();
    expect((await tls.attempts(1)).error).toMatch(/certificate/i);
    expect(untrusted.received).toEqual([]);
  }
  const open = await smtpServer();
  const plain = await outboxTo(`smtp://[::ffff:127.0.0.1]:${open.port}`);
  plain.start();
  expect((await plain.attempts(1)).state, 'without a password').toBe('sent');
});

test.each([
  ['was refused for now', { attempts_count: 1, error: '451' }],
  ['was under way a second time', { attempts_count: 2 }],
  ['is planned for later', { attempts_count: 0 }],
])('a mail whose attempt %s keeps its wait after a restart', async (_what, attempted) => {
  const { outbox } = await mailing();
  const due_at = outbox.clock.now() + 60_000;
  await updateRows(outbox.db, 'mails', { ...attempted, due_at });
  outbox.start();
  await outbox.clock.advance(5000);
  expect(await outbox.row()).toMatchObject({ ...attempted, due_at });
});

test('a mail whose drop could not be recorded is composed again', async () => {
  const composed = [null];
  const { outbox } = await mailing({}, () => (composed.length > 0 ? (composed.pop() ?? null) : COMPOSED));
  const failed = failRecording(outbox, 'before');
  outbox.start();
  await failed;
  await outbox.clock.advance(91_000);
  expect(await outbox.attempts(2)).toMatchObject({ state: 'sent' });
});

test('a mail that the server accepted while the process was paused counts as sent', async () => {
  const { port } = await smtpServer({
    async onData(stream, _session, done) {
      await text(stream);
      done();
      // The answer is on its way; the process continues after its deadline.
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 1500);
    },
  });
  const clock = {
    ...systemClock,
    timeout: (_ms: number, task: () => void) => systemClock.timeout(1000, task),
  };
  const send = createMailTransport({ clock, smtpUrl: `smtp://127.0.0.1:${port}`, sandboxUrl: null });
  await send({ from: FROM, to: 'ana@shop.pt', text: 'Paid' });
});
