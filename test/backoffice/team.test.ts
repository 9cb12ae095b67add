import { afterAll, expect, test } from 'vitest';
import { addInvite } from '../../src/backoffice/team/invite.ts';
import { startService } from '../support/harness.ts';
import { insertRows, updateRows } from '../support/rows.ts';
import { auditLog, PASSWORD, shopWithOwner, signedIn, turnTotpOn, type Visitor, visitor } from './support.ts';

const service = await startService({ whenOver: afterAll });
const shop = await service.merchant({ name: 'Shop' });

const member = (role: 'owner' | 'viewer', merchant = shop) =>
  signedIn(service, { role, merchantId: merchant.merchantId });

test('an owner changes roles and removes members, which takes effect with the next call', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const other = await member('viewer', merchant);
  const canList = async () => (await other.query('team.list', { merchantId })).status;
  expect(await canList()).toBe(403);
  await owner.mutate('team.setRole', { merchantId, userId: other.userId, role: 'owner' });
  expect(await canList()).toBe(200);
  await owner.mutate('team.remove', { merchantId, userId: other.userId });
  expect(await canList()).toBe(404);
  expect((await other.query('session.current')).value.memberships).toEqual([]);
});

test('the last owner can be neither removed nor demoted, also concurrently', async () => {
  const { merchant, merchantId, owner: one } = await shopWithOwner(service);
  const two = await member('owner', merchant);
  const both = await Promise.all([
    one.mutate('team.remove', { merchantId, userId: two.userId }),
    two.mutate('team.setRole', { merchantId, userId: one.userId, role: 'viewer' }),
  ]);
  expect(both.filter(({ status }) => status === 200)).toHaveLength(1);
  const operator = await signedIn(service, { role: 'operator' });
  const { members } = (await operator.query('team.list', { merchantId })).value;
  const owners = members.filter(({ role }: { role: string }) => role === 'owner');
  expect(owners).toHaveLength(1);
  const [{ userId }] = owners;
  for (const last of [
    await operator.mutate('team.remove', { merchantId, userId }),
    await operator.mutate('team.setRole', { merchantId, userId, role: 'viewer' }),
  ])
    expect(last).toMatchObject({ status: 400, error: { reason: 'last_owner' } });
});

test('a member of another merchant’s team cannot be changed', async () => {
  const other = await service.merchant();
  const [owner, stranger] = [await member('owner'), await member('owner', other)];
  const { merchantId } = shop;
  for (const said of [
    await owner.mutate('team.remove', { merchantId, userId: stranger.userId }),
    await owner.mutate('team.setRole', { merchantId, userId: stranger.userId, role: 'viewer' }),
  ])
    expect(said).toMatchObject({ status: 404 });
  expect((await stranger.query('session.current')).value.memberships).toHaveLength(1);
});

test('a member cannot be invited again, and the e-mail must be valid', async () => {
  const owner = await member('owner');
  const { merchantId } = shop;
  const invite = (email: string) => owner.mutate('team.invite', { merchantId, email, role: 'viewer' });
  expect((await invite(owner.email)).error.reason).toBe('member_already');
  expect((await invite('not an address')).error).toMatchObject({
    reason: 'email_invalid',
    fields: ['email'],
  });
});

test('an owner can invite a person five times and send a hundred invitations an hour', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const invite = (email: string) => owner.mutate('team.invite', { merchantId, email, role: 'viewer' });
  for (let times = 0; times < 5; times++) expect((await invite('rui@example.pt')).status).toBe(200);
  expect(await invite('rui@example.pt')).toMatchObject({
    status: 429,
    error: { reason: 'invites_too_many', values: { seconds: expect.any(Number) } },
  });
  expect((await invite('eva@example.pt')).status).toBe(200);
  const { db } = service.app.deps;
  await updateRows(db, 'post_counts', { count: 100 }, { client: `invites ${merchantId}`, count: 6 });
  expect((await invite('last@example.pt')).error.reason).toBe('invites_too_many');
  const users = db.read.selectFrom('users').select('id').where('email', '=', 'last@example.pt');
  expect(await users.execute()).toEqual([]);
});

test('a team has at most 100 people and open invitations', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const invite = (email: string) => owner.mutate('team.invite', { merchantId, email, role: 'viewer' });
  const { deps } = service.app;
  await deps.db.unit(async (tx) => {
    for (let i = 0; i < 98; i++)
      await addInvite(tx, deps, merchantId, { email: `full-${i}@example.pt`, role: 'viewer' });
  });
  expect((await invite('full@example.pt')).status).toBe(200);
  expect((await invite('one-more@example.pt')).error).toMatchObject({
    reason: 'team_full',
    values: { max: 100 },
  });
  expect((await invite('full@example.pt')).status).toBe(200);
});

