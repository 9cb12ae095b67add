import { expect, test } from 'vitest';
import { createUser } from '../../src/backoffice/people/create-user.ts';
import { resetUser } from '../../src/backoffice/people/reset-user.ts';
import { inviteMember } from '../../src/backoffice/team/invite.ts';
import { removeMember } from '../../src/backoffice/team/members.ts';
import { eraseLead } from '../../src/erasure/erase-lead.ts';
import type { Id } from '../../src/kernel/ids.ts';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { assignReceipt } from '../../src/payments/exceptions/assign-receipt.ts';
import { releaseTransaction } from '../../src/payments/release.ts';
import { showTransaction } from '../../src/payments/show.ts';
import { signedIn, visitor } from '../backoffice/support.ts';
import { cases } from '../backoffice/web/money-cases.ts';
import { postForm } from '../checkout/support.ts';
import { ORDER, startService, startWithMerchant } from '../support/harness.ts';
import { freePort } from '../support/program.ts';
import { selectRow } from '../support/rows.ts';
import { until } from '../support/until.ts';
import {
  mailingShop,
  mailOf,
  mailsTo,
  makeDue,
  operator,
  outbox,
  ownedShop,
  owner,
  remind,
  settled,
  subjectsTo,
} from './support.ts';

test('a shopper gets the reference and, once the money is there, the receipt, each once', async () => {
  const { service, merchant } = await mailingShop('Loja\u202e <b> Azul');
  const { id, mb } = await merchant.reference({ orderId: 'ENC\u200b <1>' });
  const instructions = await mailOf(service, 'ana@shop.pt', 'multibanco-instructions');
  const spaced = mb.reference.replace(/(\d{3})(?=\d)/g, '$1 ');
  for (const part of [mb.entity, spaced, 'ENC <1>', 'Loja <b> Azul'])
    expect(instructions.text).toContain(part);
  expect(instructions.text).toMatch(/\d{2}:\d{2} \(hora\sde\sLisboa\)/);
  expect(instructions.html).toContain('Loja &lt;b&gt; Azul');
  expect(instructions.html).not.toContain('<b> Azul');
  expect(instructions.text).toContain('TEST MONEY');
  await merchant.post('/payments/multibanco', { transactionId: id });
  expect((await mailsTo(service, 'ana@shop.pt')).map(({ kind }) => kind)).toEqual([
    'multibanco-instructions',
  ]);
  const reminder = (await outbox(service)).find(({ kind }) => kind === 'multibanco-reminder');
  expect(reminder).toMatchObject({ state: 'queued', attempts_count: 0 });
  await service.control('/multibanco', mb);
  await merchant.reaches(id, 'paid');
  const receipt = await mailOf(service, 'ana@shop.pt', 'payment-receipt');
  expect(receipt.subject).toMatch(/^Pagamento de 19,99\s€ a Loja <b> Azul recebido$/);
  await remind(service);
  expect((await outbox(service)).find(({ kind }) => kind === 'multibanco-reminder')?.state).toBe('dropped');
  expect(await mailsTo(service, 'ana@shop.pt')).toHaveLength(2);
});

test('shoppers get no mail unless the merchant wants it and an address is known', async () => {
  const { service, merchant } = await startWithMerchant({ env: { SERVICE_REQUIRE_CHECKOUT_DATA: 'false' } });
  await merchant.reference();
  await setMerchant(service.app.deps, merchant.merchantId, { customerMails: true });
  await merchant.reference({ customer: { name: 'Ana' } });
  await merchant.pay({ customer: { name: 'Ana' } });
  expect(await outbox(service)).toEqual([]);
});

test('the page’s language decides that of the mail, and a reminder is sent before the expiry', async () => {
  const { service, merchant } = await mailingShop(undefined, { SERVICE_MAIL_REMINDER_HOURS: '119' });
  const session = await merchant.trpc.checkout.createSession.mutate({ ...ORDER, locale: 'en' });
  const posted = await postForm(session.url, { method: 'REFERENCE' });
  expect(posted.status).toBe(303);
  const mail = await mailOf(service, 'ana@shop.pt', 'multibanco-instructions');
  expect(mail.subject).toBe('Multibanco reference for Test Shop: €19.99');
  await settled(service);
  // Less than 119 hours remain of a reference that is valid for 3 days.
  expect((await outbox(service)).map(({ kind }) => kind)).toEqual(['multibanco-instructions']);
});

