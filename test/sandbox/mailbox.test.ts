import { expect, test } from 'vitest';
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