test('an operator pages through users by e-mail with their merchants', async () => {
  for (const name of ['zoe-1', 'zoe-2', 'zoe-3'])
    await signedIn(service, { role: 'viewer', merchantId: shop.merchantId, email: `${name}@example.pt` });
  const operator = await signedIn(service, { role: 'operator' });
  const first = (await operator.query('users.list', { email: 'ZOE-', limit: 2 })).value;
  expect(first.rows).toMatchObject([
    {
      email: 'zoe-1@example.pt',
      active: true,
      operator: false,
      factor: false,
      pending: false,
      memberships: [{ merchantId: shop.merchantId, name: 'Shop', role: 'viewer' }],
    },
    { email: 'zoe-2@example.pt' },
  ]);
  const rest = (await operator.query('users.list', { email: 'zoe-', limit: 2, cursor: first.nextCursor }))
    .value;
  expect(rest).toMatchObject({ rows: [{ email: 'zoe-3@example.pt' }], nextCursor: null });
  expect(JSON.stringify(first)).not.toContain('scrypt');
});

test('a page of users has the merchants of each, also when one has hundreds', async () => {
  const { db, ids } = service.app.deps;
  const merchants = Array.from({ length: 499 }, () => ({ id: ids('mer'), name: 'Chain' }));
  await insertRows(db, 'merchants', ...merchants);
  const person = (n: number) =>
    signedIn(service, { role: 'viewer', merchantId: shop.merchantId, email: `many-${n}@example.pt` });
  const [many] = [await person(1), await person(2)];
  const role = 'viewer' as const;
  const rows = merchants.map(({ id }) => ({ user_id: many.userId, merchant_id: id, role, created_at: 1 }));
  await db.unit((tx) => tx.insertInto('memberships').values(rows).execute());
  const operator = await signedIn(service, { role: 'operator' });
  const { rows: users } = (await operator.query('users.list', { email: 'many-' })).value;
  const counts = users.map((user: { memberships: unknown[] }) => user.memberships.length);
  expect(counts).toEqual([500, 1]);
});

test('a disabled user is signed out and cannot sign in; operators cannot disable themselves', async () => {
  const operator = await signedIn(service, { role: 'operator' });
  const person = await member('viewer');
  const setActive = (userId: string, active: boolean) =>
    operator.mutate('users.setActive', { userId, active });
  expect(await setActive(person.userId, false)).toMatchObject({ status: 200 });
  expect((await person.query('session.current')).value.user).toBeNull();
  const comes = () => visitor(service.url).signIn(person.email, PASSWORD);
  expect((await comes()).error.reason).toBe('sign_in_wrong');
  await setActive(person.userId, true);
  expect((await comes()).status).toBe(200);
  expect((await person.query('session.current')).value.user, 'the session has ended for good').toBeNull();
  expect((await setActive(operator.userId, false)).error.reason).toBe('not_yourself');
});

test('an operator finds a merchant by a word of its name or by its id', async () => {
  const wanted = await service.merchant({ name: 'Padaria 100% do_Bairro d’Ana' });
  const operator = await signedIn(service, { role: 'operator' });
  const found = async (text: string) =>
    (await operator.query('merchants.list', { text })).value.rows.map(
      ({ merchantId }: { merchantId: string }) => merchantId,
    );
  for (const text of ['padaria', '100% DO_', "D'Ana", 'd’ana', wanted.merchantId]) {
    expect([text, await found(text)]).toEqual([text, [wanted.merchantId]]);
  }
  expect(await found('%_%')).toEqual([]);
  expect((await operator.query('merchants.list', { limit: 1 })).value).toMatchObject({
    rows: [{ merchantId: wanted.merchantId, active: true }],
    nextCursor: wanted.merchantId,
  });
});