test('late money of an earlier transaction of the session ends the reminder of a reference', async () => {
  const { service, merchant } = await mailingShop();
  const session = await merchant.trpc.checkout.createSession.mutate({ ...ORDER });
  const { sessionId } = session;
  const { transactionId } = await merchant.trpc.checkout.session.query({ sessionId });
  // Accepts after the window and its grace: the transaction is cancelled by then.
  await postForm(session.url, { method: 'MBWAY', phoneNumber: '911000010' });
  await merchant.reaches(transactionId, 'cancelled');
  await postForm(session.url, { method: 'REFERENCE' });
  await mailOf(service, 'ana@shop.pt', 'multibanco-instructions');
  await merchant.reaches(transactionId, 'paid');
  await remind(service);
  expect((await outbox(service)).map(({ kind, state }) => ({ kind, state }))).toEqual([
    { kind: 'multibanco-instructions', state: 'sent' },
    { kind: 'multibanco-reminder', state: 'dropped' },
    { kind: 'payment-receipt', state: 'sent' },
  ]);
});

test('people get invitations and resets by one-time links, which the outbox forgets once they are sent', async () => {
  const service = await startService();
  const { deps } = service.app;
  const merchant = await service.merchant({ name: 'Loja' });
  const { password } = await createUser(deps, { email: 'Op@x.pt', role: 'operator', merchantId: null });
  const invitation = await mailOf(service, 'op@x.pt', 'invitation');
  expect(invitation.text).not.toContain(password);
  expect(invitation.text).toMatch(/até .*\d{2}:\d{2} \(hora\sde\sLisboa\)\.$/m);
  const link = /http:\/\/\S+\/backoffice\/link#\S+/.exec(invitation.text)?.[0] ?? '';
  const accepted = { token: link.split('#')[1], password: 'quatro barcos verdes 9' };
  expect(await visitor(service.url).mutate('link.accept', accepted)).toMatchObject({ status: 200 });
  await inviteMember(deps, merchant.merchantId, { email: 'ana@loja.pt', role: 'owner' });
  expect((await mailOf(service, 'ana@loja.pt', 'invitation')).subject).toBe('Convite para a equipa de Loja');
  const person = await signedIn(service, { role: 'operator' });
  await person.mutate('account.setLanguage', { language: 'en' });
  await resetUser(deps, { email: person.email }, { totp: false });
  expect((await mailOf(service, person.email, 'password-reset')).subject).toBe('Set a new password');
  await resetUser(deps, { email: 'op@x.pt' }, { totp: false });
  await mailOf(service, 'op@x.pt', 'password-reset');
  await settled(service);
  expect((await outbox(service)).map(({ state, link }) => ({ state, link }))).toEqual(
    Array(4).fill({ state: 'sent', link: null }),
  );
});

test('a reminder is sent while the reference can be paid, and no instructions once it was', async () => {
  const { service, merchant } = await mailingShop();
  const { id, mb } = await merchant.reference();
  await mailOf(service, 'ana@shop.pt', 'multibanco-instructions');
  await makeDue(service, 'multibanco-reminder');
  const { subject, text } = await mailOf(service, 'ana@shop.pt', 'multibanco-reminder');
  expect(subject).toMatch(/^Lembrete: pagamento de 19,99/);
  expect(text).toContain(mb.entity);
  await service.control('/multibanco', mb);
  await merchant.reaches(id, 'paid');
  await mailOf(service, 'ana@shop.pt', 'payment-receipt');
  await makeDue(service, 'multibanco-instructions');
  await settled(service);
  const mails = await mailsTo(service, 'ANA@shop.pt');
  expect(mails.map(({ kind }) => kind)).toEqual([
    ...['payment-receipt', 'multibanco-reminder', 'multibanco-instructions'],
  ]);
  for (const mail of mails)
    expect(Object.keys(mail)).toEqual(['to', 'subject', 'text', 'html', 'kind', 'createdAt']);
  expect((await service.control('/mailbox')).body).toEqual({ smtpPort: expect.any(Number) });
});

