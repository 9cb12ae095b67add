import { once } from 'node:events';
import { connect } from 'node:net';
import { expect, onTestFinished, test } from 'vitest';
import { systemClock } from '../../src/kernel/clock.ts';
import { createMailTransport, MailRefused } from '../../src/mail/transport.ts';
import { sandbox } from './support.ts';

test('a mail above the size that the mailbox announces is refused and not stored', async () => {
  const bank = await sandbox();
  const send = createMailTransport({ clock: systemClock, smtpUrl: null, sandboxUrl: bank.url });
  const mail = { from: 'no-reply@sandbox.example', to: 'ana@demo-shop.example' };
  const large = send({ ...mail, subject: 'Large', text: 'a line of text\n'.repeat(100_000) });
  await expect(large).rejects.toThrow(MailRefused);
  await send({ ...mail, subject: 'Small', text: 'a line of text\n' });
  const { body } = await bank.call('/control/mails?to=ana@demo-shop.example');
  expect(body).toMatchObject([{ subject: 'Small' }]);
});

test('a client that stays connected to the mailbox does not hold up the stop', async () => {
  const bank = await sandbox();
  const { body } = await bank.call('/control/mailbox');
  const client = connect(Number(body.smtpPort), '127.0.0.1');
  onTestFinished(() => void client.destroy());
  await once(client, 'data');
  await bank.close();
}, 5000);
