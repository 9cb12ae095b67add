import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { setMerchant } from '../../src/merchants/set-merchant.ts';
import { createSession, readSession } from '../checkout/support.ts';
import { runHere } from '../cli/support.ts';
import { temporaryFolder } from '../support/database.ts';
import { startWithMerchant } from '../support/harness.ts';
import { until } from '../support/until.ts';

test('an erased person is in no part of the database file, free space included', async () => {
  const folder = temporaryFolder();
  const { service, deps, merchant } = await startWithMerchant({ folder });
  await setMerchant(deps, merchant.merchantId, { customerMails: true });
  const email = 'esquecida.por.completo@correio.example';
  const customer = { name: 'Filomena Esquecida', email, address: 'Rua do Esquecimento 9' };
  for (let i = 0; i < 30; i++) await merchant.init({ customer });
  await merchant.pay({ customer });
  const session = (await createSession(service, merchant, { customer })).body;
  // The sandbox refuses pushes to this number.
  const phone = '911000002';
  const fields = { method: 'MBWAY', phoneNumber: phone };
  await fetch(session.url, { method: 'POST', body: new URLSearchParams(fields) });
  const { transactionId } = (await readSession(service, merchant, session.sessionId)).body;
  await merchant.reaches(transactionId, 'failed');
  const [lead] = await deps.db.read.selectFrom('leads').select('id').execute();
  const erased = await runHere(folder, ['lead', 'erase', lead?.id ?? '', '--json']);
  expect(JSON.parse(erased.stdout)).toMatchObject({ leadId: lead?.id, transactionsLeft: 0 });
  await until(
    async () =>
      (await deps.db.read.selectFrom('mails').selectAll().execute()).every(({ due_at }) => due_at === null),
    'the mails',
  );
  const secrets = [email, phone, 'Filomena Esquecida', 'Rua do Esquecimento'];
  const found = () =>
    ['service.db', 'service.db-wal']
      .map((name) => join(folder, name))
      .filter((file) => existsSync(file))
      .flatMap((file) => secrets.filter((secret) => readFileSync(file).includes(secret)));
  expect(found()).toEqual([]);
  await service.app.close();
  expect(found()).toEqual([]);
  expect((await runHere(folder, ['lead', 'erase', 'led_none'])).code).toBe(1);
});