test('a mail that waits holds its one-time link encrypted', async () => {
  const smtpUrl = `smtp://127.0.0.1:${await freePort()}`;
  const service = await startService({
    env: { SERVICE_SMTP_URL: smtpUrl, SERVICE_MAIL_FROM: 'service@x.pt' },
  });
  const { deps } = service.app;
  await createUser(deps, { email: 'op@x.pt', role: 'operator', merchantId: null });
  const waiting = async () => (await outbox(service)).find(({ error }) => error !== null);
  const mail = await until(waiting, 'the first attempt');
  expect(mail.link).not.toContain('backoffice');
  expect(deps.box.decrypt(mail.link ?? '', `mails.link:${mail.id}`)).toMatch(/^\/backoffice\/link#/);
});

test('owners learn of money that does not fit its order, operators of money without one', async () => {
  const { service, deps, merchant } = await ownedShop();
  const quiet = await service.merchant({ name: 'Quiet' });
  await owner(service, quiet, 'quiet@shop.pt');
  const { merchantId } = merchant;
  const viewer = { email: 'vista@shop.pt', role: 'viewer', merchantId, password: 'quatro barcos 9' } as const;
  await createUser(deps, viewer);
  await operator(service, 'op@x.pt');
  await setMerchant(deps, quiet.merchantId, { alerts: false });
  for (const shop of [merchant, quiet]) {
    const { mb } = await shop.reference({ orderId: 'CURTA' });
    await service.control('/multibanco', { ...mb, amount: 5 });
  }
  const alert = await mailOf(service, 'dona@shop.pt', 'alert-money');
  expect(alert.subject).toMatch(/^Pagamento de 5,00\s€ inferior ao devido$/);
  expect(alert.text).toContain(`${service.url}/backoffice/m/${merchant.merchantId}/exceptions`);
  const receiptId = (await cases(service).stranger(7)) as Id<'rcp'>;
  expect((await mailOf(service, 'op@x.pt', 'alert-money')).subject).toContain('sem encomenda correspondente');
  // Once it is assigned, it is a short payment of an owner.
  const transactionId = (await merchant.init({ orderId: 'ACHADA' })) as Id<'tx'>;
  await assignReceipt(deps, { receiptId, transactionId, note: '' });
  await until(async () => (await mailsTo(service, 'dona@shop.pt')).length > 1, 'the second alert');
  await settled(service);
  const subjects = await subjectsTo(service, 'dona@shop.pt');
  expect(subjects).toEqual([expect.stringMatching(/^Pagamento de 7,00\s€ inferior/), alert.subject]);
  expect(await mailsTo(service, 'op@x.pt')).toHaveLength(1);
  for (const to of ['quiet@shop.pt', viewer.email]) expect(await mailsTo(service, to)).toEqual([]);
});

test('an alert that is sent late says what is true by then, or is dropped', async () => {
  const { service, deps, merchant } = await ownedShop();
  await operator(service, 'op@x.pt');
  const { id, mb } = await merchant.reference();
  await service.control('/multibanco', { ...mb, amount: 5 });
  expect((await mailOf(service, 'dona@shop.pt', 'alert-money')).text).toContain('continua por pagar');
  await service.control('/multibanco', mb);
  await merchant.reaches(id, 'paid');
  await makeDue(service, 'alert-money');
  const late = await until(
    async () => (await mailsTo(service, 'dona@shop.pt')).at(-2)?.text,
    'the mail that is sent again',
  );
  expect(late).not.toContain('por pagar');
  expect(late).toContain('paga por outro pagamento');

  const subjects = () => subjectsTo(service, 'op@x.pt');
  for (const [change, count] of [
    ['down', 1],
    ['up', 2],
  ] as const) {
    const entity = `ifthenpay.${change}.1`;
    await deps.db.unit((tx) => deps.queueMail(tx, { kind: 'alert-bank', entity }));
    await until(async () => (await subjects()).length === count, `the alert of ${entity}`);
  }
  await makeDue(service, 'alert-bank');
  const allEnded = async () => (await outbox(service)).every(({ due_at }) => due_at === null);
  await until(allEnded, 'the alerts about the bank');
  const back = 'A ifthenpay voltou a responder';
  expect(await subjects()).toEqual([back, back, 'A ifthenpay está indisponível']);
});

test('an alert that waits is not sent to a person who has left the team', async () => {
  const { service, deps, merchant } = await ownedShop();
  await owner(service, merchant, 'socia@shop.pt');
  const { mb } = await merchant.reference();
  await service.control('/multibanco', { ...mb, amount: 5 });
  for (const to of ['dona@shop.pt', 'socia@shop.pt']) await mailOf(service, to, 'alert-money');
  const left = await selectRow(deps.db, 'users', { email: 'socia@shop.pt' });
  await removeMember(deps, merchant.merchantId, left.id);
  await settled(service);
  await makeDue(service, 'alert-money');
  await until(async () => (await outbox(service)).every(({ due_at }) => due_at === null), 'the alerts');
  expect(await mailsTo(service, 'dona@shop.pt')).toHaveLength(2);
  expect(await mailsTo(service, 'socia@shop.pt')).toHaveLength(1);
});

test('owners learn of the surplus and the second payment of a held sale once it is released', async () => {
  const { service, deps, merchant } = await ownedShop();
  await setMerchant(deps, merchant.merchantId, { hold: true });
  const { id, mb } = await merchant.reference({ orderId: 'RETIDA', amount: 10 });
  for (const amount of [12, 10]) {
    await service.control('/multibanco', { ...mb, amount });
    await until(
      async () => (await showTransaction(deps, id)).receipts.at(-1)?.amount === amount,
      'the receipt',
    );
  }
  await settled(service);
  expect(await mailsTo(service, 'dona@shop.pt')).toEqual([]);
  await releaseTransaction(deps, id);
  await until(async () => (await mailsTo(service, 'dona@shop.pt')).length === 2, 'two alerts');
  await settled(service);
  const subjects = await subjectsTo(service, 'dona@shop.pt');
  expect(subjects.toSorted()).toEqual([
    expect.stringMatching(/^Pagamento de 10,00\s€ em duplicado$/),
    expect.stringMatching(/^Pagamento de 12,00\s€ superior ao devido$/),
  ]);
});

test('owners learn of a short payment although the sale was held before the mail was sent', async () => {
  const { service, deps, merchant } = await ownedShop();
  await setMerchant(deps, merchant.merchantId, { hold: true });
  const { id, mb } = await merchant.reference();
  await service.control('/multibanco', { ...mb, amount: 5 });
  await mailOf(service, 'dona@shop.pt', 'alert-money');
  await service.control('/multibanco', mb);
  await until(async () => (await showTransaction(deps, id)).transaction.held, 'the hold');
  await makeDue(service, 'alert-money');
  await until(async () => (await mailsTo(service, 'dona@shop.pt')).length === 2, 'the second mail');
});

test('operators learn that an acquirer is back although the clock was set back', async () => {
  const service = await startService();
  const { deps } = service.app;
  await operator(service, 'op@x.pt');
  const queue = (entity: string, plannedAt: number) =>
    deps.db.unit((tx) => deps.queueMail(tx, { kind: 'alert-bank', entity, plannedAt }));
  await queue('ifthenpay.down.2', Date.now() + 7_200_000);
  await queue('ifthenpay.up.1', Date.now());
  const { subject } = await mailOf(service, 'op@x.pt', 'alert-bank');
  expect(subject).toBe('A ifthenpay voltou a responder');
});

test('after an erasure no mail goes to the person, and the outbox never held the address', async () => {
  const { service, deps, merchant } = await mailingShop();
  const email = 'esquecer.me@shop.pt';
  await merchant.reference({ customer: { name: 'Rui', email } });
  await mailOf(service, email, 'multibanco-instructions');
  await settled(service);
  expect(JSON.stringify(await outbox(service))).not.toContain(email);
  const [lead] = await deps.db.read.selectFrom('leads').select('id').execute();
  await eraseLead(deps, lead?.id as `led_${string}`);
  await remind(service);
  expect(await mailsTo(service, email)).toHaveLength(1);
});
