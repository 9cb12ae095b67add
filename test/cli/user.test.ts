import { expect, test } from 'vitest';
import { visitor } from '../backoffice/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startService } from '../support/harness.ts';
import { selectRows } from '../support/rows.ts';
import { jsonHere, refusedHere } from './support.ts';

test('a user created or reset on the command line signs in at the running service', async () => {
  const folder = temporaryFolder();
  const service = await startService({ folder });
  const { merchantId } = await service.merchant();
  const run = (line: string) => jsonHere(folder, line, { SERVICE_PUBLIC_URL: 'https://pay.example.pt' });
  const made = await run(`user create --email Ana@Shop.pt --role owner --merchant ${merchantId}`);
  expect(made).toEqual({
    userId: expect.stringMatching(/^usr_/),
    password: expect.stringMatching(/^[a-z2-9]{5}(-[a-z2-9]{5}){3}$/),
  });
  const browser = visitor(service.url);
  await browser.signIn('ana@shop.pt', made.password);
  expect((await browser.query('session.current')).value).toMatchObject({
    user: { id: made.userId, email: 'ana@shop.pt', operator: false, passwordChange: true },
    memberships: [{ merchantId, role: 'owner' }],
  });

  const reset = await run('user reset --email ana@shop.pt --totp');
  expect(reset).toEqual({
    link: expect.stringMatching(/^https:\/\/pay\.example\.pt\/backoffice\/link#[\w-]{43}$/),
  });
  const token = reset.link.split('#')[1];
  const accepted = await browser.mutate('link.accept', { token, password: 'eight round bicycles' });
  expect(accepted.value).toEqual({ outcome: 'signed_in' });

  const audit = await selectRows(service.app.deps.db, 'audit_log', { actor: 'command line' });
  const details = '{"email":"ana@shop.pt","totp":true}';
  expect(audit).toMatchObject([
    { action: 'user.created', actor: 'command line', merchant_id: merchantId, target: made.userId },
    { action: 'user.reset', actor: 'command line', merchant_id: null, target: made.userId, details },
  ]);
});

test('an e-mail address belongs to one user', async () => {
  const folder = temporaryFolder();
  const create = 'user create --email op@example.pt --role operator';
  await jsonHere(folder, create);
  expect(await refusedHere(folder, create)).toContain('the user op@example.pt exists');
});
