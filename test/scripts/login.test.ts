import { expect, test } from 'vitest';
import { seedDemo, welcome } from '../../src/demo.ts';
import { visitor } from '../backoffice/support.ts';
import { startService } from '../support/harness.ts';

const logins = (text: string | null) => {
  const [, owner = '', password = ''] = /the shop +(\S+), password (\S+)/.exec(text ?? '') ?? [];
  const [, operator = ''] = /the platform +(\S+), the same password/.exec(text ?? '') ?? [];
  return { owner, operator, password };
};

test('a start with the sandbox prints a working back office login, the same one at later starts', async () => {
  const service = await startService();
  await seedDemo(service.app.deps);
  const text = await welcome(service.app);
  expect(text).toContain(`${service.url}/backoffice`);
  const { owner, operator, password } = logins(text);
  expect(password).toMatch(/^[a-z2-9]{5}(-[a-z2-9]{5}){2}$/);
  const shop = visitor(service.url);
  expect((await shop.signIn(owner, password)).value).toMatchObject({ outcome: 'signed_in' });
  // The password need not be changed first.
  const { value } = await shop.query('session.current');
  expect(value).toMatchObject({ user: { passwordChange: false, operator: false } });
  expect(value.memberships).toMatchObject([{ name: 'Demo Shop', role: 'owner' }]);
  const platform = visitor(service.url);
  expect((await platform.signIn(operator, password)).value).toMatchObject({ outcome: 'signed_in' });
  expect((await platform.query('session.current')).value.user.operator).toBe(true);
  expect(await welcome(service.app)).toBe(text);

  // After a change the start no longer knows the password.
  const chosen = 'five grey umbrellas';
  expect((await shop.mutate('account.changePassword', { current: password, password: chosen })).status).toBe(
    200,
  );
  const later = await welcome(service.app);
  expect(later).toContain(`${owner}, with the password that you chose`);
  expect(later).not.toContain(password);
  expect(later).not.toContain(chosen);
}, 30_000);

test('without demo data a start creates no login', async () => {
  const service = await startService({ env: { SERVICE_SEED_DEMO: 'false' } });
  const text = await welcome(service.app);
  expect(text).toContain('/backoffice');
  expect(text).not.toContain('password');
  expect(await service.app.deps.db.read.selectFrom('users').selectAll().execute()).toEqual([]);
});
