import { afterAll, expect, test } from 'vitest';
import { startService } from '../support/harness.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { addPasskey, softPasskey } from './authenticator.ts';
import { signedIn, visitor } from './support.ts';

const OPEN_MAX = 10_000;

const service = await startService({ whenOver: afterAll });
const { db, clock } = service.app.deps;

test('strangers who create challenges without end stop no one from signing in or confirming', async () => {
  const person = await signedIn(service, { role: 'operator' });
  const passkey = await addPasskey(person, softPasskey(service.url));
  const { value: confirmation } = await person.mutate('session.confirmBegin');
  const row = (at: number) => ({
    challenge_hash: `flood ${at}`,
    kind: 'sign_in' as const,
    user_id: null,
    expires_at: clock.now() + 60_000 + at,
  });
  // Older than all of the strangers' challenges.
  await updateRows(db, 'passkey_challenges', { expires_at: row(-1).expires_at });
  await insertRows(db, 'passkey_challenges', ...Array.from({ length: OPEN_MAX }, (_, at) => row(at)));
  const browser = visitor(service.url);
  const { value: challenge } = await browser.mutate('session.passkeyBegin');
  for (let times = 0; times < 3; times++) await visitor(service.url).mutate('session.passkeyBegin');
  const response = passkey.get(challenge);
  expect((await browser.mutate('session.passkeySignIn', { response })).status).toBe(200);
  const confirmed = { response: passkey.get(confirmation) };
  expect((await person.mutate('session.confirm', confirmed)).status).toBe(200);
  const open = await db.read.selectFrom('passkey_challenges').select('kind').execute();
  expect(open.length).toBeLessThanOrEqual(OPEN_MAX + 1);
});