test('where an owner requires it, members without two-factor authentication can only set it up', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const viewer = await member('viewer', merchant);
  const stranger = await member('viewer');
  await turnTotpOn(owner);
  const team = async () => (await owner.query('team.list', { merchantId })).value;
  expect(await team()).toMatchObject({ requiresFactor: false });
  const required = { merchantId, required: true };
  expect(await owner.mutate('team.setFactor', required)).toMatchObject({ status: 200 });
  expect(await team()).toMatchObject({ requiresFactor: true });
  const overview = async (person: typeof owner, of = merchantId) =>
    (await person.query('overview.show', { merchantId: of })).error?.code ?? null;
  expect(await overview(viewer)).toBe('SECOND_FACTOR');
  expect((await viewer.query('session.current')).value.user).toMatchObject({ factorDue: true });
  expect(await overview(stranger, shop.merchantId)).toBeNull();
  await turnTotpOn(viewer);
  expect(await overview(viewer)).toBeNull();
  await viewer.mutate('account.totpDisable');
  expect(await overview(viewer)).toBe('SECOND_FACTOR');
  await owner.mutate('team.setFactor', { merchantId, required: false });
  expect(await overview(viewer)).toBeNull();
  const { rows } = (await owner.query('audit.list', { merchantId })).value;
  expect(rows.slice(0, 2).map(({ details }: { details: unknown }) => details)).toEqual([
    { teamFactor: false },
    { teamFactor: true },
  ]);
});

test('two people who make the same change leave one entry in the audit log', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const owners = [owner, await member('owner', merchant)];
  const operators = [
    await signedIn(service, { role: 'operator' }),
    await signedIn(service, { role: 'operator' }),
  ];
  const { userId } = await signedIn(service, { role: 'viewer', merchantId });
  const both = (people: Visitor[], name: string, input: object) =>
    Promise.all(people.map(async (person) => expect((await person.mutate(name, input)).status).toBe(200)));
  await both(owners, 'team.setRole', { merchantId, userId, role: 'owner' });
  await both(operators, 'merchants.set', { merchantId, hold: true });
  await both(operators, 'users.setActive', { userId, active: false });
  const entries = await Promise.all([
    auditLog(service, { action: 'member.changed', target: userId }),
    auditLog(service, { action: 'merchant.changed', target: merchantId }),
    auditLog(service, { action: 'user.changed', target: userId }),
  ]);
  expect(entries.map(({ length }) => length)).toEqual([1, 1, 1]);
});

test('a change that changes nothing leaves no entry in the audit log', async () => {
  const { merchantId, owner } = await shopWithOwner(service);
  const operator = await signedIn(service, { role: 'operator' });
  const route = { merchantId, method: 'MBWAY', acquirer: 'ifthenpay', fallback: null };
  const logo = Buffer.from('89504e470d0a1a0a', 'hex').toString('base64');
  const twice = async (person: Visitor, name: string, input?: object) => {
    for (let i = 0; i < 2; i++) expect((await person.mutate(name, input)).status).toBe(200);
  };
  await twice(operator, 'merchants.setRoute', route);
  await twice(owner, 'paymentLinks.setBrand', { merchantId, accent: '#1F539C', logo });
  await twice(owner, 'paymentLinks.setBrand', { merchantId, logo: null });
  await twice(owner, 'account.revokeOthers');
  const entries = await Promise.all([
    auditLog(service, { action: 'bank.routed', target: merchantId }),
    auditLog(service, { action: 'brand.changed', target: merchantId }),
    auditLog(service, { action: 'session.revoked', target: owner.userId }),
  ]);
  expect(entries.map(({ length }) => length)).toEqual([1, 2, 0]);
});

test('two calls that turn the second factor off leave one entry in the audit log', async () => {
  const { owner } = await shopWithOwner(service);
  await turnTotpOn(owner);
  const answers = await Promise.all([
    owner.mutate('account.totpDisable'),
    owner.mutate('account.totpDisable'),
  ]);
  expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
  expect(await auditLog(service, { action: 'user.totp_disabled', target: owner.userId })).toHaveLength(1);
});

test('an invitation that has been accepted is not revoked, and its person stays in the team', async () => {
  const { merchant, merchantId, owner } = await shopWithOwner(service);
  const { userId, query } = await member('viewer', merchant);
  const withdraw = { merchantId, userId, invitation: true };
  expect((await owner.mutate('team.remove', withdraw)).error.reason).toBe('member_already');
  expect((await query('session.merchant', { merchantId })).status).toBe(200);
  await owner.mutate('team.invite', { merchantId, email: 'late@shop.pt', role: 'viewer' });
  const [invite] = (await owner.query('team.list', { merchantId })).value.invites;
  const open = { ...withdraw, userId: invite.userId };
  expect((await owner.mutate('team.remove', open)).status).toBe(200);
  expect((await owner.mutate('team.remove', open)).status).toBe(404);
});
